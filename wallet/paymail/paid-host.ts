/** One script that is paid for an output: hex and satoshis. An output of several scripts is still one recipient. */
export interface PaidScript {
  script: string;
  satoshis: bigint;
}

/** The host of a paymail or user ID that issued the scripts, and where the transaction is delivered. */
export interface PaidHost {
  /** `alias@domain`; for a user ID, the one that the service names. */
  paymail: string;
  /** For a user ID: origin of its service, which named the paymail. */
  namedBy?: string;
  origin: string;
  /** Its public profile's name, and its public key (hex), if supplied. */
  name: string | null;
  publicKey: string | null;
  /** Another key than when it was first seen, at this time (milliseconds since 1970). */
  keyChangedSince: number | null;
  /** It had a key when it was last paid, and now its host supplies none. */
  keyUnavailable?: true;
  known: boolean;
  /** Origin that responded when it was last paid or saved, if different. */
  originBefore?: string;
  /** The host's reference, and its addresses for the transaction, raw and as BEEF: null if missing. */
  reference: string | null;
  receiveUrl: string | null;
  receiveBeefUrl: string | null;
  /** The wallet's own service: delivered after the report, which identifies the payment. */
  isService: boolean;
}

/** One remembered paymail. Times in milliseconds since 1970. */
export interface KnownPaymail {
  /** `alias@domain`, lower case. */
  paymail: string;
  /** Compressed, hex; null if its host never supplied one. */
  publicKey: string | null;
  /** When it was first seen with this key. */
  since: number;
  /** Origin of its destination; missing if it was never recorded. */
  origin?: string;
  /** It was saved as a contact, and not paid since. */
  isUnpaid?: true;
}
