/** Signed payments that the network has not taken. They wait for it, and are lost with the wallet. */
import { readTransaction, database } from '../database.ts';
import { processAll } from './process.ts';
import type { PaymentRecord } from './record.ts';
import { transition } from './transition.ts';
import { NOT_TRIED } from './retry.ts';
import { countIn, idsIn } from './store.ts';

/** Maximum time that a window waits for the attempts (milliseconds). */
const PATIENCE_MS = 10_000;

export async function countUnsent(): Promise<number> {
  return countIn(readTransaction(await database()), 'signed');
}

/** Attempts to send them all now. @returns how many are left */
export async function sendUnsent(): Promise<number> {
  for (const id of await idsIn(readTransaction(await database()), 'signed')) {
    await transition(id, 'signed', ({ broadcast }) => ({ broadcast: { ...broadcast, nextAt: 0 } }));
  }
  let timer: ReturnType<typeof setTimeout> | undefined;
  await Promise.race([processAll(), new Promise((late) => (timer = setTimeout(late, PATIENCE_MS)))]);
  clearTimeout(timer);
  return countUnsent();
}

/**
 * Submits a refused payment again because its request was repeated, unless it was replaced.
 * @returns the number of attempts to broadcast it before
 */
export async function offerAgain({ id, state, trouble, replacedBy, broadcast }: PaymentRecord): Promise<number> {
  if (state !== 'signed' || trouble !== 'refused' || replacedBy) return broadcast.attempts;
  const offered = await transition(id, 'signed', (now) =>
    now.trouble === 'refused' && !now.replacedBy ? { trouble: null, broadcast: NOT_TRIED } : {},
  );
  return (offered?.broadcast ?? broadcast).attempts;
}
