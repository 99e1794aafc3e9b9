/** Announces revocations by the user to higher layers, in the same database transaction. */
import type { WriteTransaction } from '../store/database.ts';
import { part, type Wallet } from '../platform.ts';

/** A site that was blocked, or whose allowance was removed or replaced. `allowance` is that allowance's ID. */
export interface Revocation {
  origin: string;
  allowance: string | null;
}

/**
 * Ends everything that depends on the revoked allowance or the blocked site. May await only operations of the given
 * transaction.
 */
type RevocationListener = (tx: WriteTransaction, revocation: Revocation) => Promise<void>;

const memoryOf = part(() => ({
  listener: (() => Promise.resolve()) as RevocationListener,
}));

/** Registers the listener when the worker starts. */
export function onRevocation(wallet: Wallet, end: RevocationListener): void {
  memoryOf(wallet).listener = end;
}

/** Announces a revocation, within a transaction. */
export function announceRevocation(wallet: Wallet, ...args: Parameters<RevocationListener>): Promise<void> {
  return memoryOf(wallet).listener(...args);
}
