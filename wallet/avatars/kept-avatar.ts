export interface CachedAvatar {
  /** `alias@domain`, normalized as in requests to its host. */
  paymail: string;
  /** A `data:` URL; null if the paymail has no picture. */
  picture: string | null;
  /** Origin of the service that supplied it. Pictures from a different service aren't shown. */
  service: string;
  /** Milliseconds since 1970. */
  askedAt: number;
}
