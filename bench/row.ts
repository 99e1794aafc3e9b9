/** One line of the table. */
export interface Row {
  what: string;
  measured: string;
  /** The figure that the goal refers to; for sizes the share of the budget that is used. */
  ratio: number;
  goal: string;
  holds: boolean;
}
