import { expect, test } from 'vitest';
import { storeFor, visitorBrowser, type VisitorBrowser } from './visitor-browser.ts';

const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';
const SAFARI =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15';

test.each<[VisitorBrowser, string, Record<string, string>?]>([
  ['chrome', CHROME],
  ['chrome', CHROME, { 'sec-ch-ua': '"Chromium";v="140", "Google Chrome";v="140"', 'sec-ch-ua-mobile': '?0' }],
  ['chrome', CHROME.replace('Chrome/', 'HeadlessChrome/')],
  ['edge', `${CHROME} Edg/140.0.0.0`],
  ['opera', `${CHROME} OPR/122.0.0.0`],
  ['brave', CHROME, { 'sec-ch-ua': '"Chromium";v="140", "Brave";v="140"' }],
  ['firefox', 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0'],
  ['safari', SAFARI],
  ['phone', IPHONE],
  ['phone', 'Mozilla/5.0 (Android 15; Mobile; rv:153.0) Gecko/153.0 Firefox/153.0'],
  [
    'phone',
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
  ],
  ['phone', IPHONE.replace('Version/18.5', 'CriOS/140.0.0.0')],
  ['phone', IPHONE.replaceAll('iPhone', 'iPad').replace(' Mobile/15E148', '')],
  ['phone', CHROME, { 'sec-ch-ua-mobile': '?1' }],
  ['unknown', ''],
  ['unknown', 'curl/8.10.1'],
  ['unknown', `${'x'.repeat(1_000_000)} Firefox/153.0`],
])('%s is recognized from the user agent %s', (browser, agent, hints) => {
  expect(visitorBrowser({ 'user-agent': agent, ...hints })).toBe(browser);
});

test('a browser that sends no user agent is unknown', () => {
  expect(visitorBrowser({})).toBe('unknown');
});

test('each browser is offered its own store, if one is set', () => {
  const stores = { chrome: 'https://chrome.example/wallet', firefox: 'https://firefox.example/wallet' };
  const of = (given: typeof stores | { chrome: null; firefox: null }) =>
    (['chrome', 'edge', 'brave', 'opera', 'firefox', 'safari', 'phone', 'unknown'] as const).map((browser) =>
      storeFor(browser, given),
    );
  const { chrome, firefox } = stores;
  expect(of(stores)).toEqual([chrome, chrome, chrome, chrome, firefox, null, null, null]);
  expect(new Set(of({ chrome: null, firefox: null }))).toEqual(new Set([null]));
});
