/**
 * Tests payments by trusted swipes: permitted payments, totals across sites, and limits under concurrency and crashes.
 */
import { describe, expect, test, vi } from 'vitest';
import { leftOf } from '../../../allowances/allowance.ts';
import { ANY_SITE } from '../../../allowances/decide.ts';
import { codeOf } from '../../../../testing/code-of.ts';
import { ask, give, openWallet, PASSWORD, pay, someone, stored, swipe } from '../../../../testkit/wallet/wallet.ts';
import type { PaymentRecord } from '../../record.ts';
import { newPayment } from '../../start.ts';
import { isAsShown } from './trusted-swipe.ts';
import { network, SHOP, site, switchOn, limits, costOf, signedOf, refusedInAWindow } from './testing-trusted-swipe.ts';
import { wallet } from '../../../../testkit/wallet/current.ts';

describe('a trusted swipe', () => {
  test('a swipe pays the displayed request without a window, on any site, and is debited to the satoshi', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    await switchOn(workerRun);
    const to = someone();
    expect(await swipe(workerRun, 'request-1', pay(to, 1000))).toMatchObject({ status: 'RECEIVED', satoshis: '1000' });
    expect(await network.unspent(to)).toMatchObject([{ satoshis: 1000 }]);
    expect(await swipe(workerRun, 'request-1', pay(someone(), 2000), { origin: site(2) })).toMatchObject({
      status: 'RECEIVED',
    });
    expect(workerRun.profile.browser.windowsOpened).toBe(0);
    const signed = await signedOf(workerRun);
    const spent = signed.reduce((sum, one) => sum + costOf(one), 0n);
    expect(await limits(workerRun)).toMatchObject({ spentSatoshis: spent, payments: 2, spent: spent * 50n });
    for (const one of signed)
      expect(one.allowance).toMatchObject({ key: ANY_SITE, debitSatoshis: costOf(one), currency: 'USD' });
    // The swipe limit isn't listed as a site's allowance.
    expect(await workerRun.modules.list.listSites(wallet)).toEqual([]);
  });

  test('a swipe is used once, because a repeated request is the same payment', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    await switchOn(workerRun);
    const options = pay(someone(), 1000);
    const first = await swipe(workerRun, 'request-1', options);
    expect(await swipe(workerRun, 'request-1', options)).toMatchObject({ id: (first as { id: string }).id });
    expect((await limits(workerRun)).payments).toBe(1);
  });

  test('a swipe uses the site’s allowance first if it suffices', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    await switchOn(workerRun);
    const key = await give(workerRun, { kind: 'swipe', currency: 'BSV', limit: 1500n });
    await swipe(workerRun, 'request-1', pay(someone(), 1000));
    await swipe(workerRun, 'request-2', pay(someone(), 1000));
    expect((await signedOf(workerRun)).map((one) => one.allowance?.key).sort()).toEqual([ANY_SITE, key]);
  });

  test('a swipe does not pay a request that was quoted earlier at a different rate, and a window opens instead', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    await switchOn(workerRun);
    const options = pay(someone(), 1000);
    const swiped = await workerRun.modules.planSwipe.planSwipe(wallet, { options, origin: SHOP, service: null });
    const dearer = { ...swiped.quote, satoshis: swiped.quote.satoshis + 1n };
    // An earlier worker stored the request and left it undecided.
    const before = newPayment(wallet, {
      requestId: 'request-1',
      origin: SHOP,
      options,
      quote: dearer,
      state: 'requested',
    });
    const key = { origin: SHOP, message: before.id };
    await workerRun.modules.database.inTransaction(wallet, async (tx) => {
      await tx.objectStore('payments').put(before);
      await workerRun.modules.promptStore.putPrompt(wallet, tx, 'payment', key, { feeSatoshis: null }, 'withheld');
    });
    await refusedInAWindow(workerRun, ask(workerRun, 'request-1', options, { swiped }));
    expect(await signedOf(workerRun)).toEqual([]);
  });

  test('each site can use three swipes a minute', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    await switchOn(workerRun);
    const moment = Date.now();
    vi.spyOn(Date, 'now').mockImplementation(() => moment);
    for (const n of [1, 2, 3]) await swipe(workerRun, `request-${n}`, pay(someone(), 1000));
    await refusedInAWindow(workerRun, swipe(workerRun, 'request-4', pay(someone(), 1000)));
    expect(await swipe(workerRun, 'request-1', pay(someone(), 1000), { origin: site(2) })).toMatchObject({
      status: 'RECEIVED',
    });
    expect((await limits(workerRun)).payments).toBe(4);
  });

  test('all sites together can use ten swipes a minute', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    await switchOn(workerRun);
    const now = vi.spyOn(Date, 'now').mockReturnValue(Date.now());
    for (let n = 1; n <= 10; n += 1)
      expect(await swipe(workerRun, 'request', pay(someone(), 1000), { origin: site(n) })).toMatchObject({
        status: 'RECEIVED',
      });
    const eleventh = () => swipe(workerRun, `request-${Date.now()}`, pay(someone(), 1000), { origin: site(11) });
    await refusedInAWindow(workerRun, eleventh());
    expect((await limits(workerRun)).payments).toBe(10);
    now.mockReturnValue(Date.now() + 60_000);
    expect(await eleventh()).toMatchObject({ status: 'RECEIVED' });
  });

  test('a swipe on a blocked site pays nothing', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    await switchOn(workerRun);
    await workerRun.modules.sites.setBlock(wallet, SHOP, Date.now() + 3600_000);
    expect(await swipe(workerRun, 'request-1', pay(someone(), 1000))).toBe('site-blocked');
    expect(await signedOf(workerRun)).toEqual([]);
  });
});

describe('payments that a swipe may make', () => {
  test('a swipe pays exactly the displayed amount to the displayed script', () => {
    const of = (satoshis: bigint, script: string) =>
      ({ satoshis, outputs: [{ scripts: [{ script, satoshis }] }] }) as unknown as PaymentRecord['quote'];
    const shown = { quote: of(10n, '51'), feeSatoshis: 1n };
    const same = (quote: PaymentRecord['quote']) => isAsShown({ quote }, shown);
    expect([same(of(10n, '51')), same(of(11n, '51')), same(of(9n, '51')), same(of(10n, '52'))]).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  test('planning a swipe stores nothing, and fails for a payment that needs a window', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    const plan = (options: PaymentRecord['options']) =>
      workerRun.modules.planSwipe.planSwipe(wallet, { options, origin: SHOP, service: null });
    const before = await stored(workerRun);
    expect(await plan(pay(someone(), 1000))).toMatchObject({
      quote: { satoshis: 1000n },
      feeSatoshis: expect.any(BigInt),
    });
    expect(await stored(workerRun)).toEqual(before);
    expect(await codeOf(plan({ outputs: [{ script: '51', amount: '0.00001', currency: 'BSV' }] }))).toBe('not-paid');
    expect(await codeOf(plan(pay(someone(), 10_000_000)))).toBe('insufficient-funds');
  });

  test('no swipe is planned for a payment that may be made twice, because only a window warns of that', async () => {
    const workerRun = await openWallet(network, [100_000, 300_000]);
    await give(workerRun, { currency: 'BSV', limit: 1_000_000n });
    const options = pay(someone(), 20_000);
    const plan = (origin: string, payment = options) =>
      workerRun.modules.planSwipe.planSwipe(wallet, { options: payment, origin, service: null });
    // Both payments spend the same unconfirmed coin, so a third payment might not conflict with them.
    network.faults = [461, 461];
    for (const name of ['request-1', 'request-2'])
      expect(await ask(workerRun, name, options, { automatic: true })).toBe('payment-contested');
    expect(await codeOf(plan(SHOP))).toBe('not-paid');
    expect(await plan(site(2), pay(someone(), 20_000))).toMatchObject({ quote: { satoshis: 20_000n } });
  });
});

describe('limits', () => {
  test('limits can be set only while the wallet is unlocked, and today’s spending counts toward new limits in any currency', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    await switchOn(workerRun);
    await swipe(workerRun, 'request-1', pay(someone(), 1000));
    const { spentSatoshis, spent } = await limits(workerRun);
    await workerRun.modules.swipeLimits.switchSwipesOff(wallet);
    await switchOn(workerRun, { amount: '5' });
    expect(await limits(workerRun)).toMatchObject({ isOff: false, spent, spentSatoshis, limit: 500_000_000n });
    await switchOn(workerRun, { currency: 'BSV', amount: '0.1', perPayment: '0.01' });
    const inBsv = await limits(workerRun);
    expect(inBsv).toMatchObject({ spent: spentSatoshis, spentSatoshis });
    expect(leftOf(inBsv)).toBe(10_000_000n - spentSatoshis);
    await workerRun.modules.vault.lock(wallet);
    expect(await codeOf(switchOn(workerRun))).toBe('wallet-locked');
    await workerRun.modules.vault.unlock(wallet, PASSWORD);
  });

  test('limits apply even if all swipes were approved before any was signed', async () => {
    const workerRun = await openWallet(
      network,
      Array.from({ length: 12 }, () => 20_000),
    );
    await switchOn(workerRun, { currency: 'BSV', amount: '0.00010400', perPayment: '0.00002' });
    const { id, currency } = await limits(workerRun);
    const { database, draftFromAllowance, paymentPrompt } = workerRun.modules;
    const records = await Promise.all(
      Array.from({ length: 12 }, async (_, n) => {
        const [options, origin] = [pay(someone(), 1000), site(n)];
        const { quote, feeSatoshis } = await workerRun.modules.planSwipe.planSwipe(wallet, {
          options,
          origin,
          service: null,
        });
        const record = newPayment(wallet, { requestId: 'r', origin, options, quote, state: 'requested' });
        await database.inTransaction(wallet, async (tx) => {
          await tx.objectStore('payments').put(record);
          await paymentPrompt.putPaymentPrompt(wallet, tx, record, 'withheld');
        });
        const first = await draftFromAllowance.draftFromAllowance(wallet, record, currency);
        return [record, { from: { key: ANY_SITE, id, currency }, feeLimit: feeSatoshis, first }] as const;
      }),
    );
    await Promise.allSettled(records.map((decided) => workerRun.modules.commit.commitPayment(wallet, ...decided)));
    const signed = await signedOf(workerRun);
    const sum = signed.reduce((total, one) => total + costOf(one), 0n);
    expect(signed).toHaveLength(5);
    expect(await limits(workerRun)).toMatchObject({ spent: sum, payments: 5 });
    expect(sum <= 5200n).toBe(true);
  });
});
