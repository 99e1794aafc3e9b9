import type { WriteTransaction } from '../../store/database.ts';
import { signalChange } from '../../events.ts';
import { reviveAbove } from './conflicts.ts';
import { scheduleWork } from '../schedule.ts';
import { NOT_TRIED } from '../retry.ts';
import { paymentsMinedAbove, putPayment } from '../store.ts';
import type { Wallet } from '../../platform.ts';

/**
 * Undoes the effects of blocks above a height: payments that they confirmed become unconfirmed, and payments that they
 * ended by a conflict are reopened.
 * @returns work for after the commit: proofs are requested again
 */
export async function reopenAbove(wallet: Wallet, tx: WriteTransaction, height: number): Promise<() => Promise<void>> {
  const ids = [...(await unconfirmAbove(wallet, tx, height)), ...(await reviveAbove(wallet, tx, height))];
  return async () => {
    for (const id of ids) signalChange(wallet, id);
    if (ids.length > 0) await scheduleWork(wallet);
  };
}

/** Reopens payments in those blocks: for a new proof, or another broadcast. @returns their ids */
async function unconfirmAbove(wallet: Wallet, tx: WriteTransaction, height: number): Promise<string[]> {
  const taken = await paymentsMinedAbove(tx, height);
  for (const payment of taken)
    await putPayment(wallet, tx, payment, { height: null, wasConfirmed: true, seenAt: null, confirmation: NOT_TRIED });
  return taken.map(({ id }) => id);
}
