/** Revocations by the user, announced to the layers above in the database transaction that makes them. */
import type { WriteTransaction } from '../database.ts';

/** A blocked site, or a site's allowance that is removed or replaced. `allowance` is then the id of that grant. */
export interface Revocation {
  origin: string;
  allowance: string | null;
}

/** Ends everything that depends on it, in the given transaction. It must await nothing else. */
type RevocationListener = (tx: WriteTransaction, revocation: Revocation) => Promise<void>;

let listener: RevocationListener = () => Promise.resolve();

/** Registers the listener. Called once, when the worker starts. */
export function onRevocation(end: RevocationListener): void {
  listener = end;
}

/** Announces a revocation, within a larger transaction. */
export function announceRevocation(...args: Parameters<RevocationListener>): Promise<void> {
  return listener(...args);
}
