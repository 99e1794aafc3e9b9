/** Revocations by the user, announced to the layers above in the database transaction that makes them. */
import type { WriteTransaction } from '../store/database.ts';
import { part, type Wallet } from '../platform.ts';

/** A blocked site, or a site's allowance that is removed or replaced. `allowance` is then the id of that grant. */
export interface Revocation {
  origin: string;
  allowance: string | null;
}

/** Ends everything that depends on it, in the given transaction. It must await nothing else. */
type RevocationListener = (tx: WriteTransaction, revocation: Revocation) => Promise<void>;

const memoryOf = part(() => ({
  listener: (() => Promise.resolve()) as RevocationListener,
}));

/** Registers the listener. Called once, when the worker starts. */
export function onRevocation(wallet: Wallet, end: RevocationListener): void {
  memoryOf(wallet).listener = end;
}

/** Announces a revocation, within a larger transaction. */
export function announceRevocation(wallet: Wallet, ...args: Parameters<RevocationListener>): Promise<void> {
  return memoryOf(wallet).listener(...args);
}
