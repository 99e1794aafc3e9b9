/** What the wallet keeps of a paymail's picture. */

/** One of them. */
export interface KeptAvatar {
  /** `alias@domain`, as its host is asked. */
  paymail: string;
  /** A `data:` URL; null where there is none. */
  picture: string | null;
  /** Origin of the service that gave it: no other one's is shown. */
  service: string;
  /** Milliseconds since 1970. */
  askedAt: number;
}
