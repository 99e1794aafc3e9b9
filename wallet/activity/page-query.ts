export interface PageQuery {
  /** True if any of these lines may match. Fast, with few false positives. */
  page(lines: string): boolean;
  /**
   * True if this record is worth reading, by its direction and status (such as `sent COMPLETED`), and its line's text.
   */
  line(kind: string, text: string): boolean;
}
