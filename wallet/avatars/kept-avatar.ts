/** One cached picture. */
export interface KeptAvatar {
  /** `alias@domain`, as in requests to its host. */
  paymail: string;
  /** A `data:` URL; null if there is none. */
  picture: string | null;
  /** Origin of the service that supplied it. Pictures from other services aren't shown. */
  service: string;
  /** Milliseconds since 1970. */
  askedAt: number;
}
