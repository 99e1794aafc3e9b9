/**
 * Crash tests for applications' transactions: the service worker is stopped at an `await`, the page repeats its call
 * with the same message name, and a new worker continues with the same database.
 */
import { expect, test } from 'vitest';
import { p2pkhScript } from '../../../protocol/bitcoin/address.ts';
import { toHex } from '../../../protocol/bitcoin/bytes.ts';
import { counted, NOTHING } from '../../coins/coin.ts';
import {
  APP,
  appScript,
  call,
  output,
  permit,
  signInput,
  transactionIn,
  UNLOCKING_BYTES,
} from '../../../testkit/wallet/applications.ts';
import { type Fault, useNetwork } from '../../../testkit/network/network.ts';
import { give, openWallet, paymentWhere, stored } from '../../../testkit/wallet/wallet.ts';
import { endAllWorkerRuns, type WorkerRun } from '../../../testkit/wallet/worker-run.ts';
import type { SupportedMethod } from '../../../protocol/brc100/methods.ts';
import { wallet } from '../../../testkit/wallet/current.ts';

const network = useNetwork();

/** Every nth crash point is tested. Set to 1 to test all. */
const STRIDE = 18;
const FAULTY_STRIDE = 58;

const COINS = [40_000, 30_000, 500_000, 20_000_000];
const AMOUNT = 60_000;
const SOMEBODY = toHex(p2pkhScript(new Uint8Array(20).fill(9)));

/** An application's call, repeated with the same message name until it gets a response. */
type Step = (before: Record<string, unknown>[]) => { method: SupportedMethod; args: object };

const outputs = [output(AMOUNT, SOMEBODY), output(900, appScript(0), { basket: 'things' })];
const wanted = (options: object = {}) => ({
  description: 'buy a thing',
  labels: ['shop'],
  outputs,
  options: { randomizeOutputs: false, ...options },
});

const WAYS: Record<string, { steps: Step[]; thingsSpent?: boolean }> = {
  'made at once': { steps: [() => ({ method: 'createAction', args: wanted() })] },
  'signed later': {
    steps: [
      () => ({ method: 'createAction', args: wanted({ signAndProcess: false }) }),
      ([made]) => ({
        method: 'signAction',
        args: { reference: (made!.signableTransaction as { reference: string }).reference, spends: {} },
      }),
    ],
  },
  'kept, then sent': {
    steps: [
      () => ({ method: 'createAction', args: wanted({ noSend: true }) }),
      ([made]) => ({ method: 'createAction', args: { description: 'send it', options: { sendWith: [made!.txid] } } }),
    ],
  },
  'given up, then made again': {
    steps: [
      () => ({ method: 'createAction', args: wanted({ signAndProcess: false }) }),
      ([made]) => ({
        method: 'abortAction',
        args: { reference: (made!.signableTransaction as { reference: string }).reference },
      }),
      () => ({ method: 'createAction', args: wanted() }),
    ],
  },
  'spent again with the application’s signature': {
    thingsSpent: true,
    steps: [
      () => ({ method: 'createAction', args: wanted() }),
      ([made]) => ({
        method: 'createAction',
        args: {
          description: 'use the thing',
          inputs: [
            {
              outpoint: `${made!.txid as string}.1`,
              inputDescription: 'the thing',
              unlockingScriptLength: UNLOCKING_BYTES,
            },
          ],
          outputs: [output(700, SOMEBODY)],
        },
      }),
      ([, made]) => {
        const { reference, tx } = made!.signableTransaction as { reference: string; tx: number[] };
        return {
          method: 'signAction',
          args: { reference, spends: { 0: { unlockingScript: signInput(transactionIn(tx), 0, 900) } } },
        };
      },
    ],
  },
};

async function throughDeaths(
  first: WorkerRun,
  deaths: readonly number[],
  steps: readonly Step[],
  name: string,
): Promise<{ workerRun: WorkerRun; crashPoints: number }> {
  let workerRun = first;
  const left = [...deaths];
  workerRun.dieAt(left.shift() ?? Number.POSITIVE_INFINITY);
  const answers: Record<string, unknown>[] = [];
  let crashPoints = 0;
  const next = async () => {
    crashPoints ||= workerRun.crashPoints.length;
    workerRun = await workerRun.profile.start(left.shift());
  };
  for (const [i, step] of steps.entries()) {
    for (;;) {
      const { method, args } = step(answers);
      const answer = await workerRun.untilDeath(() => call(workerRun, method, args, { message: `${name} ${i}` }));
      if (answer !== null) {
        if ('code' in answer) throw new Error(`${method}: ${JSON.stringify(answer)}`);
        answers.push(answer);
        break;
      }
      await next();
    }
  }
  for (;;) {
    if (workerRun.dead) await next();
    if (await workerRun.untilDeath(() => settled(workerRun))) break;
  }
  crashPoints ||= workerRun.crashPoints.length;
  return { workerRun, crashPoints };
}

/** Waits until all signed transactions have been broadcast, then confirms them. */
async function settled(workerRun: WorkerRun): Promise<true> {
  const sent = (await stored(workerRun)).payments.filter(({ signed, height }) => signed !== null && height === null);
  for (const { id } of sent) await paymentWhere(workerRun, id, ({ state }) => state === 'settled');
  await network.mine();
  for (const { id } of sent) await paymentWhere(workerRun, id, ({ height }) => height !== null);
  return true;
}

async function everything(workerRun: WorkerRun) {
  const db = await workerRun.modules.database.database(wallet);
  const [allowance] = await db.getAll('allowances');
  return {
    ...(await stored(workerRun)),
    balance: (await workerRun.modules.store.balance(wallet)).satoshis,
    debited: allowance!.spentSatoshis,
    outputs: await db.getAll('appOutputs'),
    actions: await db.getAll('appActions'),
    totals: await db.get('totals', 'coins'),
  };
}

async function open(): Promise<WorkerRun> {
  network.reset();
  const workerRun = await openWallet(network, COINS);
  await give(workerRun, { origin: APP, currency: 'BSV', limit: 100_000_000n });
  await permit(workerRun, APP);
  return workerRun;
}

/** Runs one test. The tests share a wallet, which is replaced after a failure. */
async function run(
  first: WorkerRun,
  way: keyof typeof WAYS,
  deaths: readonly number[],
  faults: readonly Fault[] = [],
): Promise<{ workerRun: WorkerRun; crashPoints: number }> {
  const before = await everything(first);
  network.faults = [...faults];
  const { steps, thingsSpent = false } = WAYS[way]!;
  const { workerRun, crashPoints } = await throughDeaths(first, deaths, steps, `run ${deaths.join(' ')}`);
  const after = await everything(workerRun);
  const news = <T>(all: readonly T[], old: readonly unknown[]) => all.slice(old.length);
  const known = new Set(before.payments.map(({ id }) => id));
  const sent = after.payments.filter(({ id, signed }) => signed !== null && !known.has(id));
  expect(sent).toHaveLength(thingsSpent ? 2 : 1);
  const fees = sent.reduce((sum, { signed }) => sum + signed!.feeSatoshis, 0n);
  const cost = BigInt(AMOUNT + 900 + (thingsSpent ? 700 - 900 : 0)) + fees;
  // The allowance is debited exactly once per payment, by the amount spent.
  const spent = sent.reduce((sum, { allowance }) => sum + (allowance?.debitSatoshis ?? 0n), 0n);
  expect(after.debited - before.debited).toBe(spent);
  expect(after.coins.filter(({ status }) => status !== 'spent' && status !== 'available')).toEqual([]);
  expect(after.totals).toEqual(after.coins.reduce((sum, coin) => counted(sum, undefined, coin), NOTHING));
  expect(before.balance - after.balance).toBe(cost);
  expect(news(after.outputs, before.outputs)).toMatchObject([
    { status: thingsSpent ? 'spent' : 'available', basket: 'things' },
  ]);
  expect(
    news(after.actions, before.actions)
      .map(({ txid }) => txid)
      .toSorted(),
  ).toEqual(sent.map(({ signed }) => signed!.txid).toSorted());
  return { workerRun, crashPoints };
}

async function forEveryCrashPoint(
  stride: number,
  once: (workerRun: WorkerRun, n: number) => ReturnType<typeof run>,
  first: number,
): Promise<void> {
  const failures: string[] = [];
  let workerRun: WorkerRun | null = null;
  for (let n = first % stride || stride, crashPoints = Number.POSITIVE_INFINITY; n <= crashPoints; n += stride) {
    try {
      const done: Awaited<ReturnType<typeof run>> = await once(workerRun ?? (await open()), n);
      workerRun = done.workerRun;
      if (done.crashPoints < n) crashPoints = done.crashPoints;
    } catch (error) {
      workerRun = null;
      failures.push(`crash point ${n}: ${(error as Error).message}`);
      if (failures.length > 5) break;
    }
  }
  endAllWorkerRuns();
  expect(failures).toEqual([]);
}

test.each(Object.keys(WAYS).map((way, i) => [way, 1 + 3 * i] as const))(
  '%s: there is one transaction, one debit and no lost coin if the worker is stopped once',
  async (way, first) => forEveryCrashPoint(STRIDE, (workerRun, n) => run(workerRun, way, [n]), first),
  120_000,
);

test.each(Object.keys(WAYS).map((way, i) => [way, 3 + 8 * i] as const))(
  '%s: there is one transaction, one debit and no lost coin if the worker is stopped twice and broadcasts fail',
  async (way, first) =>
    forEveryCrashPoint(FAULTY_STRIDE, (workerRun, n) => run(workerRun, way, [n, 5], ['answer-lost', '500']), first),
  120_000,
);
