/** An output that is kept for an application. */

/**
 * `pending`: the transaction that makes it is signed, and the network doesn't have it yet. `reserved`: one that spends
 * it is signed, or waits for its signatures; `spent`: the network has that. `void`: the transaction that makes it
 * failed, or another one replaced it.
 */
export type AppOutputStatus = 'pending' | 'available' | 'reserved' | 'spent' | 'void';

export interface AppOutput {
  /** In the order of keeping. */
  id: number;
  /** `txid:vout` */
  outpoint: string;
  satoshis: bigint;
  /** Locking script, hex. */
  script: string;
  basket: string;
  tags: string[];
  customInstructions: string | null;
  description: string;
  /** The site that keeps it. */
  origin: string;
  status: AppOutputStatus;
  /** The payment that makes it; null if it came from outside. */
  madeBy: string | null;
  spentBy: string | null;
  /** Since when it is spent or void (milliseconds since 1970). */
  overSince?: number;
  /** The basket while it is listed there, and its tags with it: for the database's indexes (`put` in outputs.ts). */
  listing?: string;
  tagListing?: [basket: string, tag: string][];
  /** The basket, if another site also keeps the output there: each site is shown its own entry (list.ts). */
  twin?: string;
}

/** A position in the list of all listed outputs: after this one, of this basket. */
export type Listing = [basket: string, id: number];
