/** Announces that the index lists outputs of a transaction, so listeners can update payments. */
import type { Transaction } from '../../protocol/bitcoin/transaction.ts';
import type { WriteTransaction } from '../store/database.ts';
import { part, type Wallet } from '../platform.ts';

/** Updates the payment within `tx`, without awaiting anything else. @returns true if work remains after the commit */
type ShownListener = (tx: WriteTransaction, txid: string) => Promise<boolean>;

/** Updates the payments that can't be mined together with a transaction whose outputs the index lists as unspent. */
type RivalListener = (txid: string, transaction: Transaction) => Promise<void>;

const memoryOf = part(() => ({
  listener: (() => Promise.resolve(false)) as ShownListener,
  work: (() => undefined) as () => void,
  rivalListener: (() => Promise.resolve()) as RivalListener,
}));

/** Registers the listener when the worker starts. @param then starts the remaining work after the commit */
export function onShown(wallet: Wallet, update: ShownListener, then: () => void): void {
  const memory = memoryOf(wallet);
  memory.listener = update;
  memory.work = then;
}

/** Calls the listener within the caller's transaction. @returns true if {@link afterShown} must follow the commit */
export function announceShown(wallet: Wallet, ...args: Parameters<ShownListener>): ReturnType<ShownListener> {
  return memoryOf(wallet).listener(...args);
}

export const afterShown = (wallet: Wallet): void => memoryOf(wallet).work();

/** Registers the listener when the worker starts. */
export function onRival(wallet: Wallet, update: RivalListener): void {
  memoryOf(wallet).rivalListener = update;
}

/** Called before the transaction's outputs are stored, so the balance never includes both transactions' change. */
export function announceRival(wallet: Wallet, ...args: Parameters<RivalListener>): ReturnType<RivalListener> {
  return memoryOf(wallet).rivalListener(...args);
}
