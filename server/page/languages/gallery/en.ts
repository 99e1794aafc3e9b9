/** The texts of the gallery in English. Other languages are next to it. */
import { PRODUCT_NAME } from '../../../../protocol/product.ts';
import { html, type Html } from '../../html.ts';

export const gallery = {
  title: 'Gallery',
  description: 'What the payment button can look like, and how to add it to your page.',
  heading: 'One button, made to fit',
  lead: 'Every size, state and language of the button, each with its code. Swipe any of them: on this page they’re demos, and no money moves.',
  onThisPage: 'On this page',
  noScript: 'The buttons require JavaScript.',

  sections: {
    embed: { title: 'Put it on your page', lead: 'One script, and one element for each button.' },
    sizes: { title: 'Sizes', lead: 'A class, or two custom properties.' },
    looks: {
      title: 'Colours, corners, fonts',
      lead: 'Custom properties, set where you like: on the button, on a section, on the whole page.',
    },
    parts: { title: 'Parts', lead: 'Named elements inside the button that you can style.' },
    themes: { title: 'Light and dark', lead: 'Each is designed on its own; neither is just the other inverted.' },
    states: { title: 'States', lead: 'The element’s state is in data-state. No state changes its size.' },
    kinds: { title: 'Kinds', lead: 'The kind changes the wording, never how it works.' },
    languages: {
      title: 'Languages',
      lead: `${PRODUCT_NAME} uses the language of the element it’s in. Amounts follow that language too. Languages other than English are loaded on demand.`,
    },
  },

  upToDate: 'Always up to date',
  upToDateText: 'Cached for a minute. Your page gets updates automatically.',
  upToDateCode: 'the newest script',
  pinned: 'Pinned to this version',
  pinnedText: (list: Html) =>
    html`Available forever, and the browser rejects anything else. It doesn’t load anything by itself: pin the languages and parts you use as well. ${list} lists them all.`,
  pinnedCode: 'this version of the script',
  notBuilt: 'The button hasn’t been built yet.',
  element: 'One element for each button',
  elementText: (render: Html, to: Html) =>
    html`Or from JavaScript: ${render}. Put your own paymail, user ID or address in ${to}.`,
  elementCode: 'a button',
  elementLabel: 'Read the article',
  languageCode: 'the language of a page',

  propertiesTitle: 'Custom properties',
  propertyName: 'Name',
  propertyInitial: 'Default',
  propertyChanges: 'What it changes',
  properties: {
    '--sb-accent': 'Fill, thumb, links, focus ring',
    '--sb-paper': 'Thumb, and text on a fill',
    '--sb-track': 'The track under the thumb',
    '--sb-ink': 'Text',
    '--sb-muted': 'Hints, fees, disabled buttons',
    '--sb-outline': 'Outline',
    '--sb-success': 'Fill once paid',
    '--sb-danger': 'Errors',
    '--sb-height': 'Height of the track',
    '--sb-width': 'Width, at least 220px',
    '--sb-radius': 'Corners',
    '--sb-font': 'Font family',
    '--sb-font-size': 'Font size',
  },
  /** Defaults that aren't just a CSS value. */
  initials: { '--sb-height': '48px; 36px compact', '--sb-width': '300px; 100% full', '--sb-radius': 'half the height' },

  partNames: 'Part names',
  parts: {
    button: 'Everything but the form',
    track: 'The slider',
    thumb: 'The part you drag',
    fill: 'The colour behind the thumb',
    label: 'The text in the middle',
    amount: 'The amount to pay',
    cost: 'The network fee below the amount',
    'get-wallet': 'The link shown when there’s no wallet',
    phone: 'The button that opens the code to scan',
    panel: 'The panel with that code',
    form: 'The fields of an editable button',
    field: 'One of them, with its name',
    pay: 'The button that pays after a press',
    cancel: 'The way back from it',
    preset: 'One of the amounts to choose from',
    question: 'The question about an ambiguous amount',
  },

  picture: (state: string) => `The button: ${state}`,
  states: {
    loading: { title: 'Looking for a wallet', text: 'For 0.6 seconds at most.' },
    ready: { title: 'Ready', text: 'Swipe, or use the arrow keys, Enter and Escape.' },
    working: { title: 'Working', text: 'The wallet is asking the user. Nothing has been paid yet.' },
    done: { title: 'Paid', text: 'Your success message, for a moment.' },
    receipt: { title: 'The receipt', text: 'Stays, so nobody pays twice.' },
    error: { title: 'An error', text: 'One short line says what to do. Swipe again to retry.' },
    'no-wallet': { title: 'No wallet', text: 'A way to get one, at the same size.' },
    disabled: { title: 'Switched off', text: 'With data-disabled. Its title says why.' },
    failed: { title: 'Set up incorrectly', text: 'data-reason has a stable code; the console says what to change.' },
    editable: { title: 'Editable', text: 'With a form above the track.' },
    rtl: { title: 'Right to left', text: 'Swiped from right to left, in the page’s language.' },
    compact: { title: 'Compact', text: 'The same states at 36 pixels.' },
    full: { title: 'Full width', text: 'The amount stays at the end.' },
  },

  /** An example's description, and its button's label and success message. */
  examples: {
    default: {
      title: 'Default',
      text: '300 × 48 pixels, narrower where there is less room, down to 220. It keeps its size in every state.',
      label: 'Read the article',
    },
    compact: { title: 'Compact', text: '36 pixels high, for lists and toolbars.', label: 'Unlock' },
    full: { title: 'Full width', text: 'As wide as its container.', label: 'Check out' },
    size: {
      title: 'Your own size',
      text: 'At least 220 pixels wide. Below 280, the label moves above the amount.',
      label: 'One song',
    },
    accent: {
      title: 'Your accent',
      text: 'One colour for light pages and one for dark ones. Keep 4.5 to 1 against the track and the paper.',
      label: 'Join the club',
    },
    square: { title: 'Square', text: 'The thumb and the fill follow the corners.', label: 'Buy the plan' },
    font: { title: 'Your own font', text: 'Any font on the page; digits stay aligned.', label: 'Today’s edition' },
    quiet: {
      title: 'Quiet',
      text: 'No background of its own, for pages with enough colour.',
      label: 'Leave a tip',
    },
    part: {
      title: 'Style a part',
      text: 'For anything the properties don’t cover, use ::part().',
      label: 'One ticket',
    },
    light: {
      title: 'On a light page',
      text: 'The button follows the color-scheme of its surroundings, not of the visitor’s desktop.',
      label: 'Read the article',
    },
    dark: {
      title: 'On a dark page',
      text: 'A page that supports both sets “color-scheme: light dark”.',
      label: 'Read the article',
    },
    buy: { title: 'Buy', text: 'The default. Without a label, it says what to do.' },
    tip: { title: 'Tip', text: 'Different wording before and after.' },
    user: {
      title: 'To a user',
      text: 'By paymail, or by the user ID (digits) of a user of your service. The wallet shows both.',
      label: 'Send it to Ann',
    },
    sign: {
      title: 'To sign',
      text: 'Pays nothing: the visitor’s wallet signs, encrypts or decrypts, and your page gets the result.',
      label: 'Sign the petition',
      success: 'Signed',
    },
    editable: {
      title: 'Editable',
      text: 'The visitor chooses who to pay and how much; recipient and currency only prefill the form.',
    },
    message: {
      title: 'Your own success message',
      text: 'Swipe it: your message appears first, then the receipt.',
      label: 'Support us',
      success: 'You are wonderful',
    },
  },
};

/** All texts of the gallery in one language. */
export type GalleryTexts = typeof gallery;
