/**
 * Transactions of applications under crashes: the service worker is stopped at the awaits of its code, the application's
 * page calls again under the same name, and a new run continues from the same database.
 */
import { expect, test } from 'vitest';
import { p2pkhScript } from '../../../../protocol/address.ts';
import { toHex } from '../../../../protocol/bytes.ts';
import { SOAKING } from '../../../../testing/soak.ts';
import { counted, NOTHING } from '../../coins/balance-totals.ts';
import {
  APP,
  appScript,
  call,
  output,
  permit,
  signInput,
  transactionIn,
  UNLOCKING_BYTES,
} from '../../testing/applications.ts';
import { type Fault, useNetwork } from '../../testing/network.ts';
import { give, openWallet, paymentWhere, stored } from '../../testing/wallet.ts';
import { endAllWorkerRuns, type WorkerRun } from '../../testing/worker-run.ts';
import type { SupportedMethod } from '../../../../protocol/brc100/methods.ts';

const network = useNetwork();

/** Of the crash points of a run, every how many-th is tried: 1 tries all. */
const STRIDE = SOAKING ? 1 : 9;
const FAULTY_STRIDE = SOAKING ? 2 : 29;

const COINS = [40_000, 30_000, 500_000];
const AMOUNT = 60_000;
const SOMEBODY = toHex(p2pkhScript(new Uint8Array(20).fill(9)));

/** The steps of an application: each is called until it has its answer, under one name. */
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
      const answer = await Promise.race([
        call(workerRun, method, args, { message: `step ${i}` }),
        workerRun.died.then(() => null),
      ]);
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
    // A run that is cut off meanwhile answers nothing any more.
    const confirmed = await Promise.race([settled(workerRun), workerRun.died.then(() => null)]);
    if (confirmed) break;
  }
  crashPoints ||= workerRun.crashPoints.length;
  workerRun.dieAt(Number.POSITIVE_INFINITY);
  return { workerRun, crashPoints };
}

/** All that was signed is on the network, and then in a block. */
async function settled(workerRun: WorkerRun): Promise<true> {
  const sent = (await stored(workerRun)).payments.filter(({ signed }) => signed !== null);
  for (const { id } of sent) await paymentWhere(workerRun, id, ({ state }) => state === 'settled');
  await network.mine();
  for (const { id } of sent) await paymentWhere(workerRun, id, ({ height }) => height !== null);
  return true;
}

async function run(way: keyof typeof WAYS, deaths: readonly number[], faults: readonly Fault[] = []): Promise<number> {
  network.reset();
  const first = await openWallet(network, COINS);
  await give(first, { origin: APP, currency: 'BSV', limit: 200_000n });
  await permit(first, APP);
  network.faults = [...faults];
  const { steps, thingsSpent = false } = WAYS[way]!;
  const { workerRun, crashPoints } = await throughDeaths(first, deaths, steps);
  const { payments, coins } = await stored(workerRun);
  const sent = payments.filter(({ signed }) => signed !== null);
  expect(sent).toHaveLength(thingsSpent ? 2 : 1);
  const fees = sent.reduce((sum, { signed }) => sum + signed!.feeSatoshis, 0n);
  const cost = BigInt(AMOUNT + 900 + (thingsSpent ? 700 - 900 : 0)) + fees;
  const db = await workerRun.modules.database.database();
  // Debited with what left the wallet, once for each; what costs nothing is debited with nothing.
  const spent = sent.reduce((sum, { allowance }) => sum + (allowance?.debitSatoshis ?? 0n), 0n);
  expect(await db.getAll('allowances')).toMatchObject([{ spentSatoshis: spent }]);
  expect(coins.filter(({ status }) => status !== 'spent' && status !== 'available')).toEqual([]);
  expect(await db.get('totals', 'coins')).toEqual(coins.reduce((sum, coin) => counted(sum, undefined, coin), NOTHING));
  expect((await workerRun.modules.store.balance()).satoshis).toBe(
    COINS.reduce((sum, one) => sum + BigInt(one), 0n) - cost,
  );
  expect(await db.getAll('appOutputs')).toMatchObject([
    { status: thingsSpent ? 'spent' : 'available', basket: 'things' },
  ]);
  expect((await db.getAll('appActions')).map(({ txid }) => txid).toSorted()).toEqual(
    sent.map(({ signed }) => signed!.txid).toSorted(),
  );
  endAllWorkerRuns();
  return crashPoints;
}

async function forEveryCrashPoint(stride: number, once: (n: number) => Promise<number>, first: number): Promise<void> {
  const failures: string[] = [];
  for (let n = first, crashPoints = Number.POSITIVE_INFINITY; n <= crashPoints; n += stride) {
    try {
      const reached = await once(n);
      if (reached < n) crashPoints = reached;
    } catch (error) {
      failures.push(`crash point ${n}: ${(error as Error).message}`);
      if (failures.length > 5) break;
    }
  }
  expect(failures).toEqual([]);
}

test.each(Object.keys(WAYS).map((way, i) => [way, i + 1] as const))(
  '%s: one transaction, one debit, no coin lost, where the worker is stopped once',
  async (way, first) => forEveryCrashPoint(STRIDE, (n) => run(way, [n]), first),
  120_000,
);

test.each(Object.keys(WAYS).map((way, i) => [way, i + 3] as const))(
  '%s: the same, stopped twice, with a broadcast whose answer is lost',
  async (way, first) => forEveryCrashPoint(FAULTY_STRIDE, (n) => run(way, [n, 5], ['answer-lost', '500']), first),
  120_000,
);
