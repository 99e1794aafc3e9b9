import { afterEach, describe, expect, test, vi } from 'vitest';
import { MAX_OUTPUTS } from '../../protocol/payments/limits.ts';
import { holdRequest, oweTime, countHostRequests, chargeTime, countRequest } from './rate-limit.ts';
import { setTime } from '../../testkit/wallet/clock.ts';
import { wallet } from '../../testkit/wallet/current.ts';

const tooMany = expect.objectContaining({ code: 'too-many-requests' }) as Error;
const HOUR = 3_600_000;
afterEach(() => void vi.restoreAllMocks());

test.each<[string, () => void, () => void]>([
  [
    'requests',
    () => {
      for (let i = 0; i < 60; i += 1) countRequest(wallet, 'https://f.example');
    },
    () => countRequest(wallet, 'https://f.example'),
  ],
  [
    'hosts',
    () => countHostRequests(wallet, 'https://f.example', MAX_OUTPUTS + 1),
    () => countHostRequests(wallet, 'https://f.example', 1),
  ],
  ['computing time', () => chargeTime(wallet, 6, 3000), () => chargeTime(wallet, 6, 100)],
])('a used-up limit on %s refills as usual after the clock was set back', (_, useUp, next) => {
  setTime(10 * HOUR);
  useUp();
  setTime(9 * HOUR);
  expect(next).toThrow(tooMany);
  for (let second = 1; second <= 30; second += 1) {
    setTime(9 * HOUR + second * 1000);
    next();
  }
});

describe('the request budget of a site', () => {
  test('a site has sixty requests in a burst, then six a second', () => {
    const site = 'https://a.example';
    setTime(1000);
    for (let i = 0; i < 60; i += 1) countRequest(wallet, site);
    expect(() => countRequest(wallet, site)).toThrow(tooMany);
    setTime(1100);
    expect(() => countRequest(wallet, site)).toThrow(tooMany);
    setTime(2000);
    for (let i = 0; i < 6; i += 1) countRequest(wallet, site);
    expect(() => countRequest(wallet, site)).toThrow(tooMany);
    setTime(1_000_000);
    for (let i = 0; i < 60; i += 1) countRequest(wallet, site);
    expect(() => countRequest(wallet, site)).toThrow(tooMany);
  });

  test('a site’s requests don’t count for another site', () => {
    setTime(5);
    for (let i = 0; i < 60; i += 1) countRequest(wallet, 'https://b.example');
    countRequest(wallet, 'https://c.example');
  });

  test('setting the clock back gains no requests', () => {
    const site = 'https://d.example';
    setTime(1_000_000);
    for (let i = 0; i < 60; i += 1) countRequest(wallet, site);
    setTime(0);
    expect(() => countRequest(wallet, site)).toThrow(tooMany);
  });
});

test('a site may query the hosts of the largest possible payment and its service in a burst, then two hosts a second, and either all hosts of a payment or none', () => {
  const site = 'https://e.example';
  setTime(1000);
  countHostRequests(wallet, site, 60);
  expect(() => countHostRequests(wallet, site, MAX_OUTPUTS - 58)).toThrow(tooMany);
  countHostRequests(wallet, site, MAX_OUTPUTS - 60);
  countHostRequests(wallet, site, 1);
  countHostRequests(wallet, site, 0);
  setTime(1400);
  expect(() => countHostRequests(wallet, site, 1)).toThrow(tooMany);
  setTime(1500);
  countHostRequests(wallet, site, 1);
  countRequest(wallet, site);
});

test('a tab has three seconds of computing time in a burst, then three tenths of each second; another tab has its own', () => {
  setTime(1000);
  for (let i = 0; i < 30; i += 1) chargeTime(wallet, 1, 100);
  expect(() => chargeTime(wallet, 1, 1)).toThrow(tooMany);
  chargeTime(wallet, 2, 3000);
  setTime(2000);
  expect(() => chargeTime(wallet, 1, 301)).toThrow(tooMany);
  chargeTime(wallet, 1, 300);
  expect(() => chargeTime(wallet, 1, 1)).toThrow(tooMany);
});

test('a tab that has exceeded its computing time waits until the excess is made up', () => {
  setTime(1000);
  oweTime(wallet, 7, 4000);
  setTime(4000);
  expect(() => chargeTime(wallet, 7, 1)).toThrow(tooMany);
  setTime(4400);
  chargeTime(wallet, 7, 1);
});

test('the memory of pending requests is bounded per tab and per site, and freed once they are answered', () => {
  const [site, other] = ['https://f.example', 'https://g.example'];
  const largest = Array.from({ length: 4 }, (_, tab) => holdRequest(wallet, tab, site, 4_000_000));
  expect(() => holdRequest(wallet, 9, site, 1)).toThrow(tooMany);
  const free = holdRequest(wallet, 0, other, 12_000_000);
  expect(() => holdRequest(wallet, 0, 'https://h.example', 1)).toThrow(tooMany);
  holdRequest(wallet, 9, 'https://h.example', 1)();
  largest[0]!();
  holdRequest(wallet, 0, site, 4_000_000)();
  expect(() => holdRequest(wallet, 0, site, 4_000_001)).toThrow(tooMany);
  for (const release of [free, ...largest.slice(1)]) release();
  holdRequest(wallet, 0, site, 16_000_000)();
});
