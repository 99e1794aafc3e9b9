/** Combines concurrent database queries into one. */
import { isDatabaseAway } from './away.ts';
import type { Database } from './connect.ts';

/** Creates a value on first use, once per open database or transaction. */
export function perDatabase<T>(make: (db: Database) => T): (db: Database) => T {
  const made = new WeakMap<Database, { it: T }>();
  return (db) => {
    const known = made.get(db) ?? { it: make(db) };
    made.set(db, known);
    return known.it;
  };
}

/** Maximum number of concurrent batches: one can be sent while the previous one is in progress. */
const ROUNDS = 2;
const MAX_BATCH_SIZE = 256;

/**
 * Returns a function that collects individual queries and runs them in batches. Queries that arrive while
 * {@link ROUNDS} batches are in progress join the next one, so a result is never older than its query. If a batch finds
 * the database unavailable, all waiting queries fail.
 * @param ask returns the results of all queries, in the same order
 */
export function inBatches<Question, Answer>(
  ask: (questions: readonly Question[]) => Promise<readonly Answer[]>,
): (question: Question) => Promise<Answer> {
  let waiting: { question: Question; resolve: (answer: Answer) => void; reject: (error: unknown) => void }[] = [];
  let running = 0;

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      const round = waiting.slice(0, MAX_BATCH_SIZE);
      waiting = waiting.slice(MAX_BATCH_SIZE);
      try {
        const answers = await ask(round.map(({ question }) => question));
        round.forEach(({ resolve }, i) => resolve(answers[i] as Answer));
      } catch (error) {
        const failed = isDatabaseAway(error) ? [...round, ...waiting.splice(0)] : round;
        for (const { reject } of failed) reject(error);
      }
    }
    running -= 1;
  }

  return (question) =>
    new Promise((resolve, reject) => {
      waiting.push({ question, resolve, reject });
      if (running === ROUNDS) return;
      running += 1;
      // Requests that arrive in the same event loop turn join the batch.
      setImmediate(() => void run());
    });
}
