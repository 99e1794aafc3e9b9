/** Announces that the index shows a transaction's outputs. The listener updates its payment in the same transaction. */
import type { WriteTransaction } from '../store/database.ts';
import { part, type Wallet } from '../platform.ts';

/** Updates the payment in the given transaction, and awaits nothing else. @returns whether there is work to do */
type ShownListener = (tx: WriteTransaction, txid: string) => Promise<boolean>;

const memoryOf = part(() => ({
  listener: (() => Promise.resolve(false)) as ShownListener,
  work: (() => undefined) as () => void,
}));

/** Registers the listener at the worker's start. @param then starts the work after the commit */
export function onShown(wallet: Wallet, update: ShownListener, then: () => void): void {
  const memory = memoryOf(wallet);
  memory.listener = update;
  memory.work = then;
}

/** Announces it within a larger transaction. @returns whether there is work to do afterwards */
export function announceShown(wallet: Wallet, ...args: Parameters<ShownListener>): ReturnType<ShownListener> {
  return memoryOf(wallet).listener(...args);
}

export const afterShown = (wallet: Wallet): void => memoryOf(wallet).work();
