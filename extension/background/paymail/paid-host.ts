/** What the host of a paymail or user ID gave for a payment, and what this wallet remembers of one. */

/**
 * One script that is paid for an output: hex and satoshis. An output of several scripts is one recipient all the same.
 */
export interface PaidScript {
  script: string;
  satoshis: bigint;
}

/** The host of a paymail or user ID that issued the scripts, and where the transaction is delivered. */
export interface PaidHost {
  /** `alias@domain`: of a user ID, the one that the service names. */
  paymail: string;
  /** Of a user ID: origin of the service whose user it is, and which named the paymail. */
  namedBy?: string;
  /** Origin that answered. */
  origin: string;
  /** Its public profile's name, and its public key (hex), if it gave them. */
  name: string | null;
  publicKey: string | null;
  /** Another key than when it was first seen, at this time (milliseconds since 1970). */
  keyChangedSince: number | null;
  /** It had a key when it was last paid, and its host gives none now. */
  keyUnavailable?: true;
  known: boolean;
  /** Origin that answered when it was last paid or saved, where that was another. */
  originBefore?: string;
  /**
   * What the host calls this destination, and the addresses that take the transaction, raw and as BEEF: null where it
   * has none.
   */
  reference: string | null;
  receiveUrl: string | null;
  receiveBeefUrl: string | null;
  /** The wallet's own service: deliver after the report, which tells it whose payment it is. */
  isService: boolean;
}

/** One of them. Times in milliseconds since 1970. */
export interface KnownPaymail {
  /** `alias@domain`, lower case. */
  paymail: string;
  /** Compressed, hex; null if its host never gave one. */
  publicKey: string | null;
  /** When it was first seen with this key. */
  since: number;
  /** Origin that gave where to pay; missing where that was never noted. */
  origin?: string;
  /** It was saved as a contact, and not paid since. */
  isUnpaid?: true;
}
