/**
 * `pending`: the transaction that makes it is signed, and the network doesn't have it yet. `reserved`: one that spends
 * it is signed, or waits for signatures. `spent`: the network has that one. `void`: the transaction that makes it
 * failed or was replaced.
 */
export type AppOutputStatus = 'pending' | 'available' | 'reserved' | 'spent' | 'void';

export interface AppOutput {
  /** In order of creation. */
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
  /** The basket if another site also keeps the output there: each site sees its own entry (list.ts). */
  twin?: string;
}

/** A position in the list of all listed outputs: after this id, in this basket. */
export type Listing = [basket: string, id: number];
