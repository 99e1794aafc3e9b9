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

/** Milliseconds that a demo pretends to work. */
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
  /** @param error that a swipe ended with */
  fail(fault: ConfigurationError, error: PaymentError): void;
  /** Applies options that arrived during a payment. */
  reread(): void;
  draw(): void;
  /** Replaces all timers and watchers by a timer. */
  wait(milliseconds: number, then: () => void): void;
}

export interface ButtonPayments {
  swiped(): void;
  /** Queries a payment that an earlier load of the page has left open. */
  resume(run: Run): void;
}

export function createButtonPayments(button: PayingButton): ButtonPayments {
  const { wallet, runs, form, configuration, state, show } = button;

  /** Waits for the outcome of a payment whose swipe has ended without one. */
  async function follow(run: Run, before: PaymentError): Promise<void> {
    if (!run.item || before.moved === 'no') return;
    // A later swipe has its own outcome.
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
    // Two swipes may have requested the same payment. So may two buttons: a replaced one, and its copy from a snapshot.
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
    // An editable form is filled in again for another recipient.
    if (run.item) wallet().items![form.kind() === 'editable' ? 'forget' : 'keep'](run.item);
  }

  function failed(reason: PaymentError, run: Run | null): void {
    const { code, message } = reason;
    if (run) runs.forget(run, reason);
    const kind = form.kind();
    // Users can fix what they typed. The rest of the request comes from the page and stays wrong.
    if (isRequestFault(reason) && !(kind === 'editable' && reason.about) && !(kind && /amount/.test(code))) {
      const fault = code === 'invalid-operation' ? 'invalid-crypto-operation' : (code as ConfigurationReason);
      button.fail(new ConfigurationError(fault, message), reason);
    } else {
      show('error', reason);
      if (code === 'unsupported-recipient') console.warn(`[service-button] ${code}: ${message}`, button.host);
      runCallback(functionOf(configuration().options.onError), reason);
    }
    if (run) void follow(run, reason);
    // Unless the callback has given newer options.
    if (/^(error|failed)$/.test(state())) button.reread();
  }

  return {
    swiped() {
      const { payment: requested, options } = configuration();
      const filledIn = options.devMode ? undefined : form.form()?.read();
      if (filledIn === null) return button.draw();
      // The page keeps the recipient of a choice. The form only validates the amount.
      const payment = filledIn && form.kind() === 'editable' ? { ...requested, outputs: [filledIn] } : requested;
      const lost = !options.devMode && lostCallback(options);
      if (lost) return failed(lost, null);
      runs.release();
      const run = (runs.current = runOf(configuration(), payment, null));
      show('working', null);
      if (options.devMode) return button.wait(DEMO_TIME, () => succeeded(null, run));
      // Without outputs, no payment can remain open.
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
              // The wallet doesn't know it, or it isn't paid.
              runs.forget(run);
              if (isCurrent) show('loading', null);
            }
            if (isCurrent) button.reread();
          },
        );
    },
  };
}
