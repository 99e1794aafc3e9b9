/** Page text. Placeholders' values can be HTML, and parts of the text can be links: `See <link>the shop</link>`. */
import { isRightToLeft, valueText, type Amount, type Fill, type Text, type Value } from '../../protocol/catalog.ts';
import { html, type Html, type Insertable } from './html.ts';

export type Link = (text: string) => Html;

type Plain<T> = [T] extends [Link] ? never : T;
type Rich<T> = [T] extends [Link | Amount] ? T : T | Html | readonly Html[];

/** Text with placeholders. Returns HTML if any value is HTML or a link, otherwise a string. */
export interface PageText<V> {
  (values: { readonly [K in keyof V]: Plain<V[K]> }): string;
  (values: { readonly [K in keyof V]: Rich<V[K]> }): Html;
}

/** Serializes the text for a page's script as JSON. The script fills in the placeholders. */
export const scriptJson = (texts: object): string =>
  JSON.stringify(texts, (_, text: unknown) => (typeof text === 'function' ? (text as Text<object>)({}) : text));

/** Fills in the placeholders in page text. Placeholders without a value remain, for the page's script to fill in. */
export const fillPageText: Fill = (form, values, speech) => {
  const isolated = (value: Html) => (isRightToLeft(speech.language) ? html`\u2068${value}\u2069` : value);
  const pieces = form.split(/(\{\w+\}|<\w+>[^<]*<\/\w+>)/).map((piece): Insertable => {
    const [, name = '', , text] = /^[{<](\w+)(?:\}|>(([^<]*)<\/\1>))$/.exec(piece) ?? [];
    const value = values[name] as Value | Html | readonly Html[] | Link | undefined;
    if (value === undefined) return name === '' ? piece : valueText(piece, speech);
    if (typeof value === 'function') return value(text ?? '');
    if (typeof value !== 'object') return valueText(value, speech);
    return 'map' in value ? value : isolated(value);
  });
  return pieces.every((piece) => typeof piece === 'string') ? pieces.join('') : html`${pieces}`;
};
