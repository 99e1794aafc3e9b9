/** Creates the questions that check whether recovery words were written down. Pure. */

/** A question: which of `options` is the word at `position` (from 0). */
export interface Question {
  position: number;
  options: string[];
}

/** Returns a random integer from 0 to `n` - 1. The bias is negligible for small `n`. */
export type Random = (n: number) => number;

const secureRandom: Random = (n) => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) % n;

function shuffled<T>(items: readonly T[], random: Random): T[] {
  const all = [...items];
  for (let i = all.length - 1; i > 0; i -= 1) {
    const j = random(i + 1);
    [all[i], all[j]] = [all[j] as T, all[i] as T];
  }
  return all;
}

/**
 * Returns `count` questions about different positions, each with the right word and three other words from the phrase.
 */
export function questions(words: readonly string[], count: number, random: Random = secureRandom): Question[] {
  const positions = shuffled(
    words.map((_, i) => i),
    random,
  )
    .slice(0, count)
    .sort((a, b) => a - b);
  return positions.map((position) => {
    const right = words[position] as string;
    const others = shuffled(
      [...new Set(words)].filter((word) => word !== right),
      random,
    ).slice(0, 3);
    return { position, options: shuffled([right, ...others], random) };
  });
}
