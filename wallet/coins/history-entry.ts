/** A transaction that is still to be read for the activity. */
export interface HistoryEntry {
  txid: string;
  /**
   * The highest is read first: the height that the index names, so that the newest come first. For a transaction that
   * failed to be read, the time of the next attempt (milliseconds since 1970), negative.
   */
  order: number;
  /** The height that the index named, for a transaction that failed to be read. */
  height?: number;
  tries: number;
}
