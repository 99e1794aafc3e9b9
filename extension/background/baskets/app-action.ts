/** A transaction that an application has made, or brought in. */

/** One as stored. What the wallet signed itself has a payment besides, which knows the rest. */
export interface AppAction {
  /** In the order of making. */
  id: number;
  origin: string;
  /** Null until it is signed. */
  txid: string | null;
  paymentId: string | null;
  /** What the application says that it is. */
  description: string;
  labels: string[];
  /** Its outputs as far as the application named them. */
  outputs: { vout: number; description: string }[];
  /** Milliseconds since 1970. */
  at: number;
  /**
   * Of one that was brought in: what it brought the wallet (satoshis), whether a block held it then, its version and lock
   * time.
   */
  incoming?: { satoshis: bigint; isProven: boolean; version: number; lockTime: number };
  /** The site with each label, for the database's index. */
  labelKeys: [origin: string, label: string][];
}
