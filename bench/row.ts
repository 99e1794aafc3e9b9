export interface Row {
  what: string;
  measured: string;
  /** The ratio to which the goal refers; for sizes, the used share of the budget. */
  ratio: number;
  goal: string;
  holds: boolean;
}

/** Returns the median; for an even number of figures, the greater of the two middle figures. */
export function median(figures: readonly number[]): number {
  return figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] as number;
}
