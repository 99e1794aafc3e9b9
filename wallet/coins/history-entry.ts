/** A transaction queued to be read for the activity list. */
export interface HistoryEntry {
  txid: string;
  /**
   * Sort key, highest first. Initially the height reported by the index, so the newest transactions come first.
   * After a failure, the negated time of the next attempt (milliseconds since 1970).
   */
  order: number;
  /** The height reported by the index, stored here after a read has failed. */
  height?: number;
  tries: number;
}
