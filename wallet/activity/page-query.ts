export interface PageQuery {
  /** True if any of these lines could match. Fast, with few false positives. */
  page(lines: string): boolean;
  /**
   * True if the record may match and should be read.
   * @param kind its direction and status, for example `sent COMPLETED`
   * @param text the searchable text of its line
   */
  line(kind: string, text: string): boolean;
}
