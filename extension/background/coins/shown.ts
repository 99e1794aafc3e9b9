/**
 * Announces that the index shows outputs of a transaction to the wallet. The listener updates the payment that makes
 * them in the database transaction that stores them.
 */
import type { WriteTransaction } from '../database.ts';

/** Updates the payment in the given transaction, and awaits nothing else. @returns whether there is work to do */
type ShownListener = (tx: WriteTransaction, txid: string) => Promise<boolean>;

let listener: ShownListener = () => Promise.resolve(false);
let work: () => void = () => undefined;

/**
 * Registers the listener. Called once, when the worker starts.
 * @param then starts the work once the transaction is committed
 */
export function onShown(update: ShownListener, then: () => void): void {
  listener = update;
  work = then;
}

/** Announces it within a larger transaction. @returns whether there is work to do afterwards */
export function announceShown(...args: Parameters<ShownListener>): ReturnType<ShownListener> {
  return listener(...args);
}

export const afterShown = (): void => work();
