/** One line of the table. */
export interface Row {
  what: string;
  measured: string;
  /** Of what the goal speaks of; for sizes the part of the budget that is used. */
  ratio: number;
  goal: string;
  holds: boolean;
}
