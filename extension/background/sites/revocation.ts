/** The user's taking back of what a site may do, announced to the floors above in the database transaction that does it. */
import type { WriteTransaction } from '../database.ts';

/** A blocked site, or a site's allowance that is removed or replaced: then `allowance` is the id of that grant. */
export interface Revocation {
  origin: string;
  allowance: string | null;
}

/** Ends what hangs on it, in the given transaction; it must await nothing else. */
type RevocationListener = (tx: WriteTransaction, revocation: Revocation) => Promise<void>;

let listener: RevocationListener = () => Promise.resolve();

/** Registers the listener. Called once, when the worker starts. */
export function onRevocation(end: RevocationListener): void {
  listener = end;
}

/** Announces a revocation, as a part of more. */
export function announceRevocation(...args: Parameters<RevocationListener>): Promise<void> {
  return listener(...args);
}
