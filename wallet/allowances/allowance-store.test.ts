/** Tests reading and changing allowances from windows and pages, and the limits for swipes on all sites. */
import 'fake-indexeddb/auto';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { AllowanceTerms } from '../../protocol/messages/wallet-messages.ts';
import { codeOf } from '../../testing/code-of.ts';
import { setTime } from '../../testkit/wallet/clock.ts';
import { TestBrowser } from '../../testkit/wallet/browser.ts';
import { newAllowance, type Allowance, type AllowanceKey } from './allowance.ts';
import { ANY_SITE } from './decide.ts';
import type { Rate } from '../../protocol/messages/wallet-messages.ts';
import { useWallet, wallet as current } from '../../testkit/wallet/current.ts';
import { testPlatform } from '../../testkit/wallet/platform.ts';

const ORIGIN = 'https://shop.example';
const KEY: AllowanceKey = [ORIGIN, 'app', 'automatic'];
/** Noon on a Wednesday, in any time zone. */
const NOW = new Date(2026, 6, 15, 12).getTime();
const UNIT = 10n ** 8n;
const RATE = { price: '45', dollar: '50' };
const GIVEN: AllowanceTerms = { amount: '9', currency: 'EUR', period: 'week', perPayment: '4.5', rate: RATE };
const TERMS = {
  currency: 'EUR',
  limit: 9n * UNIT,
  perPayment: (9n * UNIT) / 2n,
  period: 'week',
  // 9 euros in satoshis at 45 euros per BSV, plus 50%.
  ceiling: { ...RATE, limit: 30_000_000n, perPayment: 15_000_000n },
} as const;
const made = (more: Partial<Allowance> = {}, key = KEY): Allowance => ({
  ...newAllowance(key, TERMS, 'token', NOW),
  ...more,
});

async function loadModules() {
  const [database, events, session, records, store, swipes, wanted] = await Promise.all([
    import('../store/database.ts'),
    import('../events.ts'),
    import('../vault/session.ts'),
    import('./records.ts'),
    import('./allowance-store.ts'),
    import('./swipe-limits.ts'),
    import('./wanted.ts'),
  ]);
  return { database, events, session, ...records, ...store, ...swipes, ...wanted };
}

let wallet: Awaited<ReturnType<typeof loadModules>>;
const browser = new TestBrowser();

const put = async (...allowances: Allowance[]) => {
  const db = await wallet.database.database(current);
  for (const allowance of allowances) await db.put('allowances', allowance);
};
const unlock = () => wallet.session.storeSeed(current, new Uint8Array(64), Date.now() + 1e12);
/** Stores the service's latest prices. */
const said = (prices: Record<string, string> | null) =>
  wallet.database.writeKey(current, 'rates', {
    service: prices && { prices, time: Date.now() },
    index: null,
    askedAt: Date.now(),
  });

beforeAll(async () => {
  useWallet(testPlatform(browser.api(async (_name, call) => call())));
  wallet = await loadModules();
});

beforeEach(async () => {
  setTime(NOW);
  const db = await wallet.database.database(current);
  for (const store of ['allowances', 'keyval'] as const) await db.clear(store);
  browser.session.clear();
  await wallet.database.writeKey(current, 'vault', {} as never);
  await said({ USD: '50', EUR: '45' });
});

afterAll(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe('a window', () => {
  test('a window shows the current state of an allowance', () => {
    const spent = { spent: 2n * UNIT, spentSatoshis: 5_000_000n, totalSpent: 7n * UNIT, payments: 3, usedAt: NOW - 1 };
    const allowance = made(spent);
    const view = {
      token: 'token',
      clientIdentifier: 'app',
      automatic: true,
      currency: 'EUR',
      period: 'week',
      resetsAt: allowance.resetsAt,
      payments: 3,
      createdAt: NOW,
      usedAt: NOW - 1,
      limit: '9',
      perPayment: '4.5',
      spent: '2',
      left: '7',
      totalSpent: '7',
      ceiling: { satoshis: '30000000', left: '25000000', perPayment: '15000000' },
    };
    expect(wallet.viewOf(current, allowance)).toEqual(view);
    const unlimited = { perPayment: null, ceiling: { ...TERMS.ceiling, perPayment: null } };
    expect(wallet.viewOf(current, { ...allowance, ...unlimited, kind: 'swipe' })).toEqual({
      ...view,
      automatic: false,
      perPayment: null,
      ceiling: { ...view.ceiling, perPayment: null },
    });
    expect(wallet.viewOf(current, { ...allowance, currency: 'BSV', ceiling: null }).ceiling).toBeNull();
    setTime(allowance.resetsAt);
    expect(wallet.viewOf(current, allowance)).toMatchObject({
      spent: '0',
      left: '9',
      totalSpent: '7',
      ceiling: { left: '30000000' },
    });
  });

  test('a window sets terms that limit the allowance in satoshis, unless it is in BSV', async () => {
    expect(await wallet.checkedTerms(current, GIVEN)).toEqual(TERMS);
    expect(await wallet.checkedTerms(current, { ...GIVEN, perPayment: null })).toMatchObject({
      perPayment: null,
      ceiling: { perPayment: null },
    });
    expect(await wallet.checkedTerms(current, { ...GIVEN, currency: 'BSV', rate: null })).toMatchObject({
      ceiling: null,
    });
    expect(await wallet.checkedTerms(current, { ...GIVEN, currency: 'BSV' })).toMatchObject({ ceiling: null });
    expect(await codeOf(wallet.checkedTerms(current, { ...GIVEN, rate: null }))).toBe('rate-unavailable');
    expect(await codeOf(wallet.checkedTerms(current, { ...GIVEN, currency: 'XXX' }))).toBe('invalid-currency');
    for (const amount of ['0', '0.000000001'])
      for (const wrong of [{ amount }, { perPayment: amount }])
        expect(await codeOf(wallet.checkedTerms(current, { ...GIVEN, ...wrong }))).toBe('invalid-amount');
  });

  test('a window reads the allowance of a key, and null if it doesn’t exist', async () => {
    await put(made());
    expect(await wallet.readAllowance(current, KEY)).toEqual(made());
    expect(await wallet.readAllowance(current, [ORIGIN, '', 'automatic'])).toBeNull();
  });

  test('a window changes an allowance by its token, in its own currency, while the wallet is unlocked', async () => {
    const other = made({ id: 'other' }, [ORIGIN, '', 'swipe']);
    await put(made({ spent: UNIT }), other);
    const { currency: _, ...wanted } = { ...GIVEN, amount: '18', perPayment: null };
    expect(await codeOf(wallet.changeAllowance(current, 'token', wanted))).toBe('wallet-locked');
    await unlock();
    expect(await codeOf(wallet.changeAllowance(current, 'nobody’s', wanted))).toBe('not-found');
    expect(await codeOf(wallet.changeAllowance(current, 'token', { ...wanted, rate: null }))).toBe('rate-unavailable');
    const announced = wallet.events.nextAnnouncement(current);
    await wallet.changeAllowance(current, 'token', wanted);
    await announced;
    expect(await wallet.readAllowance(current, KEY)).toEqual(
      made({
        spent: UNIT,
        limit: 18n * UNIT,
        perPayment: null,
        ceiling: { ...RATE, limit: 60_000_000n, perPayment: null },
      }),
    );
    expect(await wallet.readAllowance(current, [ORIGIN, '', 'swipe'])).toEqual(other);
  });

  test('a window revokes an allowance by its token, even if it is gone', async () => {
    const other = made({ id: 'other' }, [ORIGIN, '', 'swipe']);
    await put(made(), other);
    for (let n = 0; n < 2; n += 1) {
      const announced = wallet.events.nextAnnouncement(current);
      await wallet.revokeAllowance(current, 'token');
      await announced;
      expect(await (await wallet.database.database(current)).getAll('allowances')).toEqual([other]);
    }
  });

  test('a window offers the user’s currency, BSV, and the currencies that a site names, each once and only with a known price', async () => {
    const own = { currency: 'USD', price: '50', time: NOW, sources: 1 as const, dollar: '50' };
    const codes = async (own: Rate | null, mentioned?: string[]) =>
      (await wallet.allowanceRates(current, own, mentioned)).map(({ currency }) => currency);
    expect(await codes(own)).toEqual(['USD', 'BSV']);
    expect(await codes(null)).toEqual(['BSV']);
    expect(await codes(own, ['EUR', 'USD', 'XXX', 'EUR'])).toEqual(['USD', 'BSV', 'EUR']);
  });
});

describe('a page', () => {
  const left = (clientIdentifier = 'app') => wallet.allowanceLeft(current, ORIGIN, clientIdentifier);

  test('a page receives the remaining amount for its automatic payments, in satoshis up to the ceiling', async () => {
    await put(made({ spent: 4n * UNIT + UNIT / 2n }));
    // 4.50 euros at 45 euros per BSV.
    expect(await left()).toEqual({ amount: '4.5', currency: 'EUR', satoshis: '10000000' });
    await put(made({ spentSatoshis: 25_000_000n }));
    expect(await left()).toEqual({ amount: '9', currency: 'EUR', satoshis: '5000000' });
    await put(made({ spentSatoshis: 10_000_000n }));
    expect(await left()).toEqual({ amount: '9', currency: 'EUR', satoshis: '20000000' });
    for (const none of [{ spentSatoshis: 30_000_001n }, { ceiling: null }]) {
      await put(made(none));
      expect(await left()).toEqual({ amount: '9', currency: 'EUR', satoshis: '0' });
    }
    await put(made({ currency: 'BSV', ceiling: null, spentSatoshis: 9n }));
    expect(await left()).toEqual({ amount: '9', currency: 'BSV', satoshis: '900000000' });
  });

  test('a page receives the remaining amount of the current period', async () => {
    const allowance = made({ spent: 9n * UNIT, spentSatoshis: 20_000_000n });
    await put(allowance);
    expect(await left()).toMatchObject({ amount: '0', satoshis: '0' });
    setTime(allowance.resetsAt);
    await said({ EUR: '45' });
    expect(await left()).toMatchObject({ amount: '9', satoshis: '20000000' });
  });

  test('a page receives nothing about any other allowance, or without a wallet', async () => {
    await put(made({}, [ORIGIN, 'app', 'swipe']), made({}, ['https://other.example', 'app', 'automatic']));
    await wallet.database.writeKey(current, 'settings', { currency: 'EUR' });
    expect(await left()).toEqual({ amount: '0', currency: 'EUR', satoshis: '0' });
    await put(made());
    expect(await left('')).toMatchObject({ amount: '0' });
    await wallet.database.deleteKey(current, 'vault');
    expect(await codeOf(left())).toBe('wallet-not-set-up');
  });

  test('a page may suggest a valid amount in an existing currency', async () => {
    const money = { amount: '5', currency: 'EUR' };
    const read = wallet.readSuggestion;
    expect(await read(current, { suggestedAmount: money, minimumAmount: { amount: '0.00', currency: 'EUR' } })).toEqual(
      {
        suggested: money,
        minimum: null,
      },
    );
    expect(await read(current, { minimumAmount: money })).toEqual({ suggested: null, minimum: money });
    expect(await codeOf(read(current, { suggestedAmount: { ...money, amount: '0.000000001' } }))).toBe(
      'invalid-amount',
    );
    expect(await codeOf(read(current, { suggestedAmount: { ...money, currency: 'XXX' } }))).toBe('invalid-currency');
    await said(null);
    expect(await read(current, { suggestedAmount: money })).toMatchObject({ suggested: money });
  });

  test('a page may name two currencies', () => {
    const [suggested, minimum] = ['EUR', 'USD'].map((currency) => ({ amount: '1', currency }));
    if (!suggested || !minimum) throw new Error();
    expect(wallet.currenciesOf({ suggested, minimum })).toEqual(['EUR', 'USD']);
    expect(wallet.currenciesOf({ suggested: null, minimum })).toEqual(['USD']);
    expect(wallet.currenciesOf({ suggested: null, minimum: null })).toEqual([]);
  });
});

describe('limits for swipes on all sites', () => {
  const { period: _, ...limits } = { ...GIVEN, perPayment: '4.5' };
  const inStore = async () => (await wallet.readAllowance(current, ANY_SITE)) as Allowance;

  test('limits are off at first, can be turned on only while the wallet is unlocked, and apply to each day', async () => {
    expect(await wallet.readSwipeLimits(current)).toEqual({ on: false, allowance: null });
    expect(await codeOf(wallet.setSwipeLimits(current, limits))).toBe('wallet-locked');
    await unlock();
    const announced = wallet.events.nextAnnouncement(current);
    await wallet.setSwipeLimits(current, limits);
    await announced;
    const stored = await inStore();
    expect(stored).toEqual({
      ...newAllowance(ANY_SITE, { ...TERMS, period: 'day' }, stored.id, NOW),
      isOff: false,
    });
    expect(stored).toMatchObject({ origin: '*', clientIdentifier: '', kind: 'any-site' });
    expect(stored.id).toMatch(/^[0-9a-f]{32}$/);
    expect(await wallet.readSwipeLimits(current)).toEqual({ on: true, allowance: wallet.viewOf(current, stored) });
  });

  test('limits stay off once turned off, and keep the spent amount until the day ends', async () => {
    await wallet.switchSwipesOff(current);
    expect(await wallet.readAllowance(current, ANY_SITE)).toBeNull();
    await unlock();
    await wallet.setSwipeLimits(current, limits);
    await put({ ...(await inStore()), spent: UNIT, spentSatoshis: 7n });
    const before = await inStore();
    const announced = wallet.events.nextAnnouncement(current);
    await wallet.switchSwipesOff(current);
    await announced;
    expect(await inStore()).toEqual({ ...before, isOff: true });
    expect(await wallet.readSwipeLimits(current)).toMatchObject({ on: false, allowance: { spent: '1' } });
    await wallet.setSwipeLimits(current, { ...limits, amount: '18' });
    const after = await inStore();
    expect(after).toMatchObject({ id: before.id, spent: UNIT, spentSatoshis: 7n, limit: 18n * UNIT, isOff: false });
    setTime(before.resetsAt);
    await said({ EUR: '45' });
    await wallet.setSwipeLimits(current, limits);
    expect(await inStore()).toMatchObject({
      id: before.id,
      spent: 0n,
      spentSatoshis: 0n,
      periodStart: before.resetsAt,
    });
  });

  test('limits keep the spent amount when their currency changes, under a new token', async () => {
    await unlock();
    await wallet.setSwipeLimits(current, limits);
    await put({ ...(await inStore()), spent: UNIT, spentSatoshis: 3_000_000n, totalSpent: 2n * UNIT });
    const before = await inStore();
    await wallet.setSwipeLimits(current, { ...limits, currency: 'USD', rate: { price: '50', dollar: '50' } });
    const dollars = await inStore();
    expect(dollars).toMatchObject({
      currency: 'USD',
      spent: (3n * UNIT) / 2n,
      totalSpent: (3n * UNIT) / 2n,
      spentSatoshis: 3_000_000n,
    });
    expect(dollars.id).not.toBe(before.id);
    await wallet.setSwipeLimits(current, { ...limits, currency: 'BSV', rate: null });
    expect(await inStore()).toMatchObject({ currency: 'BSV', spent: 3_000_000n, ceiling: null });
  });
});
