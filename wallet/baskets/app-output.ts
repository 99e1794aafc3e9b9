/**
 * `pending`: the creating transaction is signed but not on the network yet. `reserved`: a spending transaction is
 * signed or awaits signatures. `spent`: the network has the spending transaction. `void`: the creating transaction
 * failed or was replaced.
 */
export type AppOutputStatus = 'pending' | 'available' | 'reserved' | 'spent' | 'void';

export interface AppOutput {
  /** Increases with each new output. */
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
  /** The site that this entry is for. */
  origin: string;
  status: AppOutputStatus;
  /** The payment that creates the output; null for an incoming transaction. */
  madeBy: string | null;
  spentBy: string | null;
  /** When the output's status became `spent` or `void` (milliseconds since 1970). */
  overSince?: number;
  /** While the output is listed: its basket and its tags, for database indexes (`listed` in outputs.ts). */
  listing?: string;
  tagListing?: [basket: string, tag: string][];
  /** The basket's name, if another site has the same output in it. Each site sees its own entry (list.ts). */
  twin?: string;
}

/** A position in the list of all listed outputs: the basket and ID of the last output read. */
export type Listing = [basket: string, id: number];
