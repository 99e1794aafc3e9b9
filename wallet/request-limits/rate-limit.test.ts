import { describe, expect, test } from 'vitest';
import { MAX_OUTPUTS } from '../../protocol/payments/limits.ts';
import { holdArguments, oweTime, takeHostRequests, takeTime, takeRequest } from './rate-limit.ts';
import { wallet } from '../../testkit/wallet/current.ts';

const tooMany = expect.objectContaining({ code: 'too-many-requests' }) as Error;

describe('the turns of a site', () => {
  test('a site has sixty requests in a burst, then six a second', () => {
    const site = 'https://a.example';
    for (let i = 0; i < 60; i += 1) takeRequest(wallet, site, 1000);
    expect(() => takeRequest(wallet, site, 1000)).toThrow(tooMany);
    expect(() => takeRequest(wallet, site, 1100)).toThrow(tooMany);
    for (let i = 0; i < 6; i += 1) takeRequest(wallet, site, 2000);
    expect(() => takeRequest(wallet, site, 2000)).toThrow(tooMany);
    for (let i = 0; i < 60; i += 1) takeRequest(wallet, site, 1_000_000);
    expect(() => takeRequest(wallet, site, 1_000_000)).toThrow(tooMany);
  });

  test('a site’s requests don’t count for another site', () => {
    for (let i = 0; i < 60; i += 1) takeRequest(wallet, 'https://b.example', 5);
    takeRequest(wallet, 'https://c.example', 5);
  });

  test('setting the clock back gains no requests', () => {
    const site = 'https://d.example';
    for (let i = 0; i < 60; i += 1) takeRequest(wallet, site, 1_000_000);
    expect(() => takeRequest(wallet, site, 0)).toThrow(tooMany);
  });
});

test('a site may query the hosts of the largest payment and its service in a burst, then two a second; all of a payment or none', () => {
  const site = 'https://e.example';
  takeHostRequests(wallet, site, 60, 1000);
  expect(() => takeHostRequests(wallet, site, MAX_OUTPUTS - 58, 1000)).toThrow(tooMany);
  takeHostRequests(wallet, site, MAX_OUTPUTS - 60, 1000);
  takeHostRequests(wallet, site, 1, 1000);
  takeHostRequests(wallet, site, 0, 1000);
  expect(() => takeHostRequests(wallet, site, 1, 1400)).toThrow(tooMany);
  takeHostRequests(wallet, site, 1, 1500);
  takeRequest(wallet, site, 1500);
});

test('a tab has three seconds of computing time in a burst, then three tenths of each second; another tab has its own', () => {
  for (let i = 0; i < 30; i += 1) takeTime(wallet, 1, 100, 1000);
  expect(() => takeTime(wallet, 1, 1, 1000)).toThrow(tooMany);
  takeTime(wallet, 2, 3000, 1000);
  expect(() => takeTime(wallet, 1, 301, 2000)).toThrow(tooMany);
  takeTime(wallet, 1, 300, 2000);
  expect(() => takeTime(wallet, 1, 1, 2000)).toThrow(tooMany);
});

test('a tab that has used more computing time than it had waits until that is made up for', () => {
  oweTime(wallet, 7, 4000, 1000);
  expect(() => takeTime(wallet, 7, 1, 4000)).toThrow(tooMany);
  takeTime(wallet, 7, 1, 4400);
});

test('the memory of waiting calls is bounded per tab and per site, and freed once they are answered', () => {
  const [site, other] = ['https://f.example', 'https://g.example'];
  const largest = Array.from({ length: 4 }, (_, tab) => holdArguments(wallet, tab, site, 4_000_000));
  expect(() => holdArguments(wallet, 9, site, 1)).toThrow(tooMany);
  const free = holdArguments(wallet, 0, other, 12_000_000);
  expect(() => holdArguments(wallet, 0, 'https://h.example', 1)).toThrow(tooMany);
  holdArguments(wallet, 9, 'https://h.example', 1)();
  largest[0]!();
  holdArguments(wallet, 0, site, 4_000_000)();
  expect(() => holdArguments(wallet, 0, site, 4_000_001)).toThrow(tooMany);
  for (const letGo of [free, ...largest.slice(1)]) letGo();
  holdArguments(wallet, 0, site, 16_000_000)();
});
