/** Determines a button's text in each state. view.ts displays the text. */
import { amountText } from '../text/amount-text.ts';
import type { Configuration } from '../options/plain.ts';
import type { PaymentError } from '../wallet/payment-error.ts';
import { ENGLISH, fill, type HelpTexts, type Texts } from '../text/texts.ts';
import type { Paid } from '../wallet/wallet.ts';

/** The public values of the host's `data-state` (docs/button.md). */
export type ButtonState = 'loading' | 'no-wallet' | 'ready' | 'disabled' | 'working' | 'done' | 'error' | 'failed';

/** Formats a payment's cost in the payer's currency. @param currency the currency of the button's amount */
export type Cost = (texts: Texts, locale: string, currency: string | undefined) => [line: string, sentence: string];

export interface Situation {
  state: ButtonState;
  /** Null in the `failed` state, and while the options part is loading. */
  configuration: Configuration | null;
  canGetWallet?: boolean;
  mayReload?: boolean;
  /** In the `failed` state, true if the page was opened as a file, which the visitor can fix. */
  isFile?: boolean;
  /** The page's language, a BCP 47 tag or ''. */
  locale: string;
  texts: Texts;
  /** The payment's cost to the user. Undefined until the wallet has responded, null if unknown. */
  cost?: Cost | null | undefined;
  error?: PaymentError | null;
  /** The result of the payment, null in a demo. */
  paid?: Paid | null;
  /** The `help` part's English text, if loaded. */
  more?: HelpTexts | undefined;
  /** True after the receipt has replaced the success message. */
  receipt?: boolean;
}

/** The visible and spoken text of a button. Elements with empty or missing text are hidden. */
export interface Face {
  state: ButtonState;
  /** The purpose of a swipe. Missing if there is no configuration. */
  kind?: 'buy' | 'tip' | 'run';
  label: string;
  /** True if `label` is the default hint, because the page doesn't set a label. */
  hint?: boolean;
  amount?: string;
  /** The small line below the amount: the cost in the payer's currency, or the note "demo". */
  cost?: string;
  title: string;
  name: string;
  /** The slider's value in words, or '' to use the percentage. */
  valueText?: string;
  /** The text announced by screen readers when it changes. */
  spoken: string;
  /** True for an error that isn't a failure: the payment is on its way, or the user rejected it. */
  calm?: boolean;
}

/** Formats the requested amount in the button's currency. Returns '' if the amount is zero or unknown. */
function askedText({ configuration, locale, texts }: Situation): string {
  const { special, payment } = configuration!;
  const [output] = payment.outputs;
  if (special) return special.amount(amountText, locale, texts);
  return output ? amountText(output.amount, output.currency, locale) : '';
}

/**
 * Formats the paid amount in the currency that the wallet reports. If the wallet reports none, formats the requested
 * amount.
 */
function paidText(situation: Situation): string {
  const { paid, locale } = situation;
  try {
    if (paid?.payment && !situation.configuration!.special?.paysAsset)
      return amountText(paid.payment.amount, paid.payment.currency, locale);
  } catch {
    // The wallet's amount is malformed, but the payment is valid.
  }
  return askedText(situation);
}

export function faceOf(situation: Situation): Face {
  const { state, configuration, locale, texts, cost, error, more, receipt } = situation;
  // Nothing is announced if the user hasn't swiped, because announcements interrupt screen readers.
  if (!configuration || state === 'failed') {
    const { filePage, filePageTitle } = { ...more, ...texts };
    const [label, title] =
      state === 'loading'
        ? [texts.loadingTitle, texts.loadingTitle]
        : situation.isFile && filePage
          ? [filePage, filePageTitle!]
          : [texts.failed, texts.failedTitle];
    return { state, label, title, name: label, spoken: error ? `${label}. ${title}` : '' };
  }

  const {
    options: { label: given, type, editable, devMode, successMessage },
    payment: { outputs },
  } = configuration;
  const kind = outputs[0] || editable || devMode || configuration.choice ? type : 'run';
  const invitation = texts.swipe[kind];
  const amount = askedText(situation);
  const action = fill(texts.name[kind], { amount });
  let label = given || invitation;
  // The title contains the full label, because narrow buttons may truncate it.
  let title = devMode ? texts.demoTitle : given;
  // Reserves space for the cost, to prevent a layout shift when the cost arrives.
  let small = devMode ? texts.demo : cost === undefined && state === 'ready' && amount ? '\u00a0' : '';
  let valueText = '';
  let spoken = '';
  const calm = state === 'error' && (error?.moved === 'yes' || error?.code === 'refused');
  if (cost) {
    const [line, sentence] = cost(texts, locale, outputs[0]?.currency);
    small = line;
    title = `${given} ${sentence}`.trim();
  }

  if (state === 'loading') title = texts.loadingTitle;
  if (state === 'disabled') title = texts.disabledTitle;
  if (state === 'no-wallet') {
    const { reloadPage } = { ...more, ...texts };
    label = (situation.mayReload && reloadPage) || (situation.canGetWallet ? texts.getWallet : texts.noWallet);
    title = texts.noWallet;
  }
  if (state === 'working') {
    label = devMode ? texts.demo : texts.working;
    if (!devMode) valueText = spoken = label;
  }
  if (state === 'error' && error) {
    // Users don't need to distinguish rates that differ between sources from a missing rate.
    const code = error.code === 'rates-differ' ? 'rate-unavailable' : error.code;
    label =
      texts.errors[code] ??
      more?.errors[code] ??
      ((error.moved === 'yes' && texts.errors['payment-pending']) || texts.errors.other);
    // The wallet's message is in English.
    const sentence = texts === ENGLISH ? error.message : error.moved === 'no' ? texts.unmoved : '';
    title = sentence || label;
    spoken = `${sentence} ${label}`.trim();
  }
  if (state === 'done') {
    const message = successMessage ?? texts.success[kind];
    title = '';
    valueText = devMode
      ? texts.demoPaid
      : kind === 'run'
        ? texts.success.run
        : fill(texts.paid, { amount: paidText(situation) });
    label = receipt ? valueText : message;
    spoken = `${message} ${valueText}.`;
  }
  return {
    state,
    kind,
    label,
    hint: !given && label === invitation,
    amount,
    cost: small,
    title,
    name: given ? fill(texts.nameWithLabel, { name: action, label: given }) : action,
    valueText,
    spoken,
    calm,
  };
}
