import { MESSAGE_MS } from '../../protocol/messages/wire.ts';
import type { ButtonForm } from './button-form.ts';
import { itemKey, runOf, type ButtonRuns, type Run } from './button-runs.ts';
import { functionOf, lostCallback, run as runCallback } from '../page/callbacks.ts';
import { ConfigurationError, type ConfigurationReason } from '../configuration-error.ts';
import type { ButtonState } from './face.ts';
import type { Configuration } from '../options/plain.ts';
import { isOnItsWay, outcomeAfter } from './outcome.ts';
import { isRequestFault, type PaymentError } from '../wallet/payment-error.ts';
import type { Paid, Wallet } from '../wallet/wallet.ts';

/** How long a demo pretends to pay (milliseconds). */
const DEMO_TIME = 900;

export interface PayingButton {
  host: HTMLElement;
  wallet(): Wallet;
  runs: ButtonRuns;
  form: ButtonForm;
  configuration(): Configuration;
  state(): ButtonState;
  show(state: ButtonState, error: PaymentError | null, paid?: Paid | null): void;
  showReceipt(): void;
  /** Puts the button into the `failed` state. @param error the wallet's error that revealed the fault */
  fail(fault: ConfigurationError, error: PaymentError): void;
  /** Applies options that were set during a payment. */
  reread(): void;
  draw(): void;
  /** Starts a timer, after stopping the button's previous timer and its wallet watcher. */
  wait(milliseconds: number, then: () => void): void;
}

export interface ButtonPayments {
  swiped(): void;
  /** Queries a payment that was pending when the page was last unloaded. */
  resume(run: Run): void;
}

export function createButtonPayments(button: PayingButton): ButtonPayments {
  const { wallet, runs, form, configuration, state, show } = button;

  /** Waits for a payment's outcome after its request ended with an error that leaves the outcome open. */
  async function follow(run: Run, before: PaymentError): Promise<void> {
    if (!run.item || before.moved === 'no') return;
    // The button may already show a later swipe.
    const isShown = () => run === runs.current && state() === 'error';
    try {
      const outcome = await outcomeAfter(
        before,
        (known) => wallet().items!.outcome(run.item!, known),
        (reason) => isShown() && show('error', reason),
      );
      succeeded(outcome, run);
    } catch (cause) {
      const reason = cause as PaymentError;
      if (reason.moved !== 'no' || !reason.final) return;
      if (isShown()) failed(reason, run);
      else runs.forget(run);
    }
  }

  function succeeded(outcome: Paid | null, run: Run): void {
    // Two swipes can wait for the same payment, as can two buttons, such as a replaced button and its clone.
    const isNews = !run.item || wallet().items!.report(run.item);
    const { current } = runs;
    if ((run === current || (run.item && run.item === current?.item)) && (isNews || state() !== 'done')) {
      runs.current = run;
      show('done', null, outcome);
      button.wait(MESSAGE_MS, button.showReceipt);
    }
    if (outcome && isNews) {
      if (run.payment.cryptoOperations) runCallback(run.calls[0], outcome.cryptoOperations);
      if (outcome.payment) runCallback(run.calls[1], outcome.payment);
    }
    // An editable form can be used again, so its payment isn't remembered as paid.
    if (run.item) wallet().items![form.kind() === 'editable' ? 'forget' : 'keep'](run.item);
  }

  function failed(reason: PaymentError, run: Run | null): void {
    const { code, message } = reason;
    if (run) runs.forget(run, reason);
    const kind = form.kind();
    // Users can fix fields that they filled in. The rest of the request comes from the page and can't be fixed here.
    if (isRequestFault(reason) && !(kind === 'editable' && reason.about) && !(kind && /amount/.test(code))) {
      const fault = code === 'invalid-operation' ? 'invalid-crypto-operation' : (code as ConfigurationReason);
      button.fail(new ConfigurationError(fault, message), reason);
    } else {
      show('error', reason);
      if (code === 'unsupported-recipient') console.warn(`[service-button] ${code}: ${message}`, button.host);
      runCallback(functionOf(configuration().options.onError), reason);
    }
    if (run) void follow(run, reason);
    // Skipped if the callback has changed the button's state.
    if (/^(error|failed)$/.test(state())) button.reread();
  }

  return {
    swiped() {
      const { payment: requested, options } = configuration();
      const filledIn = options.devMode ? undefined : form.form()?.read();
      if (filledIn === null) return button.draw();
      // Only editable forms set the recipient. If the visitor only chooses the amount, the form just validates the
      // input.
      const payment = filledIn && form.kind() === 'editable' ? { ...requested, outputs: [filledIn] } : requested;
      const lost = !options.devMode && lostCallback(options);
      if (lost) return failed(lost, null);
      runs.release();
      const run = (runs.current = runOf(configuration(), payment, null));
      show('working', null);
      if (options.devMode) return button.wait(DEMO_TIME, () => succeeded(null, run));
      // Only payments with outputs are stored, because others can't remain pending.
      const begun = payment.outputs[0] && wallet().items?.pay(itemKey(configuration()), payment);
      if (begun) [run.item] = begun;
      (begun?.[1] ?? wallet().pay(payment)).then(
        (outcome) => succeeded(outcome, run),
        (reason: PaymentError) => failed(reason, run),
      );
    },
    resume(run) {
      show('working', null);
      wallet()
        .items!.outcome(run.item!)
        .then(
          (outcome) => succeeded(outcome, run),
          (reason: PaymentError) => {
            const isCurrent = run === runs.current;
            if (isOnItsWay(reason)) {
              if (isCurrent) show('error', reason);
              void follow(run, reason);
            } else {
              // The wallet has no such payment, or the payment wasn't made.
              runs.forget(run);
              if (isCurrent) show('loading', null);
            }
            if (isCurrent) button.reread();
          },
        );
    },
  };
}
