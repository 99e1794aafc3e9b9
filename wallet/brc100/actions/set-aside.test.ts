/** Unfinished actions: their reserved coins are limited, and never block the user's own payments. */
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { p2pkhScript } from '../../../protocol/bitcoin/address.ts';
import { toHex } from '../../../protocol/bitcoin/bytes.ts';
import { APP, call, called, output } from '../../../testkit/wallet/applications.ts';
import { holdTime } from '../../../testkit/wallet/clock.ts';
import { useNetwork } from '../../../testkit/network/network.ts';
import {
  approvalOf,
  approvals,
  approveAll,
  ask,
  decide,
  decline,
  give,
  openWallet,
  pay,
  paymentView,
  someone,
  stored,
} from '../../../testkit/wallet/wallet.ts';
import type { WorkerRun } from '../../../testkit/wallet/worker-run.ts';
import { wallet } from '../../../testkit/wallet/current.ts';
import { freshModules } from '../../../testing/fresh-modules.ts';
import type * as SetAside from '../../payments/set-aside.ts';

const network = useNetwork();

/** Every nth crash point is tested. */
const STRIDE = 23;
const SOMEBODY = toHex(p2pkhScript(new Uint8Array(20).fill(9)));
const SHOP = 'https://shop.example';
const SET_ASIDE = '../../payments/set-aside.ts';
const later = { signAndProcess: false };
const kept = { noSend: true };
let count = 0;
const action = (satoshis: number, options: object) => ({
  description: `buy thing ${(count += 1)}`,
  outputs: [output(satoshis, SOMEBODY)],
  options,
});

async function allowed(coins: number[], limit: bigint): Promise<WorkerRun> {
  const workerRun = await openWallet(network, coins);
  await give(workerRun, { origin: APP, currency: 'BSV', limit });
  return workerRun;
}

const reserved = async (workerRun: WorkerRun) =>
  (await stored(workerRun)).coins.reduce((sum, one) => sum + (one.status === 'reserved' ? one.satoshis : 0n), 0n);
const balance = async (workerRun: WorkerRun) => (await workerRun.modules.store.balance(wallet)).satoshis;
const actions = async (workerRun: WorkerRun) =>
  (await stored(workerRun)).payments.filter((one) => one.origin === APP && one.action);
const splits = async (workerRun: WorkerRun) =>
  (await stored(workerRun)).payments.filter(({ split }) => split !== undefined);
const isSilent = (workerRun: WorkerRun) => expect(workerRun.profile.browser.windowsOpened).toBe(0);

/** Waits for a response or an approval window. Resolves to true if a window opened. */
async function isAskedFor(workerRun: WorkerRun, answer: ReturnType<typeof call>): Promise<boolean> {
  const window = vi.waitFor(() => expect(approvals(workerRun)).toHaveLength(1));
  return Promise.race([
    window.then(
      () => true,
      () => false,
    ),
    answer.then((one) => {
      if ('code' in one) throw new Error(JSON.stringify(one));
      return false;
    }),
  ]);
}

/** Creates unfinished actions until the user is prompted, and rejects that prompt. */
async function asManyAsItGets(workerRun: WorkerRun, options: object): Promise<void> {
  for (;;) {
    const answer = call(workerRun, 'createAction', action(1, options), { userActivation: 'new' });
    if (!(await isAskedFor(workerRun, answer))) continue;
    await decline(workerRun, await approvalOf(workerRun));
    await answer;
    return;
  }
}

describe('within an allowance', () => {
  test.each([
    ['waits for its signatures', later],
    ['is kept from the network', kept],
  ])(
    'a site sets aside at most three times its allowance, regardless of the number of coins: an action that %s',
    async (_, options) => {
      const workerRun = await allowed([100_000, 100_000, 100_000, 100_000, 79_967], 1500n);
      await asManyAsItGets(workerRun, options);
      expect(await reserved(workerRun)).toBeLessThanOrEqual(4500n);
      expect(await balance(workerRun)).toBeGreaterThan(460_000n);
      await give(workerRun, { origin: SHOP, currency: 'BSV', limit: 450_000n, id: 'token-9876543210' });
      expect(await ask(workerRun, 'r', pay(someone(), 400_000), { automatic: true })).toMatchObject({
        status: 'RECEIVED',
      });
    },
    60_000,
  );

  test('an action first splits the wallet’s only coin, and the allowance is debited with the fee for the split', async () => {
    const workerRun = await allowed([1_000_000], 100_000n);
    const { txid } = await called(workerRun, 'createAction', action(20_000, kept));
    isSilent(workerRun);
    const [split] = await splits(workerRun);
    const made = (await actions(workerRun)).find(({ signed }) => signed?.txid === txid)!;
    expect(split).toMatchObject({ state: 'settled', allowance: { debitSatoshis: split!.signed!.feeSatoshis } });
    expect(await reserved(workerRun)).toBeLessThan(30_000n);
    const [allowance] = await (await workerRun.modules.database.database(wallet)).getAll('allowances');
    expect(allowance!.spentSatoshis).toBe(20_000n + made.signed!.feeSatoshis + split!.signed!.feeSatoshis);
  });

  test('an action that spends only noSend change splits no coin, even if the site has exceeded its limit for coins set aside', async () => {
    const workerRun = await openWallet(network, [50_000, 100_000]);
    approveAll(workerRun);
    const { noSendChange } = await called(workerRun, 'createAction', action(17_000, kept), { userActivation: 'new' });
    await give(workerRun, { origin: APP, currency: 'BSV', limit: 8000n });
    await called(workerRun, 'createAction', action(2000, { ...kept, noSendChange }));
    expect(await splits(workerRun)).toEqual([]);
    const spends = (await actions(workerRun)).map(({ signed }) => signed!.inputs);
    expect(spends.flat()).toContain(noSendChange![0]!.replace('.', ':'));
  });

  test('an action is made once, with exact debits, if the worker is stopped at any point', async () => {
    for (let n = 3, isWhole = false; !isWhole; n += STRIDE) {
      let workerRun = await allowed([1_000_000], 100_000n);
      const wanted = action(20_000, { ...kept, returnTXIDOnly: true });
      const make = () => called(workerRun, 'createAction', wanted, { message: 'made once' });
      workerRun.dieAt(n);
      isWhole = (await workerRun.untilDeath(make)) !== null;
      if (!isWhole) workerRun = await workerRun.profile.start();
      const { txid } = await make();
      await workerRun.modules.drive.processAll(wallet);
      const { payments, coins } = await stored(workerRun);
      const signed = payments.filter((one) => one.signed);
      const made = signed.filter((one) => one.action);
      expect(made.map((one) => one.signed!.txid)).toEqual([txid]);
      const [allowance] = await (await workerRun.modules.database.database(wallet)).getAll('allowances');
      const fees = signed.reduce((sum, one) => sum + one.signed!.feeSatoshis, 20_000n);
      expect(allowance!.spentSatoshis).toBe(fees);
      const held = coins.filter(({ status }) => status === 'reserved');
      expect(held.map(({ paymentId }) => paymentId)).toEqual([made[0]!.id]);
      expect(held[0]!.satoshis).toBeLessThan(30_000n);
    }
  }, 120_000);

  test('the user is prompted if no coin can be split, and the window shows the amount to set aside', async () => {
    const workerRun = await allowed([50_500], 100_000n);
    const asked = called(workerRun, 'createAction', action(50_000, later), { userActivation: 'new' });
    const id = await approvalOf(workerRun);
    expect(await paymentView(workerRun, id)).toMatchObject({ satoshis: '50000', setAside: '50500' });
    await decide(workerRun, id);
    expect(await asked).toHaveProperty('signableTransaction');
    expect(await reserved(workerRun)).toBe(50_500n);
    expect(await splits(workerRun)).toEqual([]);
  });

  test('aborting and recreating actions can’t exceed the limit for coins set aside within an hour', async () => {
    const workerRun = await allowed([20_000, 20_000, 20_000, 1_000_000], 15_000n);
    holdTime();
    let sum = 0n;
    for (let isAsked = false; !isAsked;) {
      const answer = call(workerRun, 'createAction', action(1, later), { userActivation: 'new' });
      isAsked = await isAskedFor(workerRun, answer);
      if (isAsked) await decline(workerRun, await approvalOf(workerRun));
      else {
        sum += await reserved(workerRun);
        const { signableTransaction } = (await answer) as { signableTransaction: { reference: string } };
        await called(workerRun, 'abortAction', { reference: signableTransaction.reference });
      }
    }
    expect(sum).toBeGreaterThan(40_000n);
    expect(sum).toBeLessThanOrEqual(45_000n);
    expect(await reserved(workerRun)).toBe(0n);
  });
});

describe('an approved action', () => {
  /** Approves an action and returns the window's data. */
  async function approved(workerRun: WorkerRun, satoshis: number, options: object) {
    const { browser } = workerRun.profile;
    const before = browser.windowsOpened;
    const asked = called(workerRun, 'createAction', action(satoshis, options), { userActivation: 'new' });
    await vi.waitFor(() => expect(browser.windowsOpened).toBe(before + 1));
    const id = await approvalOf(workerRun);
    const view = await paymentView(workerRun, id);
    await decide(workerRun, id);
    return { view, made: await asked };
  }

  test.each([
    ['waits for its signatures', later],
    ['is kept from the network', kept],
  ])('an approved action that %s sets aside a small part of a large coin', async (_, options) => {
    const workerRun = await openWallet(network, [100_000_000]);
    const { view } = await approved(workerRun, 34, options);
    expect(BigInt(view.setAside!)).toBeLessThanOrEqual(3n * BigInt(view.totalSatoshis!) + 1000n);
    expect(await reserved(workerRun)).toBe(BigInt(view.setAside!));
    const [split] = await splits(workerRun);
    const made = (await actions(workerRun)).find((one) => one.action)!;
    const fee = made.signed?.feeSatoshis ?? made.action!.unsigned!.feeSatoshis;
    expect(split).toMatchObject({ state: 'settled', allowance: null });
    expect(BigInt(view.feeSatoshis!)).toBeGreaterThanOrEqual(split!.signed!.feeSatoshis + fee);
    await give(workerRun, { origin: SHOP, currency: 'BSV', limit: 99_000_000n, id: 'token-9876543210' });
    expect(await ask(workerRun, 'r', pay(someone(), 98_000_000), { automatic: true })).toMatchObject({
      status: 'RECEIVED',
    });
  });

  test('an approved action never sets aside the last coin if it can be split', async () => {
    const workerRun = await openWallet(network, [100_000]);
    const { view } = await approved(workerRun, 40_000, later);
    expect(BigInt(view.setAside!)).toBeLessThan(42_000n);
    expect(await balance(workerRun)).toBeGreaterThan(57_000n);
  });

  test('an approved action sets aside all coins if its outputs need them', async () => {
    const workerRun = await openWallet(network, [100_000]);
    const { view, made } = await approved(workerRun, 99_900, later);
    expect(view.setAside).toBe('100000');
    expect(made).toHaveProperty('signableTransaction');
    expect(await splits(workerRun)).toEqual([]);
  });

  test('a second approved action splits the coin that the first one left', async () => {
    const workerRun = await openWallet(network, [50_000, 50_000]);
    await approved(workerRun, 40_000, later);
    const { view } = await approved(workerRun, 40_000, kept);
    expect(BigInt(view.setAside!)).toBeLessThan(42_000n);
    expect(await balance(workerRun)).toBeGreaterThan(7000n);
  });

  test('two windows that are open at the same time can’t set aside both coins', async () => {
    const workerRun = await openWallet(network, [50_000, 50_000]);
    const { browser } = workerRun.profile;
    const answers = [APP, SHOP].map((origin) =>
      call(workerRun, 'createAction', action(40_000, later), { origin, userActivation: 'new' }),
    );
    await vi.waitFor(() => expect(browser.windowsOpened).toBe(2));
    const ids = approvals(workerRun).map(({ id }) => id);
    const views = await Promise.all(ids.map((id) => paymentView(workerRun, id)));
    expect(views.map(({ setAside }) => setAside)).toEqual(['50000', '50000']);
    const decided = await Promise.allSettled(ids.map((id) => decide(workerRun, id)));
    expect(decided.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(decided).toContainEqual({
      status: 'rejected',
      reason: expect.objectContaining({ code: 'insufficient-funds' }),
    });
    expect((await Promise.all(answers)).filter((one) => 'signableTransaction' in one)).toHaveLength(1);
    expect(await balance(workerRun)).toBe(50_000n);
  });

  test('an approved action makes at most one split and costs at most the displayed total if the worker is stopped at any point', async () => {
    for (let n = 1, isWhole = false; !isWhole; n += STRIDE) {
      let workerRun = await openWallet(network, [1_000_000]);
      const wanted = action(20_000, { ...kept, returnTXIDOnly: true });
      const asked = called(workerRun, 'createAction', wanted, { message: 'made once', userActivation: 'new' });
      const id = await approvalOf(workerRun);
      const { totalSatoshis } = await paymentView(workerRun, id);
      workerRun.dieAt(n);
      const decided = async () => {
        await decide(workerRun, id);
        return asked;
      };
      isWhole = (await workerRun.untilDeath(decided)) !== null;
      if (!isWhole) workerRun = await workerRun.profile.start();
      await workerRun.modules.drive.processAll(wallet);
      const { payments, coins } = await stored(workerRun);
      const signed = payments.filter((one) => one.signed);
      const held = coins.filter(({ status }) => status === 'reserved');
      const cost = signed.reduce((sum, one) => sum + one.signed!.feeSatoshis + (one.action ? 20_000n : 0n), 0n);
      expect(cost).toBeLessThanOrEqual(BigInt(totalSatoshis!));
      expect(held.every(({ satoshis }) => satoshis < 30_000n)).toBe(true);
      expect(signed.filter((one) => one.split !== undefined).length).toBeLessThanOrEqual(1);
      if (isWhole) expect(held).toHaveLength(1);
    }
  }, 120_000);

  test('an approved action sets aside at most the displayed amount', async () => {
    const workerRun = await openWallet(network, [100_000, 479_967]);
    const { view, made } = await approved(workerRun, 60_000, later);
    expect(view).toMatchObject({ setAside: '100000' });
    expect(made).toHaveProperty('signableTransaction');
    expect(await reserved(workerRun)).toBe(100_000n);
    expect(await splits(workerRun)).toEqual([]);
  });

  test("a window doesn't show coins that are spent immediately as set aside", async () => {
    const workerRun = await openWallet(network, [100_000]);
    void call(workerRun, 'createAction', action(1, {}), { userActivation: 'new' });
    expect(await paymentView(workerRun, await approvalOf(workerRun))).not.toHaveProperty('setAside');
  });
});

describe('the user’s own payment', () => {
  /** Reserves all coins for an application's unsigned actions. */
  async function allWaiting(): Promise<{ workerRun: WorkerRun; references: string[] }> {
    const workerRun = await openWallet(network, [300_000, 179_967]);
    const references: string[] = [];
    for (const [i, satoshis] of [290_000, 179_900].entries()) {
      const asked = called(workerRun, 'createAction', action(satoshis, later), { userActivation: 'new' });
      await vi.waitFor(() => expect(workerRun.profile.browser.windowsOpened).toBe(i + 1));
      await decide(workerRun, await approvalOf(workerRun));
      references.push((await asked).signableTransaction!.reference);
    }
    expect(await balance(workerRun)).toBe(0n);
    return { workerRun, references };
  }

  test('a payment takes the coins of a waiting action if there is too little other money, and ends the action', async () => {
    const { workerRun, references } = await allWaiting();
    const paid = ask(workerRun, 'r', pay(someone(), 200_000));
    await vi.waitFor(() => expect(workerRun.profile.browser.windowsOpened).toBe(3));
    await decide(workerRun, await approvalOf(workerRun));
    expect(await paid).toMatchObject({ status: 'RECEIVED' });
    const ended = (await actions(workerRun)).map(({ state, error }) => error?.code ?? state);
    expect(ended.toSorted()).toEqual(['action-ended', 'signable']);
    const answers = await Promise.all(
      references.map((reference) => call(workerRun, 'signAction', { reference, spends: {} })),
    );
    expect(answers.filter((one) => 'txid' in one)).toHaveLength(1);
    expect(answers.filter((one) => 'parameter' in one)).toHaveLength(1);
  });

  test('a payment ends as many waiting actions as it needs coins from', async () => {
    const { workerRun } = await allWaiting();
    const paid = ask(workerRun, 'r', pay(someone(), 400_000));
    await vi.waitFor(() => expect(workerRun.profile.browser.windowsOpened).toBe(3));
    await decide(workerRun, await approvalOf(workerRun));
    expect(await paid).toMatchObject({ status: 'RECEIVED' });
    expect((await actions(workerRun)).map(({ error }) => error?.code)).toEqual(['action-ended', 'action-ended']);
  });

  test("a payment from a site's allowance also takes the coins of another site's waiting actions", async () => {
    const { workerRun } = await allWaiting();
    await give(workerRun, { origin: SHOP, currency: 'BSV', limit: 500_000n });
    expect(await ask(workerRun, 'r', pay(someone(), 100_000), { automatic: true })).toMatchObject({
      status: 'RECEIVED',
    });
  });

  test("a payment doesn't take the coins of a waiting action while there is other money", async () => {
    const workerRun = await openWallet(network, [100_000, 479_967]);
    const asked = called(workerRun, 'createAction', action(60_000, later), { userActivation: 'new' });
    await decide(workerRun, await approvalOf(workerRun));
    const { reference } = (await asked).signableTransaction!;
    await give(workerRun, { origin: SHOP, currency: 'BSV', limit: 500_000n });
    await ask(workerRun, 'r', pay(someone(), 400_000), { automatic: true });
    expect(await called(workerRun, 'signAction', { reference, spends: {} })).toHaveProperty('txid');
  });

  test('a payment also takes coins that an action sets aside while the payment is planned', async () => {
    let meanwhile: (() => Promise<unknown>) | undefined;
    vi.doMock(SET_ASIDE, async () => {
      const actual = await vi.importActual<typeof SetAside>(SET_ASIDE);
      const waitingActions: typeof SetAside.waitingActions = async (...args) => {
        const waiting = await actual.waitingActions(...args);
        const act = meanwhile;
        meanwhile = undefined;
        await act?.();
        return waiting;
      };
      return { ...actual, waitingActions };
    });
    freshModules();
    onTestFinished(() => {
      vi.doUnmock(SET_ASIDE);
      freshModules();
    });
    const workerRun = await allowed([100_000, 50_000, 300_000], 200_000n);
    await called(workerRun, 'createAction', action(40_000, later));
    meanwhile = () => called(workerRun, 'createAction', action(60_000, later));
    const paid = ask(workerRun, 'r', pay(someone(), 440_000));
    const id = await approvalOf(workerRun);
    expect(await paymentView(workerRun, id)).toMatchObject({ problem: null });
    expect(meanwhile).toBeUndefined();
    await decide(workerRun, id);
    expect(await paid).toMatchObject({ status: 'RECEIVED' });
    expect((await actions(workerRun)).map(({ error }) => error?.code)).toEqual(['action-ended', 'action-ended']);
  });

  test("another application’s action can't take the coins of waiting actions", async () => {
    const { workerRun } = await allWaiting();
    const other = 'https://other.example';
    await give(workerRun, { origin: other, currency: 'BSV', limit: 500_000n, id: 'token-9876543210' });
    void call(workerRun, 'createAction', action(1, later), { origin: other, userActivation: 'new' });
    await vi.waitFor(() => expect(workerRun.profile.browser.windowsOpened).toBe(3));
    expect((await paymentView(workerRun, await approvalOf(workerRun))).problem).toMatchObject({
      code: 'insufficient-funds',
    });
    expect((await actions(workerRun)).map(({ state }) => state)).toEqual(['signable', 'signable']);
  });
});

describe('the popup', () => {
  test('the popup lists the coins set aside by each site, and ending a site’s actions signs and sends nothing', async () => {
    const workerRun = await allowed([100_000, 50_000, 300_000], 200_000n);
    const { signableTransaction } = await called(workerRun, 'createAction', action(40_000, later));
    const { txid } = await called(workerRun, 'createAction', action(60_000, kept));
    const {
      'wallet/overview': overview,
      'sites/list': list,
      'sites/end': end,
    } = workerRun.modules.handlers.walletHandlers(wallet);
    const setAside = { origin: APP, satoshis: '150000', unfinished: 2, givenUp: 0 };
    expect((await overview({})).setAside).toEqual([setAside]);
    expect((await list({})).sites).toMatchObject([{ origin: APP, setAside }]);
    await end({ origin: APP });
    expect((await overview({})).setAside).toEqual([{ origin: APP, satoshis: '100000', unfinished: 0, givenUp: 1 }]);
    const { reference } = signableTransaction!;
    expect(await call(workerRun, 'signAction', { reference, spends: {} })).toMatchObject({ parameter: 'reference' });
    const sendIt = { description: 'send it', options: { sendWith: [txid] } };
    expect(await call(workerRun, 'createAction', sendIt)).toMatchObject({ parameter: 'sendWith' });
    expect(network.broadcasts).toEqual([]);
    // The next payment replaces the `noSend` transaction.
    await give(workerRun, { origin: SHOP, currency: 'BSV', limit: 500_000n, id: 'token-9876543210' });
    expect(await ask(workerRun, 'r', pay(someone(), 10_000), { automatic: true })).toMatchObject({
      status: 'RECEIVED',
    });
    expect(await overview({})).not.toHaveProperty('setAside');
  });
});

test('signing a prepared action within an allowance opens no window and splits no coin', async () => {
  const workerRun = await allowed([1_000_000, 500_000], 200_000n);
  const { signableTransaction } = await called(workerRun, 'createAction', action(50_000, later));
  const { reference } = signableTransaction!;
  expect(await called(workerRun, 'signAction', { reference, spends: {} })).toHaveProperty('txid');
  isSilent(workerRun);
  expect(await splits(workerRun)).toEqual([]);
});
