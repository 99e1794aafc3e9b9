/** Implements a button's states and their transitions. */
import { amountText } from '../text/amount-text.ts';
import { createButtonForm, type FormKind } from './button-form.ts';
import type { ButtonSurroundings, PayButton } from '../button-interface.ts';
import { createButtonPayments } from './button-payments.ts';
import { createButtonRuns, isReported, requestIn } from './button-runs.ts';
import { functionOf, run as runCallback } from '../page/callbacks.ts';
import { openedAsFile, unknownService, type ConfigurationError } from '../configuration-error.ts';
import { languageOf } from './elements.ts';
import { isFamiliar } from '../options/notation.ts';
import { faceOf, type ButtonState, type Cost, type Situation } from './face.ts';
import { readOptionsNow, reader } from '../option-reader.ts';
import type { Configuration, RawOptions } from '../options/plain.ts';
import { OPTION_NAMES } from '../options/rules.ts';
import { isAvailable, part, partLater, textsFor, type CostReceiver, type HelpPart } from '../page/parts.ts';
import type { PaymentError } from '../wallet/payment-error.ts';
import { ENGLISH } from '../text/texts.ts';
import { createView } from './view.ts';
import { createOffer, isOfferable } from '../wallet/wallet-offer.ts';
import type { Paid } from '../wallet/wallet.ts';

export function createPayButton(
  host: HTMLElement,
  root: ShadowRoot,
  given: RawOptions,
  { wallet, serviceUrl, isFile = false, isLost = false }: ButtonSurroundings,
): PayButton {
  let ended = false;
  let configuration: Configuration | null = null;
  let state: ButtonState = 'loading';
  let cost: Cost | null | undefined;
  let error: PaymentError | null = null;
  let paid: Paid | null = null;
  let receipt = false;
  let own: string | undefined;
  let loaded = false;
  let fault: ConfigurationError | null = null;
  /** The message of the last fault that was reported to the console. */
  let complaint = '';
  let failure: ConfigurationError['reason'] | '' = '';
  /** A currency unknown to the wallet, which the form must not suggest. */
  let unknownCurrency = '';
  let timer: ReturnType<typeof setTimeout> | undefined;
  let unwatch: (() => void) | undefined;
  /** True after a press without a drag. The button then shows the second step, which needs the `help` part. */
  let isPressed = false;
  const press = (is: boolean) => {
    isPressed = is && isAvailable('help');
    draw();
  };
  const reread = () => replace(given);
  const offer = createOffer(host);
  const runs = createButtonRuns(() => wallet().items);
  const view = createView(host, root, {
    swipeable: () => state === 'ready' || state === 'error',
    swiped: () => payments.swiped(),
    pressed: () => press(true),
  });
  const form = createButtonForm(
    view,
    {
      isRecipient: (text) => reader(reread)!.isRecipient(text, wallet().network()),
      amountText: (amount, currency) => amountText(amount, currency, languageOf(host)),
      again() {
        if (runs.current) runs.forget(runs.current);
        settle();
      },
      changed: reread,
    },
    reread,
  );

  const payments = createButtonPayments({
    host,
    wallet,
    runs,
    form,
    configuration: () => configuration!,
    state: () => state,
    show(next, reason, outcome = null) {
      [error, paid, receipt] = [reason, outcome, false];
      enter(next);
    },
    showReceipt() {
      receipt = true;
      reread();
    },
    fail,
    reread,
    draw,
    wait(milliseconds, then) {
      stop();
      timer = setTimeout(then, milliseconds);
    },
  });

  /** Warns the page's author about problems with the options. Deferred, because the page may make several changes. */
  const advise = () =>
    queueMicrotask(() =>
      partLater<HelpPart>('help').then((help) => ended || help?.advise(host, given, OPTION_NAMES, () => configuration)),
    );

  /**
   * Enters `failed` for a fault that only the page's author can fix. The state ends when the options change to a
   * different payment.
   */
  function fail({ reason, message }: ConfigurationError, after = error): void {
    stop();
    error = after;
    failure = reason;
    if (complaint !== message) console.error(`[service-button] ${reason}: ${message}`, host);
    complaint = message;
    enter('failed');
  }

  function replace(next: RawOptions): void {
    given = next;
    advise();
    if (ended || state === 'working') return;
    const before = requestIn(configuration);
    const wasOffered = configuration?.options.repeatable;
    const read = readOptionsNow(given, form.form()?.chosen?.(), reread);
    fault = read && 'reason' in read ? read : null;
    const settled = fault ? null : (read as Configuration | null);
    // Until the options part is loaded, it is unknown whether the payment has changed.
    if (!settled && !fault && state === 'done') return draw();
    configuration = settled;
    const isAllowed = state === 'done' && !wasOffered && configuration?.options.repeatable;
    const same = before && before === requestIn(configuration) && !isAllowed;
    const isDisabled = state === 'disabled';
    if (same && (state === 'done' || (state !== 'loading' && configuration!.options.disabled === isDisabled))) draw();
    else settle();
  }

  function stop(): void {
    unwatch?.();
    clearTimeout(timer);
  }

  /** Resets the button, and determines its state until the next swipe. */
  function settle(): void {
    stop();
    error = paid = null;
    cost = undefined;
    runs.release();
    const options = configuration?.options;
    const kind: FormKind = options?.editable ? 'editable' : configuration?.choice ? 'choice' : '';
    if (fault) fail(fault);
    else if (!options || !form.become(kind)) enter('loading');
    else if (options.disabled) enter('disabled');
    else if (options.devMode) enter('ready');
    else watchWallet();
  }

  function watchWallet(): void {
    if (isFile) return fail(openedAsFile());
    if (isLost && isReported(configuration!.payment)) return fail(unknownService());
    receipt = runs.claim(configuration!);
    if (receipt) return enter('done');
    state = 'loading';
    unwatch = wallet().watch((presence) => {
      // After a wallet has been found, changes are ignored, because the next swipe detects them.
      if (state !== 'loading' && state !== 'no-wallet') return;
      if (presence !== 'present') return enter(presence === 'unknown' ? 'loading' : 'no-wallet');
      const { payment, special } = configuration!;
      const wrong = part<HelpPart>('help', () => {})?.networkFaultOf(payment, wallet().network());
      if (wrong) return fail(wrong);
      if (runs.current?.item) return payments.resume(runs.current);
      if (!special?.clarify) return askMore();
      enter('loading');
      const asked = configuration;
      void special.clarify(wallet().rates).then(() => asked === configuration && reread());
    });
  }

  function askMore(): void {
    const asked = configuration!;
    const { payment, options, special } = asked;
    const { currency } = payment.outputs[0] ?? options;
    // Assets have no exchange rate. The wallet's window shows the asset's value to the user.
    const rates = special?.paysAsset ? null : wallet().rates(currency);
    if (!rates) cost = null;
    const isOver = () => requestIn(configuration) !== requestIn(asked);
    const ready = () => {
      if (state === 'loading' && !isOver()) enter('ready');
    };
    const answered: CostReceiver['answered'] = (currencyOfUser, found) => {
      [own, cost] = [currencyOfUser, found];
      ready();
      draw();
    };
    enter(!rates || form.form() || isFamiliar(currency) ? 'ready' : 'loading');
    // The button becomes ready without waiting for the `help` part, which is needed only to describe an invalid
    // currency.
    rates?.then(ready, ({ code }: PaymentError) => code === 'invalid-currency' || ready());
    void partLater<HelpPart>('help').then((help) => {
      if (!help && !isOver()) answered(undefined, null);
      void help?.askCost(asked, rates, wallet().network, {
        isOver,
        wrong(what) {
          const isEditable = form.kind() === 'editable';
          const ends = !isEditable && (state === 'loading' || state === 'ready');
          // In an editable form, the user can choose a different currency.
          if (isEditable) unknownCurrency = currency;
          if (ends) fail(what);
          return ends;
        },
        answered,
      });
    });
  }

  function enter(next: ButtonState): void {
    state = next;
    isPressed = false;
    if (state !== 'failed') failure = complaint = '';
    draw();
    if (loaded || state === 'loading' || state === 'failed') return;
    loaded = true;
    // Deferred until `render` has returned, because the callback might need the handle.
    queueMicrotask(() => {
      const options = configuration?.options;
      if (options && !options.devMode && !ended) runCallback(functionOf(options.onLoad));
    });
  }

  function draw(): void {
    if (ended) return;
    const locale = languageOf(host);
    const texts = textsFor(locale, draw);
    const walletless = state === 'no-wallet';
    if (failure) host.dataset.reason = failure;
    else delete host.dataset.reason;
    const isFilePage = failure === 'file-page';
    const needsHelp = walletless || isPressed || ((isFilePage || state === 'error') && texts === ENGLISH);
    const help = needsHelp ? part<HelpPart>('help', draw) : undefined;
    const situation: Situation = {
      state,
      configuration,
      locale,
      texts,
      cost,
      error,
      paid,
      receipt,
      more: help?.texts,
      canGetWallet: !!(help && serviceUrl),
      mayReload: walletless && !!help?.mayReload(),
      isFile: isFilePage,
    };
    const face = faceOf(situation);
    const kit = {
      root,
      situation,
      face,
      serviceUrl,
      draw,
      isAvailable,
      part,
      swiped: payments.swiped,
      cancelled: () => press(false),
    };
    const step = isPressed && help?.step(kit);
    view.draw(face, texts, step || (walletless && help?.instead(kit)) || [], !!step);
    const isReady = state === 'ready' && form.kind() !== 'editable' && !isPressed && isOfferable(configuration!);
    offer(isReady ? JSON.stringify(wallet().request(configuration!.payment)) : '');
    if (!configuration) return;
    const { to, currency } = configuration.options;
    form.form()?.draw({
      to,
      choice: configuration.choice,
      currency: currency === unknownCurrency ? 'USD' : currency,
      own,
      texts: texts.form,
      state,
    });
  }

  // The payment may have been made in a newer document.
  const shown = (event: PageTransitionEvent) => event.persisted && state !== 'done' && state !== 'working' && settle();
  addEventListener('pageshow', shown);
  replace(given);
  return {
    replace,
    update: (more) => replace({ ...given, ...more }),
    draw,
    state: () => state,
    setAway: runs.setAway,
    destroy() {
      ended = true;
      stop();
      removeEventListener('pageshow', shown);
      runs.release();
      offer('');
      delete host.dataset.state;
      delete host.dataset.reason;
    },
  };
}
