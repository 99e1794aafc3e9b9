/** What a button shows and says in each of its states. Decisions only; view.ts draws them. */
import type { Payment } from '../protocol/payment.ts';
import { amountText } from './amount-text.ts';
import type { Configuration } from './options/configuration.ts';
import type { PaymentError } from './payment-error.ts';
import { ERROR_LINES, fill, OTHER_ERROR_LINE, TEXTS } from './texts.ts';

/** The host's `data-state` **(fixed: design, section 7)**. */
export type ButtonState = 'loading' | 'no-wallet' | 'ready' | 'disabled' | 'working' | 'done' | 'error' | 'failed';

/** All that decides a face. */
export interface Situation {
  state: ButtonState;
  /** Null in state `failed`: there is none. */
  configuration: Configuration | null;
  /** Language of the page, a BCP 47 tag or ''. */
  locale: string;
  error?: PaymentError | null;
  /** What was paid; null in a demo. */
  payment?: Payment | null;
  /** The success message has had its time: the receipt stays. */
  receipt?: boolean;
}

/** What there is to see and hear. Empty text means: nothing. */
export interface Face {
  state: ButtonState;
  /** In the middle. */
  label: string;
  /** True where `label` is our own hint, because the page gave none. */
  hint: boolean;
  /** At the right end. */
  amount: string;
  /** The mark of a demo, below the amount. */
  mark: string;
  title: string;
  /** The slider's accessible name. */
  name: string;
  /** The slider's value in words; '' while a percentage says enough. */
  valueText: string;
  /** Said aloud when it changes; '' says nothing. */
  spoken: string;
}

/** What was paid, in the button's currency where the wallet tells it, else what was asked for. */
function paidText(situation: Situation, asked: string): string {
  const { payment, locale } = situation;
  try {
    if (payment) return amountText(payment.amount, payment.currency, locale);
  } catch {
    // The wallet's amount is none; the payment stands all the same.
  }
  return asked;
}

/** The face for a situation. */
export function faceOf(situation: Situation): Face {
  const { state, configuration, locale, error, receipt } = situation;
  const face: Face = { state, label: '', hint: false, amount: '', mark: '', title: '', name: '', valueText: '', spoken: '' };
  if (!configuration) return { ...face, label: TEXTS.failed, name: TEXTS.failed, title: TEXTS.failedTitle };

  const { options } = configuration;
  const amount = options.amount === null ? '' : amountText(options.amount, options.currency, locale);
  const name = fill(TEXTS.name[options.type], { amount });
  face.amount = amount;
  face.hint = options.label === '';
  // Where the room is too narrow for it, the label can be read here.
  face.title = options.label;
  face.label = options.label || TEXTS.swipe[options.type];
  face.name = options.label ? fill(TEXTS.nameWithLabel, { name, label: options.label }) : name;
  if (options.devMode) Object.assign(face, { mark: TEXTS.demo, title: TEXTS.demoTitle });

  if (state === 'loading') face.title = TEXTS.loadingTitle;
  if (state === 'disabled') face.title = TEXTS.disabledTitle;
  if (state === 'no-wallet') Object.assign(face, { label: TEXTS.getWallet, hint: false, title: TEXTS.noWalletTitle });
  if (state === 'working') Object.assign(face, { label: options.devMode ? TEXTS.demo : TEXTS.working, hint: false });
  if (state === 'working' && !options.devMode) face.valueText = face.spoken = TEXTS.workingSpoken;
  if (state === 'error' && error) {
    Object.assign(face, { label: ERROR_LINES[error.code] ?? OTHER_ERROR_LINE, hint: false, title: error.message });
    face.spoken = `${error.message} ${face.label}.`;
  }
  if (state === 'done') {
    const paid = options.devMode ? TEXTS.demoPaid : fill(TEXTS.paid, { amount: paidText(situation, amount) });
    const message = options.successMessage ?? TEXTS.success[options.type];
    Object.assign(face, { label: receipt ? paid : message, hint: false, valueText: paid, spoken: `${message} ${paid}.` });
  }
  return face;
}
