import { beforeEach, describe, expect, test, vi } from 'vitest';
import { LANGUAGE_CODES } from '../../../protocol/languages.ts';

vi.mock('webextension-polyfill', () => ({ default: { runtime: { getURL: (path: string) => path } } }));

type Texts = Record<string, unknown>;
const modules = import.meta.glob<Texts>('../texts/texts*.ts');
const OTHERS = LANGUAGE_CODES.filter((code) => code !== 'en');

/** Simulates a window that has just opened and has not loaded any UI strings. */
async function start(languages: string[] = ['en']) {
  vi.resetModules();
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(languages);
  const loaded = await Promise.all(Object.values(modules).map((load) => load()));
  const texts = loaded
    .flatMap((exported) => Object.values(exported))
    .filter((one): one is Texts => typeof one === 'object' && one !== null);
  return { language: await import('./language.ts'), ...(await import('./speak.ts')), texts };
}

/** Returns all UI strings with their paths. Calls functions with suitable arguments. */
function written(value: unknown, place = ''): [string, string][] {
  if (typeof value === 'string') return [[place, value]];
  if (typeof value === 'function') {
    try {
      return [[place, String((value as (...given: unknown[]) => unknown)(2, 3, 4))]];
    } catch {
      return [[place, String(value)]]; // Other functions are represented by their source, which contains their strings.
    }
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => written(one, `${place}.${key}`));
}

beforeEach(() => {
  localStorage.clear();
  document.documentElement.removeAttribute('dir');
});

describe.each(OTHERS)('%s', (code) => {
  test('almost every text of the windows is translated', async () => {
    const { speak, texts } = await start();
    const english = new Map(written(texts));
    await speak(code);
    const other = written(texts);
    expect(other.map(([place]) => place)).toEqual([...english.keys()]);
    const same = other.filter(([place, words]) => words === english.get(place)).map(([, words]) => words);
    // Some names, codes and words are the same in two languages.
    expect(same.length / other.length, same.join(' | ')).toBeLessThan(0.12);
    for (const [place, words] of other) expect(words.trim(), place).not.toBe('');
  });

  test('is written in its own direction, with the wallet’s digits', async () => {
    const { language, speak } = await start([`${code}-XX`, 'en']);
    await speak(code);
    expect(document.documentElement.lang).toBe(code);
    expect(document.documentElement.dir).toBe(code === 'ar' ? 'rtl' : 'ltr');
    expect(new Intl.NumberFormat(language.locale()).format(1_234_567.5)).toMatch(/^[\d.,\s\u00a0\u202f’']+$/);
  });
});

test.each<[string[], string]>([
  [['de-CH', 'en'], 'de'],
  [['nl', 'pt-BR', 'en'], 'pt'],
  [['zh-CN'], 'en'],
  [[], 'en'],
  [['ar'], 'ar'],
])('a browser in %j uses %s until the user chooses a language', async (languages, code) => {
  const { language } = await start(languages);
  expect(language.rememberedLanguage()).toBe(code);
  localStorage.setItem('language', 'constructor');
  expect(language.rememberedLanguage()).toBe(code);
});

test('a choice is remembered for the next window, and the open window is reloaded only if its language differs', async () => {
  const { language, speak } = await start(['en']);
  await speak(language.rememberedLanguage());
  expect(language.rememberLanguage('system')).toBe(false);
  expect(language.rememberLanguage('fr')).toBe(true);
  expect(language.rememberedLanguage()).toBe('fr');
  await speak('fr');
  expect(language.rememberLanguage('fr')).toBe(false);
});

test('a text missing from a translation is shown in English, in any context', async () => {
  vi.resetModules();
  const { texts, sendTexts, loadTexts } = await import('../texts/texts.ts');
  loadTexts('de', { general: { satoshis: '{count} Satoshi', unlock: { button: 'Los' } } });
  expect([
    texts.back,
    texts.satoshis({ count: 2 }),
    texts.unlock.title,
    texts.unlock.button,
    sendTexts.pay({ amount: '$2' }),
  ]).toEqual(['Back', '2 Satoshi', 'Welcome back', 'Los', 'Send $2']);
});

test('amounts are isolated left to right in a right-to-left language, and unmarked in others', async () => {
  const { speak } = await start();
  const { formatAmount, formatMoney } = await import('../amounts/format.ts');
  expect(formatAmount('0.5', 'BSV')).toBe('0.5 BSV');
  await speak('ar');
  for (const amount of [formatAmount('0.10', 'USD'), formatAmount('0.5', 'BSV'), formatMoney(200_000n, null)]) {
    expect(amount).toMatch(/^\u2066[^\u200f]+\u2069$/);
  }
});

test('the popup’s tabs are named in the current language', async () => {
  const { speak } = await start();
  const [{ render }, { h }, { TabBar }] = await Promise.all([
    import('@testing-library/preact'),
    import('preact'),
    import('../../popup/tab-bar.tsx'),
  ]);
  await speak('de');
  const { container, unmount } = render(h(TabBar, { tab: 'activity', onTab: () => {} }));
  expect(container.textContent).toBe('VerlaufWebsitesEinstellungen');
  unmount();
});

test('no window shows the English message of an error: its text comes from the catalog', () => {
  const sources = import.meta.glob<string>(
    [
      '../../{approval,onboarding,popup,ui}/**/*.{ts,tsx}',
      '!../../**/*.test.{ts,tsx}',
      '!../window/fake-wallet.ts',
      '!../error-text.ts',
    ],
    { query: '?raw', import: 'default', eager: true },
  );
  expect(Object.keys(sources).length).toBeGreaterThan(100);
  expect(
    Object.entries(sources)
      .filter(([, source]) => /\bERRORS\b/.test(source))
      .map(([path]) => path),
  ).toEqual([]);
});

test('the message about a wrong clock includes the difference, in each language', async () => {
  const { ServiceError } = await import('../../../protocol/errors/service-error.ts');
  const { speak } = await start();
  const { errorText } = await import('../error-text.ts');
  const said = new ServiceError('clock-ahead', {
    message: "Your computer's clock is 15 minutes ahead. Set it right, then try again. No money has moved.",
  });
  expect(errorText(said)).toBe(said.message);
  await speak('de');
  expect(errorText(said)).toMatch(/^Die Uhr deines Computers geht 15 Minuten vor\./);
  await speak('ja');
  expect(errorText(said)).toContain('15 分進んでいます');
  // The background of an older wallet may omit the time difference.
  expect(errorText({ code: 'clock-ahead' })).not.toMatch(/\d/);
});
