import { writeAddress } from '../../../../protocol/bitcoin/address.ts';
import type { SendQuote, SendRecipient, SendResult } from '../../../../protocol/messages/wallet-messages.ts';
import { type WorkerRun } from '../../../../testkit/wallet/worker-run.ts';
import { useNetwork } from '../../../../testkit/network/network.ts';
import { wallet } from '../../../../testkit/wallet/current.ts';

export const network = useNetwork();

export const someone = (on: 'devnet' | 'mainnet' = 'devnet') =>
  writeAddress(crypto.getRandomValues(new Uint8Array(20)), on);
export const bsv = (to: string, satoshis: number): SendRecipient => ({
  to,
  amount: (satoshis / 1e8).toFixed(8),
  currency: 'BSV',
});

export function quote(workerRun: WorkerRun, ...recipients: SendRecipient[]): Promise<SendQuote> {
  return workerRun.modules.handlers.walletHandlers(wallet)['send/quote']({ recipients }) as Promise<SendQuote>;
}

/** Pays the quote as the window does after the user's click. */
export function click(
  workerRun: WorkerRun,
  { outputs, feeSatoshis, time }: SendQuote,
  requestId = 'request-of-the-window',
): Promise<SendResult> {
  return workerRun.modules.handlers.walletHandlers(wallet)['send/pay']({
    requestId,
    outputs,
    feeSatoshis: feeSatoshis ?? '0',
    time,
  }) as Promise<SendResult>;
}

export const balanceOf = async (workerRun: WorkerRun) => (await workerRun.modules.store.balance(wallet)).satoshis;
