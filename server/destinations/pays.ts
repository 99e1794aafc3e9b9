/** Does a transaction pay what was asked, and not with outputs that pay something else already? Pure. */
import { readInscription } from '../../protocol/bsv21/inscription.ts';
import { toHex } from '../../protocol/bytes.ts';
import type { Transaction } from '../../protocol/transaction.ts';

/** An output that is to be there: script (lower-case hex) and satoshis (decimal text). */
export interface WantedOutput {
  script: string;
  satoshis: string;
}

/**
 * True where the transaction has all of these outputs, each for itself: of two alike it has two. One of a single satoshi
 * may carry an inscription besides what locks it: an ordinal, or a token.
 */
export function paysAll({ outputs }: Pick<Transaction, 'outputs'>, wanted: readonly WantedOutput[]): boolean {
  const left = new Map<string, number>();
  const count = (key: string, by: number): number => {
    const now = (left.get(key) ?? 0) + by;
    left.set(key, now);
    return now;
  };
  // Others need not be looked at: a transaction may hold megabytes of them.
  const shapes = new Set(wanted.map(({ script, satoshis }) => `${satoshis} ${script.length / 2}`));
  for (const { lockingScript, satoshis } of outputs) {
    const lock = satoshis === 1n ? (readInscription(lockingScript)?.lock ?? lockingScript) : lockingScript;
    if (shapes.has(`${satoshis} ${lock.length}`)) count(`${satoshis} ${toHex(lock)}`, 1);
  }
  return wanted.every(({ script, satoshis }) => count(`${satoshis} ${script}`, -1) >= 0);
}
