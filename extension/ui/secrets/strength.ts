/** A password's strength. The dictionaries are large, so they load when they are needed. */
import { PRODUCT_NAME } from '../../../protocol/text/product.ts';

/**
 * From 0 (guessed immediately) to 4: the number of {@link GUESSES} it resists. {@link LEAST_SCORE} is required.
 * `advice` describes an improvement.
 */
export interface Strength {
  score: 0 | 1 | 2 | 3 | 4;
  advice: string | null;
}

/** Guesses (powers of ten) that separate the scores. The first two are zxcvbn's own. */
const GUESSES = [3, 6, 12, 16] as const;
/**
 * The lowest score that protects a wallet from an attacker with a copy of its disk. One graphics card tries some 10,000
 * passwords a second at 600,000 rounds: zxcvbn's highest score, 10^10 guesses, would last twelve days, and 10^12 three
 * years.
 */
export const LEAST_SCORE = 3;

/** Loads the dictionaries and returns what rates a password. */
export async function loadJudge(): Promise<(password: string) => Strength> {
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
