import { visible } from '../amounts/format.ts';
import { texts } from '../texts/texts.ts';

/** One line of an untrusted text, without invisible characters. Quotation marks in it become apostrophes. */
export function quoted(words: string): string {
  const plain = visible(words)
    .replaceAll(/["“”„‟«»‹›「」『』＂｢｣〝〞〟❝❞﹁﹂﹃﹄″]/g, '’')
    .replaceAll(/\s+/g, ' ');
  return texts.quoted({ words: plain });
}
