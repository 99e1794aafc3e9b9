/** Announces a reorganization. The listener undoes decisions of removed blocks in the same database transaction. */
import type { WriteTransaction } from '../database.ts';

/**
 * Undoes the decisions of blocks above a height, in the given transaction; it must await nothing else.
 * @returns the work to do once that transaction is committed. If the worker dies before, its next start does it.
 */
export type ReorgListener = (tx: WriteTransaction, height: number) => Promise<() => Promise<void>>;

let listener: ReorgListener = () => Promise.resolve(() => Promise.resolve());

/** Registers the listener. Called once, when the worker starts. */
export function onReorg(undo: ReorgListener): void {
  listener = undo;
}

/** Announces that blocks above a height no longer count. @returns see {@link ReorgListener} */
export function announceReorg(...args: Parameters<ReorgListener>): ReturnType<ReorgListener> {
  return listener(...args);
}
