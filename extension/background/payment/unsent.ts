/** Payments that are signed and that the network has not taken: they wait for it, and are lost with the wallet. */
import { database } from '../database.ts';
import { processAll } from './process.ts';
import { readPayment, transition } from './transition.ts';
import { NOT_TRIED } from './retry.ts';

/** A window that waits for the attempts gets an answer after this time, whatever their outcome (milliseconds). */
const PATIENCE_MS = 10_000;

/** How many there are. */
export async function countUnsent(): Promise<number> {
  return (await database()).countFromIndex('payments', 'state', 'signed');
}

/** Tries to send them all now, without waiting for their next turn. @returns how many are left */
export async function sendUnsent(): Promise<number> {
  for (const id of await (await database()).getAllKeysFromIndex('payments', 'state', 'signed')) {
    await transition(id, 'signed', ({ broadcast }) => ({ broadcast: { ...broadcast, nextAt: 0 } }));
  }
  let timer: ReturnType<typeof setTimeout> | undefined;
  await Promise.race([processAll(), new Promise((late) => (timer = setTimeout(late, PATIENCE_MS)))]);
  clearTimeout(timer);
  return countUnsent();
}

/**
 * Whoever asks again for what the network refused wants it offered once more. Not what something else took the place
 * of.
 */
export async function offerAgain(id: string): Promise<void> {
  const record = await readPayment(id);
  if (record?.state !== 'signed' || record.trouble !== 'refused' || record.replacedBy) return;
  await transition(id, 'signed', ({ trouble, replacedBy }) =>
    trouble === 'refused' && !replacedBy ? { trouble: null, broadcast: NOT_TRIED } : {},
  );
}
