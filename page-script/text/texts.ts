/** All displayed and spoken text, in English. Other languages are in languages/ and are loaded on demand. */

export interface Texts {
  /** Labels for buttons without a label from the page. `run` is for crypto operations without a payment. */
  swipe: { buy: string; tip: string; run: string };
  /** Accessible names of the slider. */
  name: { buy: string; tip: string; run: string };
  nameWithLabel: string;
  percent: string;
  working: string;
  /** Success messages. `run` also serves as the receipt. */
  success: { buy: string; tip: string; run: string };
  paid: string;
  /** The unit of an asset that the page specifies by an ID: singular and plural. */
  tokens: readonly [one: string, other: string];
  getWallet: string;
  noWallet: string;
  loadingTitle: string;
  disabledTitle: string;
  failed: string;
  failedTitle: string;
  /** Shown next to an error if no money moved. */
  unmoved: string;
  demo: string;
  demoTitle: string;
  demoPaid: string;
  /** A short remedy for each error code, and `other` for the remaining codes. Most of the English text is in help/. */
  errors: { readonly [code: string]: string; other: string };
  /** The second step after a press: the buttons to pay and to cancel. The English text is in help/. */
  step?: { buy: string; tip: string; run: string };
  cancel?: string;
  /** The small line below the amount, and the sentence in the title. */
  fee?: string;
  cost?: string;
  /** The small line if the payer is the only recipient. */
  toSelf?: string;
  opensNewTab?: string;
  payByPhone?: string;
  reloadPage?: string;
  filePage?: string;
  filePageTitle?: string;
  /** The form of an editable button, and the panel with the QR code. Both parts contain their English text. */
  form?: FormTexts;
  phone?: PhoneTexts;
}

export interface FormTexts {
  to: string;
  toExample: string;
  amount: string;
  currency: string;
  badTo: string;
  badAmount: string;
  whichAmount: string;
  /** The name of the amount field next to presets. */
  otherAmount: string;
  note: string;
  between: string;
  least: string;
  most: string;
  choose: string;
  again: string;
}

export interface PhoneTexts {
  title: string;
  scan: string;
  /** Shown if the QR code lacks the amount because no exchange rate is known. */
  enterAmount: string;
  open: string;
  note: string;
  close: string;
}

/** Text of the `help` part, which contains the English version. */
export type HelpTexts = Required<
  Pick<
    Texts,
    | 'step'
    | 'cancel'
    | 'fee'
    | 'cost'
    | 'toSelf'
    | 'opensNewTab'
    | 'payByPhone'
    | 'reloadPage'
    | 'filePage'
    | 'filePageTitle'
  >
> & {
  /** A short remedy for each error code. */
  errors: Readonly<Record<string, string>>;
};

export const ENGLISH: Texts = {
  swipe: { buy: 'Swipe to pay', tip: 'Swipe to tip', run: 'Swipe to confirm' },
  name: { buy: 'Swipe to pay {amount}', tip: 'Swipe to tip {amount}', run: 'Swipe to confirm' },
  nameWithLabel: '{name}: {label}',
  percent: '{percent} percent',
  working: 'Check your wallet…',
  success: { buy: "It's yours!", tip: 'Thank you!', run: 'Done' },
  paid: 'Paid {amount}',
  tokens: ['token', 'tokens'],
  getWallet: 'Get the wallet',
  noWallet: 'No wallet found',
  loadingTitle: 'Looking for your wallet…',
  disabledTitle: 'The page has turned this button off.',
  failed: 'Payment not available',
  failedTitle: "This button isn't set up correctly. No money has moved.",
  unmoved: 'No money has moved.',
  demo: 'Demo',
  demoTitle: 'Demo: no money moves.',
  demoPaid: 'Demo: nothing paid',
  errors: {
    'payment-pending': "Sending… Don't pay again",
    'payment-contested': 'Not accepted. Check wallet',
    other: "That didn't work. Swipe again",
  },
};

/** Fills the `{placeholders}` in a string. */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '').trim();
}
