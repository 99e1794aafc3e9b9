/** Questions to the database that come at the same time, asked as one. */
import type { Database } from './connect.ts';

/** Makes something once for each open database (or transaction), when it is first asked for. */
export function perDatabase<T>(make: (db: Database) => T): (db: Database) => T {
  const made = new WeakMap<Database, { it: T }>();
  return (db) => {
    const known = made.get(db) ?? { it: make(db) };
    made.set(db, known);
    return known.it;
  };
}

/**
 * Makes a function that answers single questions by asking many at once: what comes while a round is under way goes into the
 * next one. Every question is put to the database after it was asked here, so an answer is never older than its question.
 * @param ask answers to all questions, in their order
 * @param most questions in one round
 */
export function inBatches<Question, Answer>(ask: (questions: readonly Question[]) => Promise<readonly Answer[]>, most = 256): (question: Question) => Promise<Answer> {
  let waiting: { question: Question; resolve: (answer: Answer) => void; reject: (error: unknown) => void }[] = [];
  let running = false;

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      const round = waiting.slice(0, most);
      waiting = waiting.slice(most);
      try {
        const answers = await ask(round.map(({ question }) => question));
        round.forEach(({ resolve }, i) => resolve(answers[i] as Answer));
      } catch (error) {
        for (const { reject } of round) reject(error);
      }
    }
    running = false;
  }

  return (question) => new Promise((resolve, reject) => {
    waiting.push({ question, resolve, reject });
    if (running) return;
    running = true;
    // Whatever else has come in by now goes along.
    setImmediate(() => void run());
  });
}
