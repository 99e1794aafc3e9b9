/** Tests by luck and by exhaustion: `npm test` makes a few of their runs, `npm run soak` many, of the same code. */

/**
 * Is this a run of `npm run soak`? Then a test tries every crash point and not every few, and makes more runs by luck.
 */
export const SOAKING = process.env.SOAK_RUNS !== undefined;

/** Runs by luck: as many as `npm run soak` is to make, else those given. */
export const runsByLuck = (inTests: number): number => Number(process.env.SOAK_RUNS ?? inTests);

/** The seed of the first. */
export const FIRST_SEED = Number(process.env.SOAK_SEED ?? 1);
