/** Paymails that this wallet has had to do with, and the public keys that they had. */

/** One of them. Times in milliseconds since 1970. */
export interface KnownPaymail {
  /** `alias@domain`, lower case. */
  paymail: string;
  /** Compressed, hex. */
  publicKey: string;
  /** When it was first seen with this key. */
  since: number;
}
