/** What a page is asked: whether any record may be what is looked for, and which. */
export interface PageQuery {
  /** Of the text of a page, or of one record. */
  text(text: string): boolean;
  /** Of direction and status, `sent COMPLETED`. */
  kind(kind: string): boolean;
}
