/** What a page is asked. */
export interface PageQuery {
  /** May any of these lines be of what is looked for? Quickly, and seldom wrongly so. */
  page(lines: string): boolean;
  /** Is this record worth reading? By its direction and status, `sent COMPLETED`, and what its line has of it. */
  line(kind: string, text: string): boolean;
}
