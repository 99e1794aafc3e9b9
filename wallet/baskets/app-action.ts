/**
 * A transaction that an application made or internalized, as stored. If the wallet signed it, its payment has the other
 * data.
 */
export interface AppAction {
  /** In order of creation. */
  id: number;
  origin: string;
  /** Null until it is signed. */
  txid: string | null;
  paymentId: string | null;
  description: string;
  labels: string[];
  /** Its outputs as far as the application named them. */
  outputs: { vout: number; description: string }[];
  /** Milliseconds since 1970. */
  at: number;
  /** For an internalized one: received satoshis, whether it was in a block then, its version and lock time. */
  incoming?: { satoshis: bigint; isProven: boolean; version: number; lockTime: number };
  /** The site with each label, for the database's index. */
  labelKeys: [origin: string, label: string][];
}
