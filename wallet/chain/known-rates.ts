/** The time of a source's response. */
export interface ResponseTime {
  /** Time reported by the source (milliseconds since 1970). */
  time: number;
  /**
   * Arrival time according to this computer's clock (milliseconds since 1970); missing in responses stored by earlier
   * versions.
   */
  receivedAt?: number;
  /** This computer's clock minus the server's (milliseconds); null if the server sent no time. */
  clockOffset?: number | null;
}

/** The last response from each source. Prices are positive decimal strings. */
export interface KnownRates {
  /** The service's prices by currency. */
  service: (ResponseTime & { prices: Record<string, string> }) | null;
  /** WhatsOnChain's price of one BSV in US dollars. */
  index: (ResponseTime & { price: string }) | null;
  /** Time of the last response from either source (milliseconds since 1970). */
  askedAt: number;
}
