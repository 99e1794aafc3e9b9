import { describe, expect, test } from 'vitest';
import { approvalOf, ask, openWallet, pay, someone, swipe } from '../../../../testkit/wallet/wallet.ts';
import { type WorkerRun, endAllWorkerRuns } from '../../../../testkit/wallet/worker-run.ts';
import type { PaymentRecord } from '../../record.ts';
import { maySwipe, type TrustedSwipe } from './trusted-swipe.ts';
import {
  network,
  SHOP,
  site,
  switchOn,
  limits,
  costOf,
  signedOf,
  refusedInAWindow,
  refuseEverything,
} from './testing-trusted-swipe.ts';
import { ANY_SITE } from '../../../allowances/decide.ts';
import { wallet } from '../../../../testkit/wallet/current.ts';

/** Marks a case in which the fee shown for the swipe was zero. */
const FREE = {} as TrustedSwipe;

/** Every nth crash point is tested. */
const STRIDE = 11;

describe('a trusted swipe', () => {
  test.each<[string, (workerRun: WorkerRun) => Promise<unknown>, Parameters<typeof swipe>[3]?]>([
    ['was never switched on', async () => {}],
    [
      'was switched off',
      async (workerRun) => {
        await switchOn(workerRun);
        await workerRun.modules.swipeLimits.switchSwipesOff(wallet);
      },
    ],
    ['costs more than one may', (workerRun) => switchOn(workerRun, { perPayment: '0.0005' })],
    ['costs more than is left today', (workerRun) => switchOn(workerRun, { amount: '0.0005', perPayment: '0.0005' })],
    [
      'costs more satoshis than the limit bought when it was set',
      (workerRun) => switchOn(workerRun, { rate: { price: '5000000', dollar: '5000000' } }),
    ],
    [
      'would be paid while the wallet is locked',
      async (workerRun) => {
        await switchOn(workerRun);
        await workerRun.modules.vault.lock(wallet);
      },
    ],
    ['has no hand in the page', (workerRun) => switchOn(workerRun), { userActivation: 'active' }],
    ['is claimed by a frame of another site', (workerRun) => switchOn(workerRun), { userActivation: 'embedded' }],
    ['is claimed for an automatic payment', (workerRun) => switchOn(workerRun), { automatic: true }],
    ['would cost a higher fee than was shown', (workerRun) => switchOn(workerRun), { swiped: FREE }],
  ])('a swipe that %s opens a window instead', async (_, prepare, asking = {}) => {
    const workerRun = await openWallet(network, [1_000_000]);
    await prepare(workerRun);
    const options = pay(someone(), 1000);
    const swiped = await workerRun.modules.planSwipe.planSwipe(wallet, { options, origin: SHOP, service: null });
    const answer = ask(workerRun, 'request-1', options, {
      ...asking,
      swiped: asking.swiped === FREE ? { ...swiped, feeSatoshis: 0n } : swiped,
    });
    await approvalOf(workerRun);
    if (!(await workerRun.modules.vault.vaultStatus(wallet)).locked) await refusedInAWindow(workerRun, answer);
    expect(await signedOf(workerRun)).toEqual([]);
    expect((await limits(workerRun))?.spentSatoshis ?? 0n).toBe(0n);
  });

  test('a swipe pays only the request that it was made for, and another one with the same ID opens a window', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    await switchOn(workerRun);
    const options = pay(someone(), 1000);
    const planned = await workerRun.modules.planSwipe.planSwipe(wallet, { options, origin: SHOP, service: null });
    const swiped = { ...planned, feeSatoshis: 10_000n }; // rules out the fee as the reason for the window
    const more = { ...options, opReturn: 'x'.repeat(1001) };
    await refusedInAWindow(workerRun, ask(workerRun, 'request-1', more, { swiped }));
    expect(await signedOf(workerRun)).toEqual([]);
  });

  test('swipes spend at most half of the daily limit within an hour', async () => {
    const workerRun = await openWallet(network, [1_000_000]);
    await switchOn(workerRun, { currency: 'BSV', amount: '0.00006', perPayment: '0.00002' });
    const swiped = (n: number) => swipe(workerRun, `request-${n}`, pay(someone(), 1000), { origin: site(n) });
    for (const n of [1, 2]) expect(await swiped(n)).toMatchObject({ status: 'RECEIVED' });
    await refusedInAWindow(workerRun, swiped(3));
  });
});

describe('payments that a swipe may make', () => {
  const quote = (type: string, count = 1) =>
    ({ outputs: Array.from({ length: count }, () => ({ type })) }) as unknown as PaymentRecord['quote'];
  const of = (host: object) => {
    const paid = quote('PAYMAIL');
    Object.assign(paid.outputs[0] as object, { host: { paymail: 'shop@pay.example', keyChangedSince: null, ...host } });
    return paid;
  };
  test.each<[boolean, string, Partial<PaymentRecord['options']>, PaymentRecord['quote']]>([
    [true, 'an address', {}, quote('ADDRESS')],
    [true, 'a paymail', {}, quote('PAYMAIL')],
    [true, 'a user', {}, quote('USER')],
    [true, 'a paymail with its host', {}, of({ paymail: 'shop@pay.example' })],
    [false, 'a paymail that looks like another', {}, of({ paymail: 'sh\u043ep@pay.example' })],
    [false, 'a paymail of another key than before', {}, of({ keyChangedSince: 1_800_000_000_000 })],
    [false, 'a paymail without the key that it had', {}, of({ keyUnavailable: true })],
    [true, 'data of a kilobyte', { opReturn: 'x'.repeat(1000) }, quote('ADDRESS')],
    [false, 'more data', { opReturn: `${'x'.repeat(999)}é` }, quote('ADDRESS')],
    [false, 'a script', {}, quote('SCRIPT')],
    [false, 'two recipients', {}, quote('ADDRESS', 2)],
    [false, 'nobody', {}, quote('ADDRESS', 0)],
    [
      false,
      'with something to sign',
      { cryptoOperations: [{ name: 'a', method: 'sign', data: 'x' }] },
      quote('ADDRESS'),
    ],
  ])('maySwipe returns %s for this recipient or content: %s', (expected, _, options, paid) => {
    expect(maySwipe({ options: { outputs: [], ...options }, quote: paid })).toBe(expected);
  });
});

describe('limits', () => {
  test('limits are exact while many sites are swiped concurrently', async () => {
    const sites = 50;
    const workerRun = await openWallet(
      network,
      Array.from({ length: sites / 5 }, () => 20_000),
    );
    // The hourly maximum, half of the daily limit. Limits in BSV are exact to the satoshi.
    const most = 9000n;
    await switchOn(workerRun, { currency: 'BSV', amount: '0.00018', perPayment: '0.00002' });
    refuseEverything(workerRun);
    const plans = await Promise.all(
      Array.from({ length: sites }, async (_, n) => {
        const [options, origin] = [pay(someone(), 1000), site(n)];
        return {
          options,
          origin,
          swiped: await workerRun.modules.planSwipe.planSwipe(wallet, { options, origin, service: null }),
        };
      }),
    );
    const answers = await Promise.all(
      plans.map(({ options, ...asking }, n) => ask(workerRun, `request-${n}`, options, asking)),
    );
    const paid = answers.filter((answer) => typeof answer === 'object');
    const signed = await signedOf(workerRun);
    const sum = signed.reduce((total, one) => total + costOf(one), 0n);
    const after = await limits(workerRun);
    expect(signed.length).toBe(paid.length);
    expect([after.spent, after.spentSatoshis, after.payments]).toEqual([sum, sum, paid.length]);
    expect(sum <= most).toBe(true);
    // Every payment that the remaining limit covers was made.
    expect(most - sum < 1100n).toBe(true);
    expect(new Set(signed.map(({ origin }) => origin)).size).toBe(paid.length);
    for (const one of answers) if (typeof one === 'string') expect(['refused', 'busy', 'not-paid']).toContain(one);
  });
});

describe('limits if the worker is stopped', () => {
  test('limits are exact after a stop at any point: one debit per payment, and no swipe after a restart', async () => {
    const failures: string[] = [];
    for (let n = 1, crashPoints = Number.POSITIVE_INFINITY; n <= crashPoints; n += STRIDE) {
      network.reset();
      let workerRun = await openWallet(network, [10_000, 10_000, 10_000]);
      await switchOn(workerRun, { currency: 'BSV', amount: '0.00002200', perPayment: '0.00002' });
      const asked: { options: ReturnType<typeof pay>; origin: string; swiped: TrustedSwipe }[] = [];
      for (const i of [0, 1, 2, 3]) {
        const [options, origin] = [pay(someone(), 1000), site(i)];
        asked.push({
          options,
          origin,
          swiped: await workerRun.modules.planSwipe.planSwipe(wallet, { options, origin, service: null }),
        });
      }
      refuseEverything(workerRun);
      workerRun.dieAt(n);
      const first = workerRun;
      await first.untilDeath(() =>
        Promise.all(asked.map(({ options, ...asking }) => ask(first, 'request-1', options, asking))),
      );
      if (first.dead) {
        workerRun = await first.profile.start();
        refuseEverything(workerRun);
        // The relays repeat their requests, but the restart has discarded the swipes.
        const again = workerRun;
        await Promise.all(asked.map(({ options, origin }) => ask(again, 'request-1', options, { origin })));
      } else crashPoints = first.crashPoints.length;
      const signed = await signedOf(workerRun);
      const sum = signed.reduce((total, one) => total + costOf(one), 0n);
      const { spentSatoshis, payments } = await limits(workerRun);
      const isExact = spentSatoshis === sum && payments === signed.length && sum <= 2200n;
      if (!isExact || signed.some((one) => one.allowance?.key.join() !== ANY_SITE.join()))
        failures.push(`crash point ${n} (${first.crashPoints.at(-1)}): ${spentSatoshis} for ${sum}, ${payments}`);
      endAllWorkerRuns();
    }
    expect(failures).toEqual([]);
  });
});
