/** A transaction that is still to be read for the activity. */
export interface HistoryEntry {
  txid: string;
  /**
   * What is read first has the highest: the height that the index names, so that the newest come first. Of what could
   * not be read, the time of the next attempt (milliseconds since 1970), negative.
   */
  order: number;
  /** The height that the index named, of what could not be read. */
  height?: number;
  tries: number;
}
