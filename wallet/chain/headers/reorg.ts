/**
 * Announces reorganizations. The listener undoes decisions based on removed blocks, in the same database transaction.
 */
import type { WriteTransaction } from '../../store/database.ts';
import { part, type Wallet } from '../../platform.ts';

/**
 * Undoes the decisions based on blocks above a height. May await only operations of the given transaction.
 * @returns work to run after the commit; if the worker stops first, the next worker runs it
 */
export type ReorgListener = (tx: WriteTransaction, height: number) => Promise<() => Promise<void>>;

const memoryOf = part(() => ({
  listener: (() => Promise.resolve(() => Promise.resolve())) as ReorgListener,
}));

/** Registers the listener when the worker starts. */
export function onReorg(wallet: Wallet, undo: ReorgListener): void {
  memoryOf(wallet).listener = undo;
}

/** Announces that the blocks above a height are removed. @returns see {@link ReorgListener} */
export function announceReorg(wallet: Wallet, ...args: Parameters<ReorgListener>): ReturnType<ReorgListener> {
  return memoryOf(wallet).listener(...args);
}
