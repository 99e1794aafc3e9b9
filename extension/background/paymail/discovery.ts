/** Finds the host of a paymail domain and what it can do. */

/** What is known of a domain's host. `capabilities` by their keys in the discovery document; times in milliseconds since 1970. */
export interface KnownHost {
  domain: string;
  /** Origin that answered. */
  origin: string;
  capabilities: Record<string, string | boolean>;
  expiresAt: number;
}
