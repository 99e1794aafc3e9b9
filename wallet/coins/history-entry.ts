/** A transaction whose entry in the activity has yet to be read. */
export interface HistoryEntry {
  txid: string;
  /**
   * The highest is read first: the height reported by the index, so that the newest come first. After a failure, the
   * time of the next attempt (milliseconds since 1970), negative.
   */
  order: number;
  /** The height reported by the index, for a transaction that couldn't be read. */
  height?: number;
  tries: number;
}
