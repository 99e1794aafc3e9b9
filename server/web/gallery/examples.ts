/** What the gallery shows live: each example is both the button on the page and the code beside it. */

/** One button, and how it is made. */
export interface Example {
  title: string;
  text: string;
  /** Additional classes of the element. */
  classes?: string;
  attributes?: Readonly<Record<string, string>>;
  /** Rules of the page's style sheet, also in assets/gallery.css; a test holds both equal. */
  css?: string;
  /** Of the element around the button. */
  surroundings?: Readonly<Record<string, string>>;
}

const USUAL = { 'data-to': 'ann@example.com', 'data-amount': '0.10', 'data-currency': 'USD' };

/** The attributes of an example's button. */
export function attributesOf({ classes, attributes }: Example): Record<string, string> {
  const all = { class: classes ? `service-button ${classes}` : 'service-button', ...USUAL, ...attributes };
  // Where it is editable the amount is the visitor's; where the wallet only signs or encrypts, nobody is paid.
  const unused = attributes?.['data-crypto-operations']
    ? Object.keys(USUAL)
    : attributes?.['data-editable']
      ? ['data-amount']
      : [];
  return Object.fromEntries(Object.entries(all).filter(([name]) => !unused.includes(name)));
}

/** The HTML of an example, as a page's author would write it. */
export function codeOf(example: Example): string {
  const [first = '', ...rest] = Object.entries(attributesOf(example)).map(([name, value]) =>
    value.includes('"') ? `${name}='${value}'` : `${name}="${value}"`,
  );
  const div = `<div ${[first, ...rest.map((attribute) => `     ${attribute}`)].join('\n')}></div>`;
  if (!example.surroundings) return div;
  const around = Object.entries(example.surroundings)
    .map(([name, value]) => ` ${name}="${value}"`)
    .join('');
  return `<section${around}>\n${div.replaceAll(/^/gm, '  ')}\n</section>`;
}

/** Sizes. */
export const SIZES: readonly Example[] = [
  {
    title: 'Default',
    text: '300 × 48 pixels, narrower where there is less room, down to 220. It keeps its size in every state.',
    attributes: { 'data-label': 'Read the article' },
  },
  {
    title: 'Compact',
    text: '36 pixels high, for lists and toolbars.',
    classes: 'compact',
    attributes: { 'data-label': 'Unlock' },
  },
  {
    title: 'Full width',
    text: 'As wide as its container.',
    classes: 'full',
    attributes: { 'data-label': 'Check out', 'data-amount': '24.90' },
  },
  {
    title: 'Your own size',
    text: 'At least 220 pixels wide. Below 280, the label moves above the amount.',
    classes: 'tall',
    attributes: { 'data-label': 'One song' },
    css: '.tall {\n  --sb-width: 240px;\n  --sb-height: 56px;\n}',
  },
];

/** Colours, corners, fonts. */
export const LOOKS: readonly Example[] = [
  {
    title: 'Your accent',
    text: 'One colour for light pages and one for dark ones. Keep 4.5 to 1 against the track and the paper.',
    classes: 'plum',
    attributes: { 'data-label': 'Join the club', 'data-amount': '3.00' },
    css: '.plum {\n  --sb-accent: light-dark(#7a2e8d, #dda3ee);\n  --sb-track: light-dark(#f6eff8, #2a1f2e);\n}',
  },
  {
    title: 'Square',
    text: 'The thumb and the fill follow the corners.',
    classes: 'square',
    attributes: { 'data-label': 'Buy the plan', 'data-amount': '12.00' },
    css: '.square {\n  --sb-radius: 10px;\n  --sb-height: 52px;\n}',
  },
  {
    title: 'Your own font',
    text: 'Any font on the page; digits stay aligned.',
    classes: 'gazette',
    attributes: { 'data-label': 'Today’s edition', 'data-amount': '0.80' },
    css: ".gazette {\n  --sb-font: Georgia, 'Times New Roman', serif;\n  --sb-font-size: 16px;\n  --sb-accent: light-dark(#8a3510, #f2ac82);\n  --sb-radius: 4px;\n}",
  },
  {
    title: 'Quiet',
    text: 'No background of its own, for pages with enough colour.',
    classes: 'quiet',
    attributes: { 'data-label': 'Leave a tip', 'data-type': 'tip', 'data-amount': '1.00' },
    css: '.quiet {\n  --sb-track: transparent;\n  --sb-accent: light-dark(#2c3e50, #c4d2df);\n}',
  },
];

/** Reaching inside. */
export const PARTS_EXAMPLE: Example = {
  title: 'Style a part',
  text: 'For anything the properties don’t cover, use ::part().',
  classes: 'ticket',
  attributes: { 'data-label': 'One ticket', 'data-amount': '9.00' },
  css: '.ticket::part(label) {\n  text-transform: uppercase;\n  letter-spacing: 0.08em;\n}\n.ticket::part(thumb) {\n  border-radius: 12px;\n}',
};

/** Light and dark. */
export const THEMES: readonly Example[] = [
  {
    title: 'On a light page',
    text: 'The button follows the color-scheme of its surroundings, not of the visitor’s desktop.',
    attributes: { 'data-label': 'Read the article' },
    surroundings: { class: 'daylight' },
    css: '.daylight {\n  color-scheme: light;\n}',
  },
  {
    title: 'On a dark page',
    text: 'A page that supports both sets “color-scheme: light dark”.',
    attributes: { 'data-label': 'Read the article' },
    surroundings: { class: 'midnight' },
    css: '.midnight {\n  color-scheme: dark;\n}',
  },
];

/** Kinds of button. */
export const KINDS: readonly Example[] = [
  { title: 'Buy', text: 'The default. Without a label, it says what to do.' },
  {
    title: 'Tip',
    text: 'Different wording before and after.',
    attributes: { 'data-type': 'tip', 'data-amount': '1.00' },
  },
  {
    title: 'To a user',
    text: 'By paymail, or by the user ID (digits) of a user of your service. The wallet shows both.',
    attributes: { 'data-to': '75101', 'data-label': 'Send it to Ann', 'data-amount': '2.00' },
  },
  {
    title: 'To sign',
    text: 'Pays nothing: the visitor’s wallet signs, encrypts or decrypts, and your page gets the result.',
    attributes: {
      'data-label': 'Sign the petition',
      'data-success-message': 'Signed',
      'data-crypto-operations': '[{"name": "vote", "method": "sign", "data": "I support the footbridge."}]',
      'data-on-crypto-operations': 'onSigned',
    },
  },
  {
    title: 'Editable',
    text: 'The visitor chooses who to pay and how much; recipient and currency only prefill the form.',
    attributes: { 'data-editable': 'true', 'data-type': 'tip' },
  },
  {
    title: 'Your own success message',
    text: 'Swipe it: your message appears first, then the receipt.',
    attributes: { 'data-label': 'Support us', 'data-success-message': 'You are wonderful', 'data-amount': '5.00' },
  },
];

/** Languages: the names in their own. */
export const LANGUAGES: readonly Example[] = [
  { title: 'English', text: '', surroundings: { lang: 'en' } },
  { title: 'Deutsch', text: '', surroundings: { lang: 'de' } },
  { title: 'Español', text: '', surroundings: { lang: 'es' } },
  { title: 'Français', text: '', surroundings: { lang: 'fr' } },
  { title: 'Português', text: '', surroundings: { lang: 'pt' } },
  { title: '日本語', text: '', surroundings: { lang: 'ja' } },
  { title: 'العربية', text: '', surroundings: { lang: 'ar', dir: 'rtl' } },
];
