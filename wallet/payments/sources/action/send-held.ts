/** Broadcasts transactions that an application has withheld. */
import { ServiceError } from '../../../../protocol/errors/service-error.ts';
import { readTransaction, inTransaction, database } from '../../../store/database.ts';
import { announceChange, signalChange } from '../../../events.ts';
import { watchLock } from '../../../vault/session.ts';
import { isStopped, outcomeOf } from '../../outcome.ts';
import { processChanged } from '../../runner/runner.ts';
import type { PaymentRecord } from '../../record.ts';
import { isAnswerable, PATIENCE_ATTEMPTS } from '../../move.ts';
import { release } from '../../plan/release.ts';
import { paymentsMaking } from '../../store.ts';
import type { Wallet } from '../../../platform.ts';

export async function paymentByTxid(wallet: Wallet, origin: string, txid: string): Promise<PaymentRecord | undefined> {
  return (await paymentsMaking(readTransaction(await database(wallet)), txid)).find((one) => one.origin === origin);
}

/**
 * Releases payments and their withheld parents for broadcast, parents first, in one database transaction. Releases none
 * if any of them fails.
 * @param ids IDs of one site's payments
 * @throws ServiceError `site-blocked`, `action-ended` (its allowance is gone), `wallet-locked`
 */
export async function releaseHeld(wallet: Wallet, ids: readonly string[]): Promise<void> {
  const released: string[] = [];
  const isStillUnlocked = await watchLock(wallet);
  await inTransaction(wallet, async (tx) => {
    for (const id of ids) released.push(...(await release(wallet, tx, id)));
    if (released.length > 0 && !isStillUnlocked()) throw new ServiceError('wallet-locked');
  });
  for (const id of released) signalChange(wallet, id);
  if (released.length > 0) announceChange(wallet);
  // The payments are broadcast one by one, because a node rejects a transaction whose parent it has not seen.
  void released.reduce((before, id) => before.then(() => processChanged(wallet, id)), Promise.resolve());
}

/** Waits until the network accepts or refuses the payment, the payment ends, or several broadcasts have failed. */
export function triedToSend(wallet: Wallet, id: string): Promise<PaymentRecord> {
  void processChanged(wallet, id);
  return outcomeOf(wallet, id, (read) => {
    const record = read as PaymentRecord;
    const isOver = isAnswerable(record) || record.trouble !== null || isStopped(record);
    return isOver || record.broadcast.attempts >= PATIENCE_ATTEMPTS ? record : undefined;
  });
}
