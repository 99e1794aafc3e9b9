/** What a button shows and says in each of its states. Decisions only; view.ts draws them. */
import { amountText } from './amount-text.ts';
import type { Configuration } from './options/plain.ts';
import type { PaymentError } from './payment-error.ts';
import { ENGLISH, fill, type HelpTexts, type Texts } from './texts.ts';
import type { Paid } from './wallet.ts';

/** The host's `data-state` **(fixed: design, section 7)**. */
export type ButtonState = 'loading' | 'no-wallet' | 'ready' | 'disabled' | 'working' | 'done' | 'error' | 'failed';

/** What a payment costs, in the payer's own money. About: people read it rounded. */
export interface Cost {
  currency: string;
  /** True where the payer pays nobody else: the fee is all that it costs. */
  isOwn: boolean;
  /** With the fee, and the fee alone. */
  total(locale: string): string;
  fee(locale: string): string;
}

/** All that decides a face. */
export interface Situation {
  state: ButtonState;
  /** Null in state `failed`, and while what reads its options is loading. */
  configuration: Configuration | null;
  /** In state `no-wallet`: a link leads to one. */
  canGetWallet?: boolean;
  /** In that state: the page may find a wallet once it is loaded again. */
  mayReload?: boolean;
  /** In state `failed`: the page was opened as a file, which the person who opened it can change. */
  isFile?: boolean;
  /** Language of the page, a BCP 47 tag or ''. */
  locale: string;
  texts: Texts;
  /** What the payment costs the user; undefined until the wallet has answered, null where it does not know. */
  cost?: Cost | null | undefined;
  error?: PaymentError | null;
  /** What came of it; null in a demo. */
  paid?: Paid | null;
  /** More texts in English, once they are there. */
  more?: HelpTexts | undefined;
  /** The track was pressed without dragging. */
  isPressed?: boolean;
  /** The success message has had its time: the receipt stays. */
  receipt?: boolean;
}

/** What there is to see and hear. Empty text, or none, means: nothing. */
export interface Face {
  state: ButtonState;
  /** In the middle. */
  label: string;
  /** True where `label` is our own hint, because the page gave none. */
  hint?: boolean;
  /** At the right end. */
  amount?: string;
  /** The small line below the amount: the cost in the payer's own money, or the mark of a demo. */
  cost?: string;
  title: string;
  /** The slider's accessible name. */
  name: string;
  /** The slider's value in words; '' while a percentage says enough. */
  valueText?: string;
  /** Said aloud when it changes; '' says nothing. */
  spoken: string;
  /** The second step of a press: what the button says, and its accessible name. */
  step?: string;
  stepName?: string;
  /** Of an error: nothing went wrong. The payment is on its way, or the user refused it. */
  calm?: boolean;
}

/** What is to be paid, in the button's currency; '' where that is nothing, or not known. */
function askedText({ configuration, locale, texts }: Situation): string {
  const { special, payment } = configuration!;
  const [output] = payment.outputs;
  if (special) return special.amount(amountText, locale, texts);
  return output ? amountText(output.amount, output.currency, locale) : '';
}

/** What was paid, in the button's currency where the wallet reports it, else what was requested. */
function paidText(situation: Situation): string {
  const { paid, locale } = situation;
  try {
    if (paid?.payment && !situation.configuration!.special?.paysAsset)
      return amountText(paid.payment.amount, paid.payment.currency, locale);
  } catch {
    // The wallet's amount is malformed; the payment is valid all the same.
  }
  return askedText(situation);
}

/** The face for a situation. */
export function faceOf(situation: Situation): Face {
  const { state, configuration, locale, texts, cost, error, more, receipt } = situation;
  // Said aloud only after a swipe: what nobody acted on is not worth an interruption.
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
  // Where the room is too narrow for it, the label can be read here.
  let title = devMode ? texts.demoTitle : given;
  // Room for the cost, so that nothing moves when it comes.
  let small = devMode ? texts.demo : cost === undefined && state === 'ready' && amount ? '\u00a0' : '';
  let valueText = '';
  let spoken = '';
  const calm = state === 'error' && (error?.moved === 'yes' || error?.code === 'refused');
  if (cost) {
    const [total, fee] = [cost.total(locale), cost.fee(locale)];
    const self = cost.isOwn ? texts.toSelf : '';
    small = self || (cost.currency === outputs[0]?.currency ? fill(texts.fee, { fee }) : `≈ ${total}`);
    title = [given, self && `${self}.`, fill(texts.cost, { total, fee })].filter(Boolean).join(' ');
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
    // That two sources of the rate differ is, for a swipe, the same as none.
    const code = error.code === 'rates-differ' ? 'rate-unavailable' : error.code;
    label =
      texts.errors[code] ??
      more?.errors[code] ??
      ((error.moved === 'yes' && texts.errors['payment-pending']) || texts.errors.other);
    // The wallet's sentence is English.
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
  const step = situation.isPressed ? fill(texts.step[kind], { amount }) : '';
  return {
    state,
    label,
    step,
    stepName: given ? fill(texts.nameWithLabel, { name: step, label: given }) : step,
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
