/**
 * A reorganisation of the followed chain, announced to whoever has acted on blocks that it takes away: they take that
 * back in the database transaction that changes the chain.
 */
import type { WriteTransaction } from '../database.ts';

/**
 * Takes back what blocks above a height decided, in the given transaction; it must await nothing else.
 * @returns what is to be done once that transaction is committed. Should the worker die before, its next start does it.
 */
export type ReorgListener = (tx: WriteTransaction, height: number) => Promise<() => Promise<void>>;

let listener: ReorgListener = () => Promise.resolve(() => Promise.resolve());

/** Registers the listener. Called once, when the worker starts. */
export function onReorg(undo: ReorgListener): void {
  listener = undo;
}

/** Announces that no block above a height counts any more. @returns see {@link ReorgListener} */
export function announceReorg(...args: Parameters<ReorgListener>): ReturnType<ReorgListener> {
  return listener(...args);
}
