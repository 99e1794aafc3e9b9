export interface PageQuery {
  /** True if any of these lines could match. Fast, with few false positives. */
  page(lines: string): boolean;
  /**
   * True if a record should be read, based on its direction and status (such as `sent COMPLETED`) and its line's text.
   */
  line(kind: string, text: string): boolean;
}
