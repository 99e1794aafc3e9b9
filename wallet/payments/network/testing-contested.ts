import { expect } from 'vitest';
import { parseTransactionHex } from '../../../protocol/bitcoin/transaction.ts';
import type { AllowanceKey } from '../../allowances/allowance.ts';
import { counted, NOTHING } from '../../coins/coin.ts';
import { type WorkerRun } from '../../../testkit/wallet/worker-run.ts';
import { expectKnownInputs, useNetwork } from '../../../testkit/network/network.ts';
import { ask, pay, approveAll, stored, someone } from '../../../testkit/wallet/wallet.ts';
import type { PaymentRecord } from '../record.ts';
import { wallet } from '../../../testkit/wallet/current.ts';

export const network = useNetwork();
expectKnownInputs(network);

export const AUTOMATIC = { automatic: true };
export const handlers = (workerRun: WorkerRun) => workerRun.modules.handlers.walletHandlers(wallet);
export const allowance = async (workerRun: WorkerRun, key: AllowanceKey) =>
  (await workerRun.modules.database.database(wallet)).get('allowances', key);
export const inputsOf = ({ signed }: PaymentRecord) =>
  parseTransactionHex(signed?.rawtx ?? '').inputs.map(({ txid, vout }) => `${txid}:${vout}`);
export const byAge = async (workerRun: WorkerRun) =>
  (await stored(workerRun)).payments.sort((a, b) => a.createdAt - b.createdAt);

/** Broadcasts a payment without the wallet, as an operator with a copy of it could. @returns the HTTP status */
export async function broadcastPastWallet({ signed }: PaymentRecord): Promise<number> {
  const answer = await fetch(`${network.url}/devnet/arc/v1/tx`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ rawTx: signed?.rawtx }),
  });
  return answer.status;
}

/** Asserts that the stored balance matches the coins, and that all spendable coins are in the ledger. */
export async function expectConsistent(workerRun: WorkerRun): Promise<void> {
  const { coins } = await stored(workerRun);
  const db = await workerRun.modules.database.database(wallet);
  expect(await db.get('totals', 'coins')).toEqual(coins.reduce((sum, coin) => counted(sum, undefined, coin), NOTHING));
  for (const coin of coins.filter(({ status }) => status === 'available')) {
    const { address } = (await db.get('addresses', coin.script)) ?? { address: '' };
    expect(
      (await network.unspent(address)).some(
        ({ txid, satoshis }) => txid === coin.txid && BigInt(satoshis) === coin.satoshis,
      ),
      `coin of ${coin.satoshis}`,
    ).toBe(true);
  }
}

export async function refusedPayment(
  workerRun: WorkerRun,
  satoshis = 20_000,
  requestId = 'request-1',
): Promise<PaymentRecord> {
  network.faults = [461];
  approveAll(workerRun);
  const to = someone();
  expect(await ask(workerRun, requestId, pay(to, satoshis))).toBe('payment-contested');
  return (await byAge(workerRun)).at(-1) as PaymentRecord;
}

/** Cancels a payment as the popup does: reads the fee, then approves it. */
export async function cancel(workerRun: WorkerRun, id: string): Promise<void> {
  const { cancelFee } = await handlers(workerRun)['activity/read']({ id });
  await handlers(workerRun)['activity/cancel']({ id, feeSatoshis: cancelFee ?? '0' });
}
