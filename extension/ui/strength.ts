/** How hard a password is to guess. The dictionaries are large, so they load when the step that needs them opens. */
import { PRODUCT_NAME } from '../../protocol/product.ts';

/** From 0 (guessed at once) to 4; from {@link LEAST_SCORE} on a password is taken. `advice` says how to do better. */
export interface Strength {
  score: 0 | 1 | 2 | 3 | 4;
  advice: string | null;
}

/** The weakest score that protects a wallet: about 10^8 guesses and more (zxcvbn, section 5). */
export const LEAST_SCORE = 3;

/** Loads the dictionaries and gives the judge of passwords. */
export async function loadJudge(): Promise<(password: string) => Strength> {
  const [{ ZxcvbnFactory }, common, english] = await Promise.all([import('@zxcvbn-ts/core'), import('@zxcvbn-ts/language-common'), import('@zxcvbn-ts/language-en')]);
  const zxcvbn = new ZxcvbnFactory({
    dictionary: { ...common.dictionary, ...english.dictionary },
    graphs: common.adjacencyGraphs,
    translations: english.translations,
  });
  return (password) => {
    const { score, feedback } = zxcvbn.check(password, [...PRODUCT_NAME.split(' '), 'bitcoin', 'wallet', 'bsv']);
    return { score, advice: feedback.warning || feedback.suggestions[0] || null };
  };
}
