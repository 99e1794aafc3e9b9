import { visible } from '../amounts/format.ts';
import { texts } from '../texts/texts.ts';

/** Quotes an untrusted text in one line, without invisible characters. Quotation marks inside become apostrophes. */
export function quoted(words: string): string {
  const plain = visible(words)
    .replaceAll(/["“”„‟«»‹›「」『』＂｢｣〝〞〟❝❞﹁﹂﹃﹄″]/g, '’')
    .replaceAll(/\s+/g, ' ');
  return texts.quoted({ words: plain });
}
