/** Signed payments that the network hasn't accepted. They would be lost with the wallet. */
import { readTransaction, database } from '../../store/database.ts';
import { processAll } from './runner.ts';
import type { PaymentRecord } from '../record.ts';
import { transition } from '../transition.ts';
import { NOT_TRIED } from '../retry.ts';
import { countIn, idsIn } from '../store.ts';
import type { Timer, Wallet } from '../../platform.ts';

/** Maximum time that a window waits for the attempts (milliseconds). */
const PATIENCE_MS = 10_000;

export async function countUnsent(wallet: Wallet): Promise<number> {
  return countIn(readTransaction(await database(wallet)), 'signed');
}

/** Attempts to send all of them now. @returns how many are left */
export async function sendUnsent(wallet: Wallet): Promise<number> {
  for (const id of await idsIn(readTransaction(await database(wallet)), 'signed')) {
    await transition(wallet, id, 'signed', ({ broadcast }) => ({ broadcast: { ...broadcast, nextAt: 0 } }));
  }
  let timer: Timer | undefined;
  await Promise.race([processAll(wallet), new Promise((late) => (timer = wallet.setTimeout(late, PATIENCE_MS)))]);
  wallet.clearTimeout(timer);
  return countUnsent(wallet);
}

/**
 * Submits a refused payment again because its request was repeated, unless it was replaced.
 * @returns the previous number of attempts to broadcast it
 */
export async function offerAgain(
  wallet: Wallet,
  { id, state, trouble, replacedBy, broadcast }: PaymentRecord,
): Promise<number> {
  if (state !== 'signed' || trouble !== 'refused' || replacedBy) return broadcast.attempts;
  const offered = await transition(wallet, id, 'signed', (now) =>
    now.trouble === 'refused' && !now.replacedBy ? { trouble: null, broadcast: NOT_TRIED } : {},
  );
  return (offered?.broadcast ?? broadcast).attempts;
}
