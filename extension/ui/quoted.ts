/** What a site or a person says, in quotation marks that it cannot end. */
import { visible } from './format.ts';
import { texts } from './texts.ts';

/** One line of somebody's words: nothing in them is hidden, and quotation marks of their own become apostrophes. */
export function quoted(words: string): string {
  const plain = visible(words)
    .replaceAll(/["“”„‟«»‹›「」『』＂｢｣〝〞〟❝❞﹁﹂﹃﹄″]/g, '’')
    .replaceAll(/\s+/g, ' ');
  return texts.quoted(plain);
}
