/** A script (hex) and its amount. One recipient's amount can be split among several scripts. */
export interface PaidScript {
  script: string;
  satoshis: bigint;
}

/** The host that issued the scripts for a paymail or user ID, and where to deliver the transaction. */
export interface PaidHost {
  /** `alias@domain`; for a user ID, the paymail reported by its service. */
  paymail: string;
  /** For a user ID: origin of the service that reported the paymail. */
  namedBy?: string;
  origin: string;
  /** The paymail's profile name and public key (hex); null if the host supplies none. */
  name: string | null;
  publicKey: string | null;
  /** When the previous key was first seen, if the key has changed since (milliseconds since 1970). */
  keyChangedSince: number | null;
  /** True if the recipient had a key when last paid, but the host supplies none now. */
  keyUnavailable?: true;
  known: boolean;
  /** The origin when the recipient was last paid or saved, if different. */
  originBefore?: string;
  /** The host's reference, and its URLs for submitting the transaction as raw bytes and as BEEF; null if missing. */
  reference: string | null;
  receiveUrl: string | null;
  receiveBeefUrl: string | null;
  /** True for the wallet's service, which receives the transaction only after the payment report. */
  isService: boolean;
}

/** A stored paymail. Times in milliseconds since 1970. */
export interface KnownPaymail {
  /** `alias@domain`, lower case. */
  paymail: string;
  /** Compressed key (hex); null if the host never supplied one. */
  publicKey: string | null;
  /** When this key was first seen. */
  since: number;
  /** Origin that issued the destination; missing if never recorded. */
  origin?: string;
  /** True if saved as a contact but never paid. */
  isUnpaid?: true;
}
