/** Announces that the index shows a transaction's outputs. The listener updates its payment in the same transaction. */
import type { WriteTransaction } from '../database.ts';

/** Updates the payment in the given transaction, and awaits nothing else. @returns whether there is work to do */
type ShownListener = (tx: WriteTransaction, txid: string) => Promise<boolean>;

let listener: ShownListener = () => Promise.resolve(false);
let work: () => void = () => undefined;

/** Registers the listener at the worker's start. @param then starts the work after the commit */
export function onShown(update: ShownListener, then: () => void): void {
  listener = update;
  work = then;
}

/** Announces it within a larger transaction. @returns whether there is work to do afterwards */
export function announceShown(...args: Parameters<ShownListener>): ReturnType<ShownListener> {
  return listener(...args);
}

export const afterShown = (): void => work();
