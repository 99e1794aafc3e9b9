import { expect, vi } from 'vitest';
import type { Payment } from '../../../protocol/payments/payment.ts';
import { startForking, type ForkingNetwork } from '../../../testkit/network/forking.ts';
import { type WorkerRun } from '../../../testkit/wallet/worker-run.ts';
import { ask, openWallet, pay, approveAll, paymentWhere, someone } from '../../../testkit/wallet/wallet.ts';
import { wallet as current } from '../../../testkit/wallet/current.ts';

export const FUNDS = 50_000;
export const AMOUNT = 20_000;

export async function payFrom(workerRun: WorkerRun, network: ForkingNetwork): Promise<Payment> {
  approveAll(workerRun);
  const payment = await ask(workerRun, `request-${network.broadcasts.length}-of-this-page`, pay(someone(), AMOUNT));
  if (typeof payment === 'string') throw new Error(payment);
  return payment;
}

/** Starts a wallet that received money in one block and made a payment in the next. */
export async function wallet() {
  const network = await startForking(30);
  const workerRun = await openWallet(network, [FUNDS]);
  network.mine();
  await workerRun.modules.poll.refresh(current);
  const payment = await payFrom(workerRun, network);
  network.mine();
  await paymentWhere(workerRun, payment.id, ({ height }) => height === 31);
  const unconfirmed = async () => (await workerRun.modules.store.balance(current)).unconfirmed;
  const problem = async () => (await workerRun.modules.overview.overview(current)).problem?.code ?? null;
  return { network, workerRun, payment, unconfirmed, problem, refresh: () => workerRun.modules.poll.refresh(current) };
}

export const choose = (workerRun: WorkerRun, { url }: ForkingNetwork) =>
  workerRun.modules.handlers.walletHandlers(current)['network/choose']({
    network: 'devnet',
    arcUrl: `${url}/arc`,
    wocUrl: `${url}/woc`,
  });
export const settled = (workerRun: WorkerRun) =>
  vi.waitFor(
    async () => {
      expect(await workerRun.modules.overview.overview(current)).toMatchObject({
        unconfirmedSatoshis: '0',
        problem: null,
        scan: null,
      });
    },
    { interval: 10 },
  );
