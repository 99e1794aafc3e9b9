/** Announces a reorganization. The listener undoes decisions of removed blocks in the same database transaction. */
import type { WriteTransaction } from '../../store/database.ts';
import { part, type Wallet } from '../../platform.ts';

/**
 * Undoes the decisions of blocks above a height, in the given transaction, and may await nothing else.
 * @returns work for after the commit. If the worker ends before, the next one does it
 */
export type ReorgListener = (tx: WriteTransaction, height: number) => Promise<() => Promise<void>>;

const memoryOf = part(() => ({
  listener: (() => Promise.resolve(() => Promise.resolve())) as ReorgListener,
}));

/** Registers the listener. Called once, when the worker starts. */
export function onReorg(wallet: Wallet, undo: ReorgListener): void {
  memoryOf(wallet).listener = undo;
}

/** Announces that blocks above a height no longer count. @returns see {@link ReorgListener} */
export function announceReorg(wallet: Wallet, ...args: Parameters<ReorgListener>): ReturnType<ReorgListener> {
  return memoryOf(wallet).listener(...args);
}
