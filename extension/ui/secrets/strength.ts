/** Estimates a password's strength. The dictionaries are large and loaded on demand. */
import { PRODUCT_NAME } from '../../../protocol/text/product.ts';

/**
 * A password's strength. `score` is the number of {@link GUESSES} thresholds exceeded, from 0 (guessed immediately) to
 * 4. {@link MIN_PASSWORD_SCORE} is required. `advice` suggests an improvement.
 */
export interface Strength {
  score: 0 | 1 | 2 | 3 | 4;
  advice: string | null;
}

/** Thresholds between the scores, as base-10 logarithms of the number of guesses. The first two are zxcvbn's own. */
const GUESSES = [3, 6, 12, 16] as const;
/**
 * Minimum score that protects a wallet from an attacker with a copy of its disk. At 600,000 rounds, a graphics card
 * makes about 10,000 guesses per second. At this rate, zxcvbn's highest score (10^10 guesses) takes twelve days, and
 * 10^12 guesses take three years.
 */
export const MIN_PASSWORD_SCORE = 3;

/** Loads the dictionaries and returns the estimator. */
export async function loadEstimator(): Promise<(password: string) => Strength> {
  const [{ ZxcvbnFactory }, common, english] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-en'),
  ]);
  const zxcvbn = new ZxcvbnFactory({
    dictionary: { ...common.dictionary, ...english.dictionary },
    graphs: common.adjacencyGraphs,
    translations: english.translations,
  });
  return (password) => {
    const { guessesLog10, feedback } = zxcvbn.check(password, [...PRODUCT_NAME.split(' '), 'bitcoin', 'wallet', 'bsv']);
    const score = GUESSES.filter((power) => guessesLog10 >= power).length as Strength['score'];
    return { score, advice: feedback.warning || feedback.suggestions[0] || null };
  };
}
