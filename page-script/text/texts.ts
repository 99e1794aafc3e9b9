/** Every text that people see or hear, in English. Other languages are in languages/, loaded on demand. */

export interface Texts {
  /** Shown if the page gives no label; `run` if nothing is paid. */
  swipe: { buy: string; tip: string; run: string };
  /** The slider's accessible name. */
  name: { buy: string; tip: string; run: string };
  nameWithLabel: string;
  percent: string;
  working: string;
  /** If nothing was paid, `run` is the receipt as well. */
  success: { buy: string; tip: string; run: string };
  paid: string;
  /** Unit of an asset that the page names by an ID: one, and any other number. */
  tokens: readonly [one: string, other: string];
  getWallet: string;
  noWallet: string;
  loadingTitle: string;
  disabledTitle: string;
  failed: string;
  failedTitle: string;
  /** Next to an error after which nothing was paid. */
  unmoved: string;
  demo: string;
  demoTitle: string;
  demoPaid: string;
  /** One short line for each error code with the remedy; `other` for the rest. Most English ones are in help/. */
  errors: { readonly [code: string]: string; other: string };
  /** The English ones of these are in help/. First the button that follows a press without dragging, and the way back. */
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
  /** The form of an editable button, and the panel with the QR code, which include English. */
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
  /** The field's name next to presets. */
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
  /** Shown if the amount isn't in the code, because no exchange rate is known. */
  enterAmount: string;
  open: string;
  note: string;
  close: string;
}

/** Texts of the part `help`, which contains them in English. */
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
  /** One short line for each error. */
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

/** Fills in the `{names}` of a text. */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '').trim();
}
