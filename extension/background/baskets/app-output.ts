/** An output that is kept for an application. */

/**
 * `pending`: the transaction that makes it is signed, and the network does not have it yet. `reserved`: one that spends
 * it is signed, or waits for its signatures; `spent`: the network has that. `void`: what makes it comes to nothing, or
 * another transaction has its place.
 */
export type AppOutputStatus = 'pending' | 'available' | 'reserved' | 'spent' | 'void';

/** One as stored. */
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
  /** What the application says that it is. */
  description: string;
  /** The site that had it kept. */
  origin: string;
  status: AppOutputStatus;
  /** The payment that makes it; null where it came from outside. */
  madeBy: string | null;
  /** The payment that spends it. */
  spentBy: string | null;
  /** Since when it is spent or void (milliseconds since 1970). */
  overSince?: number;
  /** The basket while it is listed there, and its tags with it: for the database's indexes (`put` in outputs.ts). */
  listing?: string;
  tagListing?: [basket: string, tag: string][];
  /** The basket, if another site keeps the output there, too: each site is shown its own (list.ts). */
  twin?: string;
}

/** A place in the list of all that are listed: after this one, of this basket. */
export type Listing = [basket: string, id: number];
