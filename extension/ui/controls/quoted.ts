import { visible } from '../amounts/format.ts';
import { texts } from '../texts/texts.ts';

/** Quotes untrusted text on one line, without invisible characters. Quotation marks in the text become apostrophes. */
export function quoted(words: string): string {
  const plain = visible(words)
    .replaceAll(/["“”„‟«»‹›「」『』＂｢｣〝〞〟❝❞﹁﹂﹃﹄″]/g, '’')
    .replaceAll(/\s+/g, ' ');
  return texts.quoted({ words: plain });
}
