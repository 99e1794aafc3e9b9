import { expect } from 'vitest';
import type { Payment, PaymentOptions } from '../../../protocol/payments/payment.ts';
import { counted, NOTHING } from '../../coins/coin.ts';
import { endAllWorkerRuns, type WorkerRun } from '../../../testkit/wallet/worker-run.ts';
import { expectKnownInputs, type Fault, useNetwork } from '../../../testkit/network/network.ts';
import {
  ask,
  give,
  openWallet,
  pay,
  approveAll,
  paymentWhere,
  stored,
  someone,
} from '../../../testkit/wallet/wallet.ts';
import { wallet } from '../../../testkit/wallet/current.ts';

const COINS = [40_000, 30_000, 500_000];
const AMOUNT = 60_000;
const REQUEST = 'request-of-the-page';

const network = useNetwork();
expectKnownInputs(network);

/** How the payment is made: by a page with approval, by a page from an allowance, or from the wallet's own window. */
export type How = 'approved' | 'automatic' | 'sent';

interface Run {
  how: How;
  workerRun: WorkerRun;
  payment: Pick<Payment, 'id' | 'txid'>;
  to: string;
  asking: (workerRun: WorkerRun) => Promise<Pick<Payment, 'id' | 'txid'> | string>;
}

/** Returns a function that pays from the wallet's own window, using the first worker's quote even after a crash. */
async function sendingOf(
  workerRun: WorkerRun,
  { outputs: [output] }: PaymentOptions,
): Promise<(workerRun: WorkerRun) => Promise<Run['payment'] | string>> {
  const { to = '', amount = '', currency = '' } = output ?? {};
  const { outputs, feeSatoshis, time } = await workerRun.modules.handlers.walletHandlers(wallet)['send/quote']({
    recipients: [{ to, amount, currency }],
  });
  return async ({ modules }) => {
    const sent = await modules.handlers.walletHandlers(wallet)['send/pay']({
      requestId: REQUEST,
      outputs,
      feeSatoshis: feeSatoshis ?? '0',
      time,
    });
    return sent.taken ? sent : 'payment-pending';
  };
}

/** Repeats the request after every crash until the payment is confirmed. The user approves the amount shown. */
async function payThroughDeaths(first: WorkerRun, deaths: readonly (number | string)[], how: How): Promise<Run> {
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
      // The block is mined while this worker or the next one reports and confirms the payment.
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
  // A payment from an allowance opens no window and has one debit, which equals its cost.
  const db = await workerRun.modules.database.database(wallet);
  const cost = how === 'automatic' ? BigInt(AMOUNT) + (record?.signed?.feeSatoshis ?? 0n) : 0n;
  expect(await db.getAll('allowances')).toMatchObject([
    { spent: cost, totalSpent: cost, payments: how === 'automatic' ? 1 : 0 },
  ]);
  expect(record?.allowance?.debit).toBe(how === 'automatic' ? cost : undefined);
  if (how !== 'approved') expect(workerRun.profile.browser.windowsOpened).toBe(0);
  // Repeating the request returns the same payment and moves no money.
  expect(await asking(workerRun)).toMatchObject({
    id: payment.id,
    txid: payment.txid,
    ...(how !== 'sent' && { status: 'COMPLETED' }),
  });
  // The wallet's spent and unspent coins match the ledger.
  const { coins } = await stored(workerRun);
  expect(coins.filter((c) => c.status !== 'spent' && c.status !== 'available')).toEqual([]);
  expect(await db.get('totals', 'coins')).toEqual(coins.reduce((sum, coin) => counted(sum, undefined, coin), NOTHING));
  const all = COINS.reduce((sum, one) => sum + BigInt(one), 0n);
  expect((await workerRun.modules.store.balance(wallet)).satoshis).toBe(
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

/** Makes one payment while workers crash at the given points. Returns the last run's number of crash points. */
export async function run(
  deaths: readonly (number | string)[],
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
