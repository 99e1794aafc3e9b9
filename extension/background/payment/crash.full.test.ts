/**
 * The payment under crashes: the service worker is stopped at every await of its code, between the page's
 * request and the block that confirms the payment, and a new run continues from the same database.
 */
import { describe, expect, test } from 'vitest';
import type { Payment, PaymentOptions } from '../../../protocol/payment.ts';
import { counted, NOTHING } from '../coins/balance-totals.ts';
import { endAllWorkerRuns, type WorkerRun } from '../testing/worker-run.ts';
import { expectKnownInputs, type Fault, useNetwork } from '../testing/network.ts';
import { ask, give, openWallet, pay, approveAll, paymentWhere, stored, someone } from '../testing/wallet.ts';

/** Of the crash points of a run, every how many-th is tried. */
const STRIDE = 12;
/** The same for runs in which broadcasts fail too, and for runs that die twice. */
const FAULTY_STRIDE = 46;

/** Runs by luck. */
const RUNS = 6;

const COINS = [40_000, 30_000, 500_000];
const AMOUNT = 60_000;
const REQUEST = 'request-of-the-page';

const network = useNetwork();
expectKnownInputs(network);

/**
 * Who asks: the page, with the user's approval each time or by itself from an allowance; or the wallet's own window.
 */
type How = 'approved' | 'automatic' | 'sent';

interface Run {
  how: How;
  workerRun: WorkerRun;
  payment: Pick<Payment, 'id' | 'txid'>;
  to: string;
  asking: (workerRun: WorkerRun) => Promise<Pick<Payment, 'id' | 'txid'> | string>;
}

/** What the wallet's window asks for: what it quoted in an earlier run, each time. */
async function sendingOf(
  workerRun: WorkerRun,
  { outputs: [output] }: PaymentOptions,
): Promise<(workerRun: WorkerRun) => Promise<Run['payment'] | string>> {
  const { to = '', amount = '', currency = '' } = output ?? {};
  const { outputs, feeSatoshis, time } = await workerRun.modules.handlers.walletHandlers['send/quote']({
    recipients: [{ to, amount, currency }],
  });
  return async ({ modules }) => {
    const sent = await modules.handlers.walletHandlers['send/pay']({
      requestId: REQUEST,
      outputs,
      feeSatoshis: feeSatoshis ?? '0',
      time,
    });
    return sent.taken ? sent : 'payment-pending';
  };
}

/**
 * The page asks, and asks again after every death of the worker, until it has its payment; the user pays what is shown.
 */
async function payThroughDeaths(first: WorkerRun, deaths: readonly number[], how: How): Promise<Run> {
  const to = someone();
  const options = pay(to, AMOUNT, { opReturn: 'crash', buttonId: 'b' });
  const asking =
    how === 'sent'
      ? await sendingOf(first, options)
      : (now: WorkerRun) => ask(now, REQUEST, options, { automatic: how === 'automatic' });
  let workerRun = first;
  const left = [...deaths];
  workerRun.dieAt(left.shift() ?? Number.POSITIVE_INFINITY);
  for (;;) {
    approveAll(workerRun);
    const answer: Run['payment'] | string | null = await workerRun.untilDeath(() => asking(workerRun));
    if (answer !== null && answer !== 'payment-pending' && answer !== 'payment-contested') {
      if (typeof answer === 'string') throw new Error(`the page was told: ${answer}`);
      // Mined while the same run, or the next one, goes on with reporting and confirming.
      await network.mine();
      const confirmed = await workerRun.untilDeath(() =>
        paymentWhere(workerRun, answer.id, (p) => p.state === 'settled' && p.height !== null),
      );
      if (confirmed) return { how, workerRun, payment: answer, to, asking };
    }
    if (workerRun.dead) workerRun = await workerRun.profile.start(left.shift());
  }
}

async function checkOutcome({ how, workerRun, payment, asking, to }: Run): Promise<void> {
  const {
    payments: [record, ...others],
    requests,
  } = await stored(workerRun);
  expect([others, requests]).toEqual([[], []]);
  expect(await network.unspent(to)).toEqual([{ txid: payment.txid, satoshis: AMOUNT }]);
  expect(record).toMatchObject({
    id: payment.id,
    state: 'settled',
    report: { state: how === 'sent' ? 'none' : 'done' },
    error: null,
    unfinished: 0,
    signed: { txid: payment.txid },
  });
  expect(network.reports.has(payment.id)).toBe(how !== 'sent');
  // From an allowance: no window, and debited once with what it cost.
  const db = await workerRun.modules.database.database();
  const cost = how === 'automatic' ? BigInt(AMOUNT) + (record?.signed?.feeSatoshis ?? 0n) : 0n;
  expect(await db.getAll('allowances')).toMatchObject([
    { spent: cost, totalSpent: cost, payments: how === 'automatic' ? 1 : 0 },
  ]);
  expect(record?.allowance?.debit).toBe(how === 'automatic' ? cost : undefined);
  if (how !== 'approved') expect(workerRun.profile.browser.windowsOpened).toBe(0);
  // The same request is the same payment, in another run too, and moves nothing.
  expect(await asking(workerRun)).toMatchObject({
    id: payment.id,
    txid: payment.txid,
    ...(how !== 'sent' && { status: 'COMPLETED' }),
  });
  // Our coins are the ledger's: those that the transaction spent, no other, and its change.
  const { coins } = await stored(workerRun);
  expect(coins.filter((c) => c.status !== 'spent' && c.status !== 'available')).toEqual([]);
  // What is kept as their sum is their sum.
  expect(await db.get('totals', 'coins')).toEqual(coins.reduce((sum, coin) => counted(sum, undefined, coin), NOTHING));
  const all = COINS.reduce((sum, one) => sum + BigInt(one), 0n);
  expect((await workerRun.modules.store.balance()).satoshis).toBe(
    all - BigInt(AMOUNT) - (record?.signed?.feeSatoshis ?? 0n),
  );
  for (const coin of coins) {
    const { address } = (await db.get('addresses', coin.script)) ?? { address: '' };
    const there = (await network.unspent(address)).some(
      (u) => u.txid === coin.txid && BigInt(u.satoshis) === coin.satoshis,
    );
    expect(there, `${coin.status} coin of ${coin.satoshis}`).toBe(coin.status === 'available');
  }
}

async function run(
  deaths: readonly number[],
  faults: readonly Fault[] = [],
  how: How = 'approved',
  slowProofs = 0,
): Promise<number> {
  network.reset();
  network.faults = [...faults];
  network.slowProofs = slowProofs;
  const workerRun = await openWallet(network, COINS, { account: true });
  await give(workerRun, { currency: 'BSV', limit: 100_000n });
  const done = await payThroughDeaths(workerRun, deaths, how);
  const crashPoints = workerRun.crashPoints.length;
  await checkOutcome(done);
  endAllWorkerRuns();
  return crashPoints;
}

/** Numbers from 0 below `n`, the same for the same seed (a linear congruential generator, Park and Miller). */
function dice(seed: number): (n: number) => number {
  let state = (seed * 48_271 + 11) % 2_147_483_647;
  return (n) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % n;
  };
}

/**
 * Runs `once` for every stride-th n until n is beyond the last crash point. Tells which n failed, and at which crash point.
 * @param first kinds of payment that begin at different ones try different crash points of what they share
 */
async function forEveryCrashPoint(stride: number, once: (n: number) => Promise<number>, first = 1): Promise<number> {
  const failures: string[] = [];
  let tried = 0;
  for (let n = first % stride || stride, crashPoints = Number.POSITIVE_INFINITY; n <= crashPoints; n += stride) {
    try {
      const reached = await once(n);
      if (reached < n) crashPoints = reached;
      tried += 1;
    } catch (error) {
      failures.push(`crash point ${n}: ${(error as Error).message}`);
      if (failures.length > 5) break;
    }
  }
  expect(failures).toEqual([]);
  return tried;
}

describe('one transaction exists in the end, and no coin is lost, where the worker is stopped', () => {
  test('at any crash point', async () => {
    expect(await forEveryCrashPoint(STRIDE, (n) => run([n]))).toBeGreaterThan(30 / STRIDE);
  });

  test('at any crash point of a payment from an allowance', async () => {
    expect(await forEveryCrashPoint(STRIDE, (n) => run([n], [], 'automatic'), 5)).toBeGreaterThan(20 / STRIDE);
  });

  test('at any crash point of what the user sends', async () => {
    expect(await forEveryCrashPoint(STRIDE, (n) => run([n], [], 'sent'), 9)).toBeGreaterThan(20 / STRIDE);
  });

  test('twice in what the user sends, with broadcasts that fail', async () => {
    await forEveryCrashPoint(FAULTY_STRIDE, (n) => run([n, 5], ['answer-lost'], 'sent'), 7);
  });

  test('twice in a payment from an allowance, with broadcasts that fail', async () => {
    await forEveryCrashPoint(FAULTY_STRIDE, (n) => run([n, 5], ['answer-lost'], 'automatic'), 18);
  });

  test.each<[Fault[], first: number]>([
    [['answer-lost'], 1],
    [['409-taken'], 12],
    [['refused', '500'], 23],
    [[466, '409'], 34],
  ])('at any crash point, with broadcasts that meet %j', async (faults, first) => {
    expect(await forEveryCrashPoint(FAULTY_STRIDE, (n) => run([n], faults), first)).toBeGreaterThan(50 / FAULTY_STRIDE);
  });

  test('twice', async () => {
    let seed = 7;
    await forEveryCrashPoint(
      FAULTY_STRIDE,
      (n) => {
        seed = (seed * 75 + 74) % 65_537;
        return run([n, (seed % 25) + 1, (seed % 13) + 3]);
      },
      29,
    );
  });

  test(
    `between whichever writes, up to four times, whatever the network does: ${RUNS} runs by luck`,
    async () => {
      const kinds: Fault[] = ['refused', 'answer-lost', '500', '409-taken', '409', 461, 462, 466];
      for (let seed = 1; seed <= RUNS; seed += 1) {
        const roll = dice(seed);
        const deaths = Array.from({ length: 1 + roll(4) }, () => 1 + roll(60));
        const faults = Array.from({ length: roll(4) }, () => kinds[roll(kinds.length)] as Fault);
        const how = (['approved', 'automatic', 'sent'] as const)[roll(3)] as How;
        const slowProofs = roll(3);
        await run(deaths, faults, how, slowProofs).catch((cause: Error) => {
          throw new Error(
            `seed ${seed}, ${how}, deaths ${deaths}, faults ${faults}, ${slowProofs} slow proofs: ${cause.message}`,
            { cause },
          );
        });
      }
    },
    30_000 + RUNS * 10_000,
  );
});
