/** Checks that a transaction pays the requested outputs, counting each output only once. Pure. */
import { readInscription } from '../../protocol/assets/bsv21/inscription.ts';
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import type { OutputScript } from '../../protocol/payments/payment-types.ts';
import type { Transaction } from '../../protocol/bitcoin/transaction.ts';

/**
 * True if the transaction has all of these outputs, each as many times as it is listed. A one-satoshi output may add an
 * inscription to its locking script.
 */
export function paysAll({ outputs }: Pick<Transaction, 'outputs'>, wanted: readonly OutputScript[]): boolean {
  const left = new Map<string, number>();
  const count = (key: string, by: number): number => {
    const now = (left.get(key) ?? 0) + by;
    left.set(key, now);
    return now;
  };
  // Skips outputs with different amounts or script sizes, because scripts can be megabytes long.
  const shapes = new Set(wanted.map(({ script, satoshis }) => `${satoshis} ${script.length / 2}`));
  for (const { lockingScript, satoshis } of outputs) {
    const lock = satoshis === 1n ? (readInscription(lockingScript)?.lock ?? lockingScript) : lockingScript;
    if (shapes.has(`${satoshis} ${lock.length}`)) count(`${satoshis} ${toHex(lock)}`, 1);
  }
  return wanted.every(({ script, satoshis }) => count(`${satoshis} ${script}`, -1) >= 0);
}
