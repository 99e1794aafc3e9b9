export interface PageQuery {
  /** True if any of these lines may match: fast, and rarely wrong. */
  page(lines: string): boolean;
  /** True if this record is worth reading, by its direction and status, `sent COMPLETED`, and its line's text. */
  line(kind: string, text: string): boolean;
}
