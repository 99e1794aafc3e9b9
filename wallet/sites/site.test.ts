import { describe, expect, test } from 'vitest';
import { PERMANENTLY, type Site } from './site.ts';
import {
  afterRejection,
  afterApproval,
  withReserved,
  isBlocked,
  isForgotten,
  reservedLately,
  mustWait,
  newSite,
  offersBlock,
} from './store.ts';

const NOW = 1_800_000_000_000;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const fresh = newSite('https://shop.example');
const refused = (...times: number[]): Site => times.reduce((site, time) => afterRejection(site, time, 'user'), fresh);
const wait = (site: Site) => {
  let seconds = 0;
  while (mustWait(site, site.endedAt + seconds * 1000)) seconds += 1;
  return seconds;
};

describe('a site', () => {
  test('a site waits after a rejection, longer with each consecutive one, and five minutes at most', () => {
    expect(mustWait(undefined, NOW)).toBe(false);
    expect(mustWait(fresh, NOW)).toBe(false);
    let site = fresh;
    expect(Array.from({ length: 9 }, () => wait((site = afterRejection(site, site.endedAt + 10, 'user'))))).toEqual([
      5, 10, 20, 40, 80, 160, 300, 300, 300,
    ]);
  });

  test('a site also waits after it withdrew its request, which isn’t a rejection', () => {
    const site = afterRejection(afterRejection(fresh, NOW, 'page'), NOW + 10, 'page');
    expect(wait(site)).toBe(10);
    expect(site.refusedAt).toEqual([]);
    expect(offersBlock(site, NOW + 20)).toBe(false);
  });

  test('a site is reset after an approval, and after an hour', () => {
    expect(wait(afterApproval(refused(NOW, NOW + 1, NOW + 2)))).toBe(0);
    expect(wait(refused(NOW, NOW + 1, NOW + 2, NOW + 3 + HOUR))).toBe(5);
  });

  test('the user can block a site after two rejections within a minute', () => {
    expect(offersBlock(undefined, NOW)).toBe(false);
    expect(offersBlock(refused(NOW), NOW)).toBe(false);
    expect(offersBlock(refused(NOW, NOW + MINUTE), NOW + MINUTE)).toBe(true);
    expect(offersBlock(refused(NOW, NOW + MINUTE + 1), NOW + 2 * MINUTE)).toBe(false);
    expect(offersBlock(refused(NOW, NOW + 1, NOW + 2 * MINUTE), NOW + 2 * MINUTE)).toBe(false);
    expect(offersBlock(refused(NOW, NOW + 1), NOW + 2 * HOUR)).toBe(false);
    expect(offersBlock(afterApproval(refused(NOW, NOW + 1)), NOW + 2)).toBe(false);
  });

  test('a site is blocked until the given time', () => {
    expect(isBlocked(undefined, NOW)).toBe(false);
    expect(isBlocked(fresh, NOW)).toBe(false);
    expect(isBlocked({ ...fresh, blockedUntil: NOW + 1 }, NOW)).toBe(true);
    expect(isBlocked({ ...fresh, blockedUntil: NOW }, NOW)).toBe(false);
    expect(isBlocked({ ...fresh, blockedUntil: PERMANENTLY }, NOW + 1000 * 365 * 24 * HOUR)).toBe(true);
  });

  test('a site is forgotten after a quiet day, unless it is blocked', () => {
    expect(isForgotten(refused(NOW), NOW + 23 * HOUR)).toBe(false);
    expect(isForgotten(refused(NOW), NOW + 25 * HOUR)).toBe(true);
    expect(isForgotten({ ...refused(NOW), blockedUntil: PERMANENTLY }, NOW + 25 * HOUR)).toBe(false);
  });

  test('coins that a site set aside and did not spend count for an hour, by the minute', () => {
    let site = fresh;
    for (const at of [NOW - 2 * HOUR, NOW - 30 * MINUTE, NOW, NOW + 1])
      site = withReserved(site, { at, satoshis: 5n }, NOW);
    expect(reservedLately(site, NOW).map(({ satoshis }) => satoshis)).toEqual([5n, 10n]);
    expect(reservedLately(site, NOW + 31 * MINUTE).map(({ satoshis }) => satoshis)).toEqual([10n]);
    expect(reservedLately(site, NOW + HOUR)).toEqual([]);
    expect(isForgotten(site, NOW)).toBe(false);
    expect(isForgotten(site, NOW + HOUR)).toBe(true);
  });

  test('a site isn’t charged for future times that a wrong clock recorded', () => {
    const site = withReserved(fresh, { at: NOW + 24 * HOUR, satoshis: 5n }, NOW + 24 * HOUR);
    expect(reservedLately(site, NOW)).toEqual([]);
  });
});
