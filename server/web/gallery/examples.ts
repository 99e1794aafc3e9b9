/** The gallery's live examples. Each example defines both a button on the page and the code next to it. */

import { isRightToLeft, nativeName } from '../../../protocol/catalog.ts';
import { LANGUAGE_CODES } from '../../../protocol/languages.ts';
import type { GalleryTexts } from '../../page/texts.ts';

type ExampleTexts = GalleryTexts['examples'];

interface ExampleText {
  title?: string;
  label?: string;
  success?: string;
}

export interface Example {
  /** Key of the example's text, if it has any. */
  id?: keyof GalleryTexts['examples'];
  /** Additional CSS classes for the element. */
  classes?: string;
  attributes?: Readonly<Record<string, string>>;
  /** CSS rules, which are also in assets/gallery.css. A test compares the two copies. */
  css?: string;
  /** Attributes of the element around the button. */
  surroundings?: Readonly<Record<string, string>>;
}

const USUAL = { 'data-to': 'ann@example.com', 'data-amount': '0.10', 'data-currency': 'USD' };

export function attributesOf({ id, classes, attributes }: Example, texts: ExampleTexts): Record<string, string> {
  const { label, success }: ExampleText = id === undefined ? {} : texts[id];
  const all = {
    class: classes ? `service-button ${classes}` : 'service-button',
    ...USUAL,
    ...(label !== undefined && { 'data-label': label }),
    ...(success !== undefined && { 'data-success-message': success }),
    ...attributes,
  };
  // If the amount is editable, the visitor enters it. If the wallet only signs or encrypts, there is no payment.
  const unused = attributes?.['data-crypto-operations']
    ? Object.keys(USUAL)
    : attributes?.['data-editable']
      ? ['data-amount']
      : [];
  return Object.fromEntries(Object.entries(all).filter(([name]) => !unused.includes(name)));
}

/** Returns an example's HTML as a page author would write it. */
export function codeOf(example: Example, texts: ExampleTexts): string {
  const [first = '', ...rest] = Object.entries(attributesOf(example, texts)).map(([name, value]) =>
    value.includes('"') ? `${name}='${value}'` : `${name}="${value}"`,
  );
  const div = `<div ${[first, ...rest.map((attribute) => `     ${attribute}`)].join('\n')}></div>`;
  if (!example.surroundings) return div;
  const around = Object.entries(example.surroundings)
    .map(([name, value]) => ` ${name}="${value}"`)
    .join('');
  return `<section${around}>\n${div.replaceAll(/^/gm, '  ')}\n</section>`;
}

export type ExplainedExample = Example & { id: keyof ExampleTexts };

export const SIZES: readonly ExplainedExample[] = [
  {
    id: 'default',
  },
  {
    id: 'compact',
    classes: 'compact',
  },
  {
    id: 'full',
    classes: 'full',
    attributes: { 'data-amount': '24.90' },
  },
  {
    id: 'size',
    classes: 'tall',
    css: '.tall {\n  --sb-width: 240px;\n  --sb-height: 56px;\n}',
  },
];

/** Examples of colors, corners and fonts. */
export const LOOKS: readonly ExplainedExample[] = [
  {
    id: 'accent',
    classes: 'plum',
    attributes: { 'data-amount': '3.00' },
    css: '.plum {\n  --sb-accent: light-dark(#7a2e8d, #dda3ee);\n  --sb-track: light-dark(#f6eff8, #2a1f2e);\n}',
  },
  {
    id: 'square',
    classes: 'square',
    attributes: { 'data-amount': '12.00' },
    css: '.square {\n  --sb-radius: 10px;\n  --sb-height: 52px;\n}',
  },
  {
    id: 'font',
    classes: 'gazette',
    attributes: { 'data-amount': '0.80' },
    css: ".gazette {\n  --sb-font: Georgia, 'Times New Roman', serif;\n  --sb-font-size: 16px;\n  --sb-accent: light-dark(#8a3510, #f2ac82);\n  --sb-radius: 4px;\n}",
  },
  {
    id: 'quiet',
    classes: 'quiet',
    attributes: { 'data-type': 'tip', 'data-amount': '1.00' },
    css: '.quiet {\n  --sb-track: transparent;\n  --sb-accent: light-dark(#2c3e50, #c4d2df);\n}',
  },
];

export const PARTS_EXAMPLE: ExplainedExample = {
  id: 'part',
  classes: 'ticket',
  attributes: { 'data-amount': '9.00' },
  css: '.ticket::part(label) {\n  text-transform: uppercase;\n  letter-spacing: 0.08em;\n}\n.ticket::part(thumb) {\n  border-radius: 12px;\n}',
};

export const THEMES: readonly ExplainedExample[] = [
  {
    id: 'light',
    surroundings: { class: 'daylight' },
    css: '.daylight {\n  color-scheme: light;\n}',
  },
  {
    id: 'dark',
    surroundings: { class: 'midnight' },
    css: '.midnight {\n  color-scheme: dark;\n}',
  },
];

export const KINDS: readonly ExplainedExample[] = [
  { id: 'buy' },
  {
    id: 'tip',
    attributes: { 'data-type': 'tip', 'data-amount': '1.00' },
  },
  {
    id: 'user',
    attributes: { 'data-to': '75101', 'data-amount': '2.00' },
  },
  {
    id: 'sign',
    attributes: {
      'data-crypto-operations': '[{"name": "vote", "method": "sign", "data": "I support the footbridge."}]',
      'data-on-crypto-operations': 'onSigned',
    },
  },
  {
    id: 'editable',
    attributes: { 'data-editable': 'true', 'data-type': 'tip' },
  },
  {
    id: 'message',
    attributes: { 'data-amount': '5.00' },
  },
];

/** Languages, each with its name in that language. */
export const LANGUAGES = LANGUAGE_CODES.map((lang) => ({
  name: nativeName(lang),
  surroundings: isRightToLeft(lang) ? { lang, dir: 'rtl' } : { lang },
}));
