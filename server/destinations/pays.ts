/** Checks that a transaction pays the requested outputs, and not with outputs that already pay something else. Pure. */
import { readInscription } from '../../protocol/assets/bsv21/inscription.ts';
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import type { OutputScript } from '../../protocol/payments/payment-types.ts';
import type { Transaction } from '../../protocol/bitcoin/transaction.ts';

/**
 * True if the transaction has all of these outputs, two equal ones twice. An output of one satoshi may carry an
 * inscription in addition to its lock.
 */
export function paysAll({ outputs }: Pick<Transaction, 'outputs'>, wanted: readonly OutputScript[]): boolean {
  const left = new Map<string, number>();
  const count = (key: string, by: number): number => {
    const now = (left.get(key) ?? 0) + by;
    left.set(key, now);
    return now;
  };
  // Other outputs needn't be checked. A transaction may contain megabytes of them.
  const shapes = new Set(wanted.map(({ script, satoshis }) => `${satoshis} ${script.length / 2}`));
  for (const { lockingScript, satoshis } of outputs) {
    const lock = satoshis === 1n ? (readInscription(lockingScript)?.lock ?? lockingScript) : lockingScript;
    if (shapes.has(`${satoshis} ${lock.length}`)) count(`${satoshis} ${toHex(lock)}`, 1);
  }
  return wanted.every(({ script, satoshis }) => count(`${satoshis} ${script}`, -1) >= 0);
}
