import { expect, vi } from 'vitest';
import type { Scope } from '../../../testkit/database/scope.ts';
import { ObjectStore } from '../../../testkit/database/source.ts';
import { counted, NOTHING } from '../../coins/coin.ts';
import { endAllWorkerRuns, type WorkerRun } from '../../../testkit/wallet/worker-run.ts';
import { useNetwork } from '../../../testkit/network/network.ts';
import {
  approvals,
  approve,
  ask,
  give,
  openWallet,
  pay,
  paymentView,
  someone,
  stored,
} from '../../../testkit/wallet/wallet.ts';
import { wallet } from '../../../testkit/wallet/current.ts';

const COINS = [40_000, 500_000];
const AMOUNT = 60_000;
const REQUEST = 'request-of-the-page';
const network = useNetwork();

/** How the payment is made: by a page with approval, by a page from an allowance, or from the wallet's own window. */
export type How = 'approved' | 'automatic' | 'sent';

/** Makes a transaction fail on commit, as Chromium does (Indexed Database API 3.0, 5.4: QuotaExceededError). */
function failToCommit(transaction: Scope): void {
  transaction.beforeCommit = () => {
    throw new DOMException('The disk is full.', 'QuotaExceededError');
  };
}

/** Fills the disk: transactions that contain the given write or a later one fail. */
function fillDisk(from: number): { writes: () => number; free: () => void } {
  let count = 0;
  const spies = (['put', 'add'] as const).map((method) => {
    const real = ObjectStore.prototype[method];
    return vi.spyOn(ObjectStore.prototype, method).mockImplementation(function (this: ObjectStore, ...args) {
      const request = real.apply(this, args);
      count += 1;
      if (count >= from) failToCommit(this.transaction);
      return request;
    });
  });
  return {
    writes: () => count,
    free: () => {
      for (const spy of spies) spy.mockRestore();
    },
  };
}

type Outcome = { id: string } | string;

/** Returns the first response that the user sees: the page's or the approval window's. */
async function firstAnswer(workerRun: WorkerRun, asked: Promise<Outcome>): Promise<Outcome> {
  let window: Outcome | null = null;
  void asked.then((answer) => (window = answer));
  await vi.waitFor(
    async () => {
      for (const { id } of approvals(workerRun)) {
        if (window !== null) break;
        try {
          const view = await paymentView(workerRun, id);
          if (view.problem) throw view.problem;
          await new Promise((resolve) => setTimeout(resolve, 30)); // the reading time passes on an accelerated clock
          await approve(workerRun, id);
        } catch (error) {
          const { code = '' } = workerRun.modules.wire.toWireError(error);
          if (!['too-soon', 'approval-unknown'].includes(code)) window ??= code;
        }
      }
      expect(window).not.toBeNull();
    },
    { interval: 5 },
  );
  return window as unknown as Outcome;
}

async function asking(workerRun: WorkerRun, how: How, to: string): Promise<() => Promise<Outcome>> {
  if (how !== 'sent')
    return () => ask(workerRun, REQUEST, pay(to, AMOUNT), { automatic: how === 'automatic' }).then((one) => one);
  const handlers = workerRun.modules.handlers.walletHandlers(wallet);
  const recipients = [{ to, amount: (AMOUNT / 1e8).toFixed(8), currency: 'BSV' }];
  const { outputs, feeSatoshis, time } = await handlers['send/quote']({ recipients });
  return () =>
    handlers['send/pay']({ requestId: REQUEST, outputs, feeSatoshis: feeSatoshis ?? '0', time }).then(
      (sent) => (sent.taken ? sent : 'payment-pending'),
      (error: unknown) => workerRun.modules.wire.toWireError(error).code,
    );
}

/**
 * Makes a payment on a disk that becomes full at the given write. Then frees the disk and repeats the page's request.
 * @returns the number of writes during the payment, and the first error code that the user saw, or `paid`
 */
export async function payOnFullDisk(from: number, how: How): Promise<{ writes: number; told: string }> {
  network.reset();
  const workerRun = await openWallet(network, COINS, { account: true });
  await give(workerRun, { currency: 'BSV', limit: how === 'automatic' ? 100_000n : 1n });
  const to = someone();
  const request = await asking(workerRun, how, to);
  const disk = fillDisk(from);
  const first = await firstAnswer(workerRun, request());
  const isPaid = async () => (await network.unspent(to)).length > 0 || (await signed(workerRun)).length > 0;
  if (typeof first === 'string') {
    expect(['disk-full', 'payment-pending'], `the user was told: ${first}`).toContain(first);
    // The message that the user saw must be true.
    expect(await isPaid(), first).toBe(first === 'payment-pending');
    if (first === 'disk-full') expect(await reserved(workerRun)).toEqual([]);
  }
  const writes = disk.writes();
  disk.free();
  const next = await workerRun.profile.start();
  await next.modules.drive.processAll(wallet);
  await network.mine();
  await next.modules.poll.refresh(wallet);
  await next.modules.drive.processAll(wallet);
  const unspent = await network.unspent(to);
  const told = typeof first === 'string' ? first : 'paid';
  expect(unspent.length, `${told}, then`).toBe(told === 'disk-full' ? 0 : 1);
  const { coins } = await stored(next);
  expect(coins.filter(({ status }) => status !== 'spent' && status !== 'available')).toEqual([]);
  const db = await next.modules.database.database(wallet);
  expect(await db.get('totals', 'coins')).toEqual(coins.reduce((sum, coin) => counted(sum, undefined, coin), NOTHING));
  if (how === 'automatic')
    expect(await db.getAll('allowances')).toMatchObject([{ payments: told === 'disk-full' ? 0 : 1 }]);
  endAllWorkerRuns();
  return { writes, told };
}

async function reserved(workerRun: WorkerRun): Promise<unknown[]> {
  return (await stored(workerRun)).coins.filter(({ status }) => status !== 'available');
}

async function signed(workerRun: WorkerRun): Promise<unknown[]> {
  return (await stored(workerRun)).payments.filter((payment) => payment.signed !== null);
}
