/**
 * A stored transaction that an application created or internalized. If the wallet signed it, the payment record
 * contains more data.
 */
export interface AppAction {
  /** Increases with each new action. */
  id: number;
  origin: string;
  /** Null until signed. */
  txid: string | null;
  paymentId: string | null;
  description: string;
  labels: string[];
  outputs: { vout: number; description: string }[];
  /** Milliseconds since 1970. */
  at: number;
  /** For an internalized transaction: amount received, whether it was already confirmed, version and lock time. */
  incoming?: { satoshis: bigint; isProven: boolean; version: number; lockTime: number };
  /** The site paired with each label, for a database index. */
  labelKeys: [origin: string, label: string][];
}
