/** One button: its states and how it goes from one to the next. */
import type { PaymentOptions } from '../protocol/payment.ts';
import { MESSAGE_MS, OFFER_EVENT } from '../protocol/wire.ts';
import { amountText } from './amount-text.ts';
import { functionOf, lostCallback, run as runCallback } from './callbacks.ts';
import { ConfigurationError, missingOptions, unknownService, type ConfigurationReason } from './configuration-error.ts';
import { languageOf } from './elements.ts';
import { isFamiliar } from './familiar-currency.ts';
import { faceOf, type ButtonState, type Cost, type Situation } from './face.ts';
import { addressIn, configurePlainly, type Configuration, type GivenOptions } from './options/plain.ts';
import { OPTION_NAMES } from './options/rules.ts';
import type { Item } from './page-items.ts';
import {
  isAvailable,
  part,
  partLater,
  textsFor,
  type Form,
  type FormPart,
  type HelpPart,
  type OptionsPart,
} from './parts.ts';
import { isRequestFault, type PaymentError } from './payment-error.ts';
import { ENGLISH } from './texts.ts';
import { createView } from './view.ts';
import { isOfNetwork, networkFaultOf } from './wallet-checks.ts';
import type { Paid, Wallet } from './wallet.ts';

/** Milliseconds that a demo pretends to work. */
const DEMO_TIME = 900;

/** What all buttons of a page share. */
export interface ButtonSurroundings {
  /** The wallet; requested only by buttons that need one, so that a page of demos contacts nothing. */
  wallet(): Wallet;
  /** Where "Get the wallet" leads, or null where that is not known. */
  serviceUrl: string | null;
  /** The page was opened as a file (`file://`). */
  isFile?: boolean;
  /** The script can't find its service, which would never learn of a payment. */
  isLost?: boolean;
}

/** A rendered button. */
export interface PayButton {
  /**
   * Replaces all options. A payment in progress continues unchanged, and its receipt stays; the new options apply
   * afterwards. A different payment makes a paid button ready again.
   */
  replace(given: GivenOptions): void;
  /** Merges options into the current ones. */
  update(given: GivenOptions): void;
  /** Its state, which the page's scripts may have removed from the element. */
  state(): ButtonState;
  /** Leaves its payment to another button while its element is out of the document, and takes it back. */
  setAway(is: boolean): void;
  /** Draws it as it is now. To be called when something around it has changed: the language, say. */
  draw(): void;
  /** Ends it. A payment under way still ends in its callback: money that moved must be reported. */
  destroy(): void;
}

/** What of a configuration makes another payment of it: not its words. */
function requestIn(configuration: Configuration | null): string | null {
  if (!configuration) return null;
  const { payment, options } = configuration;
  return JSON.stringify([{ ...payment, label: undefined }, options.devMode, options.editable]);
}

/** One swipe, or what an earlier load of the page has left of one. */
interface Run {
  payment: PaymentOptions;
  /** The callbacks for the operations' results and for the payment. */
  calls: readonly ReturnType<typeof functionOf>[];
  /** The remembered payment, or null if nothing is remembered. */
  item: Item | null;
}

/** True for a payment that is signed, and that the network does not have yet. */
const isOnItsWay = ({ code }: PaymentError) => code === 'payment-pending' || code === 'payment-contested';

/** Makes a button of an element and the shadow root it has. */
export function createPayButton(
  host: HTMLElement,
  root: ShadowRoot,
  firstGiven: GivenOptions,
  { wallet, serviceUrl, isFile = false, isLost = false }: ButtonSurroundings,
): PayButton {
  let ended = false;
  let given = firstGiven;
  let configuration: Configuration | null = null;
  let state: ButtonState = 'loading';
  let cost: Cost | null | undefined;
  let error: PaymentError | null = null;
  let paid: Paid | null = null;
  let receipt = false;
  let form: Form | null = null;
  /** The subject of its state, or null before the first swipe. */
  let current: Run | null = null;
  let isAway = false;
  /** The kind of `form`. */
  let formKind: 'editable' | 'choice' | '' = '';
  /** The user's own currency. */
  let own: string | undefined;
  let loaded = false;
  /** What is wrong with the options that were read last, and what of it the console has. */
  let fault: ConfigurationError | null = null;
  let complaint = '';
  let failure: ConfigurationReason | '' = '';
  /** A currency that the wallet does not know: no suggestion for the form. */
  let unknownCurrency = '';
  let timer: ReturnType<typeof setTimeout> | undefined;
  let unwatch: (() => void) | undefined;
  /** What the wallet's relay was told last; '' for nothing. */
  let offered = '';
  /** Pressed without dragging: a second press pays. */
  let isPressed = false;
  const press = (is: boolean) => {
    isPressed = is;
    draw();
  };
  const view = createView(host, root, {
    swipeable: () => state === 'ready' || state === 'error',
    swiped,
    pressed: () => press(true),
    cancelled: () => press(false),
  });

  /** What reads options that are not an ordinary button's; undefined while it is not there. */
  const reader = () => part<OptionsPart>('options', () => replace(given));

  /** What checks an address; undefined while it is not there. Until then, and where it cannot be had, the wallet alone checks. */
  const checker = () => part<HelpPart>('help', () => replace(given));

  /** The configuration, or null: then `fault` says why, unless its reader is on its way. */
  function read(): Configuration | null {
    fault = null;
    try {
      const plain = configurePlainly(given);
      const address = plain && addressIn(plain);
      // What is wrong with an address, the whole reader says.
      if (plain && (!address || checker()?.isAddress(address) !== false)) return plain;
      if (!isAvailable('options')) throw missingOptions();
      return reader()?.configure(given, isAvailable('form'), form?.chosen?.()) ?? null;
    } catch (cause) {
      // Not by its class: the part has one of its own.
      if (!(cause as ConfigurationError).reason) throw cause;
      fault = cause as ConfigurationError;
      return null;
    }
  }

  /** Once the calls and changes that come together are over. */
  const advise = () =>
    queueMicrotask(() =>
      partLater<HelpPart>('help').then((help) => ended || help?.advise(host, given, OPTION_NAMES, () => configuration)),
    );

  /**
   * Ends in `failed`: the reason is for the page's author; visitors can do nothing about it. Another payment begins anew.
   */
  function fail({ reason, message }: ConfigurationError): void {
    stop();
    failure = reason;
    if (complaint !== message) console.error(`[service-button] ${reason}: ${message}`, host);
    complaint = message;
    enter('failed');
  }

  function replace(next: GivenOptions): void {
    given = next;
    advise();
    if (ended || state === 'working') return;
    const before = requestIn(configuration);
    const wasOffered = configuration?.options.repeatable;
    const settled = read();
    // Whether it is another payment only its reader can tell, which comes back here: until then what is paid stays paid.
    if (!settled && !fault && state === 'done') return draw();
    configuration = settled;
    const isAllowed = state === 'done' && !wasOffered && configuration?.options.repeatable;
    const same = before && before === requestIn(configuration) && !isAllowed;
    if (
      same &&
      (state === 'done' || (state !== 'loading' && configuration!.options.disabled === (state === 'disabled')))
    )
      draw();
    else settle();
  }

  /** Stops what a state has begun and the next one has no use for. */
  function stop(): void {
    unwatch?.();
    clearTimeout(timer);
  }

  /** Finds the state of a button that waits for its next swipe. */
  function settle(): void {
    stop();
    error = paid = null;
    cost = undefined;
    release();
    const options = configuration?.options;
    if (fault) fail(fault);
    else if (!options || !hasItsForm(options.editable ? 'editable' : configuration?.choice ? 'choice' : ''))
      enter('loading');
    else if (options.disabled) enter('disabled');
    else if (options.devMode) enter('ready');
    else watchWallet();
  }

  /** Leaves its payment to the next button with the same request. */
  function release(): void {
    if (current?.item && !isAway) wallet().items?.release(current.item);
    current = null;
  }

  const itemKey = () => configuration!.pageRequest ?? requestIn(configuration)!;

  /** Finds what was left of the same payment. True if it was paid, and the page does not allow it again. */
  function isPaidBefore(): boolean {
    const { options, payment } = configuration!;
    const item = wallet().items?.claim(itemKey());
    if (!item) return false;
    current = runOf(payment, item);
    receipt = item.isPaid && !options.repeatable;
    if (item.isPaid && options.repeatable) {
      forget(current);
      current = null;
    }
    return receipt;
  }

  function forget({ item }: Run, reason?: PaymentError): void {
    if (item) wallet().items?.forget(item, reason);
  }

  function runOf(payment: PaymentOptions, item: Item | null): Run {
    const { onCryptoOperations, onPayment } = configuration!.options;
    return { payment, item, calls: [onCryptoOperations, onPayment].map(functionOf) };
  }

  /** Queries a payment that an earlier load of the page has left open. */
  function resume(run: Run): void {
    enter('working');
    wallet()
      .items!.outcome(run.item!)
      .then(
        (outcome) => succeeded(outcome, run),
        (reason: PaymentError) => {
          if (isOnItsWay(reason)) {
            if (run === current) {
              error = reason;
              enter('error');
            }
            follow(run, reason);
          } else {
            // The wallet does not know it, or knows that it is not paid.
            forget(run);
            if (run === current) state = 'loading';
          }
          // Options that came while it worked count from here on.
          if (run === current) replace(given);
        },
      );
  }

  /** Waits for the outcome of a payment whose swipe has ended without one. */
  function follow(run: Run, before: PaymentError): void {
    if (!run.item || before.moved === 'no') return;
    wallet()
      .items!.outcome(run.item, before.code)
      .then(
        (outcome) => succeeded(outcome, run),
        (reason: PaymentError) => {
          // Another swipe is the one to ask, if there is one.
          const isShown = run === current && state === 'error';
          if (isOnItsWay(reason) && reason.code !== before.code) {
            if (isShown) {
              error = reason;
              draw();
            }
            follow(run, reason);
          } else if (reason.code === 'wallet-disconnected' && before.code !== reason.code) follow(run, reason);
          else if (reason.moved === 'no' && reason.final) {
            if (isShown) failed(reason, run);
            else forget(run);
          }
        },
      );
  }

  /** False while the form that a button needs is on its way. */
  function hasItsForm(kind: typeof formKind): boolean {
    if (kind === formKind) return true;
    const room = view.roomForForm(kind !== '');
    const forms = room && part<FormPart>('form', () => replace(given));
    const create = kind === 'choice' ? forms?.createChoice : forms?.create;
    form =
      (room &&
        create?.(room, {
          isRecipient: (text) => reader()!.isRecipient(text) && isOfNetwork(text, wallet().network()),
          amountText: (amount, currency) => amountText(amount, currency, languageOf(host)),
          again() {
            if (current) forget(current);
            settle();
          },
          changed: () => replace(given),
        })) ??
      null;
    if (!room || form) formKind = kind;
    return kind === formKind;
  }

  /** Reads the options once more when something has been found out, unless they have changed meanwhile. */
  function rereadAfter(found: Promise<unknown>): void {
    const asked = configuration;
    void found.then(() => asked === configuration && replace(given));
  }

  function watchWallet(): void {
    // No extension reaches such a page, and it has no origin that a wallet could name: another wallet would not help.
    if (isFile)
      return fail(
        new ConfigurationError(
          'file-page',
          'wallets can’t reach a page opened from a file. Serve it by https or from http://localhost.',
        ),
      );
    const { cryptoOperations, outputs } = configuration!.payment;
    if (isLost && (!cryptoOperations || outputs[0])) return fail(unknownService());
    if (isPaidBefore()) return enter('done');
    state = 'loading';
    unwatch = wallet().watch((presence) => {
      // Later changes matter to buttons that wait for a wallet; the others find out through their payment.
      if (state !== 'loading' && state !== 'no-wallet') return;
      if (presence !== 'present') return enter(presence === 'unknown' ? 'loading' : 'no-wallet');
      const { payment, special } = configuration!;
      const wrong = networkFaultOf(payment, wallet().network());
      if (wrong) return fail(wrong);
      if (current?.item) return resume(current);
      if (!special?.clarify) return askMore();
      enter('loading');
      rereadAfter(special.clarify(wallet().rates));
    });
  }

  function askMore(): void {
    const { payment, options, special } = configuration!;
    // An asset has no rate: what it is, the wallet says in its window.
    if (special?.paysAsset) {
      cost = null;
      return enter('ready');
    }
    const currency = (payment.outputs[0] ?? options).currency;
    enter(form || isFamiliar(currency) ? 'ready' : 'loading');
    void askCost(configuration!, currency);
  }

  /**
   * What the payment will cost in the user's own money comes a moment later, and not from every wallet. Whether there
   * is such a currency is known then, too.
   */
  async function askCost(asked: Configuration, currency: string): Promise<void> {
    const { payment, special } = asked;
    const rates = await wallet()
      .rates(currency)
      .catch(({ code }: PaymentError) => (code === 'invalid-currency' ? code : null));
    const isOver = () => requestIn(configuration) !== requestIn(asked);
    if (isOver()) return;
    const wrong =
      rates === 'invalid-currency'
        ? new ConfigurationError(
            rates,
            `data-currency is "${currency}": no rate is known. Write another, such as "USD".`,
          )
        : networkFaultOf(payment, wallet().network());
    if (isFaulty(wrong, currency)) return;
    const known = typeof rates === 'string' ? null : rates;
    own = known?.currency;
    if (state === 'loading') enter('ready');
    const help = known && (await partLater<HelpPart>('help'));
    if (isOver() || isFaulty(known && help?.valueFaultOf(payment, known), currency)) return;
    cost = (known && payment.outputs[0] && help?.costOf(payment, known, special?.bytes)) || null;
    draw();
  }

  /** Ends a button that waits for a swipe, if something is wrong. In a form the user can choose another currency. */
  function isFaulty(wrong: ConfigurationError | null | undefined, currency: string): boolean {
    if (wrong && formKind === 'editable') unknownCurrency = currency;
    else if (wrong && (state === 'loading' || state === 'ready')) {
      fail(wrong);
      return true;
    }
    return false;
  }

  function enter(next: ButtonState): void {
    state = next;
    isPressed = false;
    if (state !== 'failed') {
      failure = complaint = '';
    }
    draw();
    if (loaded || state === 'loading' || state === 'failed') return;
    loaded = true;
    // Not before `render` has returned: the callback may want the handle.
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
    const needsHelp = walletless || ((isFilePage || state === 'error') && texts === ENGLISH);
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
      isPressed,
      more: help?.texts,
      canGetWallet: !!(help && serviceUrl),
      mayReload: walletless && !!help?.mayReload(),
      isFile: isFilePage,
    };
    const face = faceOf(situation);
    const kit = { root, situation, face, serviceUrl, draw, isAvailable, part };
    view.draw(face, texts, (walletless && help?.instead(kit)) || []);
    offer();
    if (!configuration) return;
    const { to, currency } = configuration.options;
    form?.draw({
      to,
      choice: configuration.choice,
      currency: currency === unknownCurrency ? 'USD' : currency,
      own,
      texts: texts.form,
      state,
    });
  }

  /**
   * Tells the wallet's relay what a swipe asks for, so that the wallet may lay a track of its own over this one: with one
   * recipient, which a track can name, and nothing that takes a window anyhow. Otherwise it withdraws that.
   */
  function offer(): void {
    const { payment, options, special } = configuration ?? {};
    const isPlain =
      state === 'ready' &&
      formKind !== 'editable' &&
      !isPressed &&
      !options!.devMode &&
      payment!.outputs.length === 1 &&
      !payment!.cryptoOperations &&
      !special?.paysAsset;
    tell(isPlain ? JSON.stringify(wallet().request(payment!)) : '');
  }

  function tell(detail: string): void {
    const before = offered;
    // First, since whoever hears it may end the button. What is withdrawn out of the document, nobody hears.
    offered = detail || (host.isConnected ? '' : before);
    // Nothing is there to be withdrawn: a page with many buttons would feel the event.
    if (detail || before) host.dispatchEvent(new CustomEvent(OFFER_EVENT, { composed: true, detail }));
  }

  function swiped(): void {
    const { payment: requested, options } = configuration!;
    const filledIn = form && !options.devMode ? form.read() : undefined;
    if (filledIn === null) return draw();
    // The page keeps the recipient of a choice. The form only validates the amount.
    const payment = filledIn && formKind === 'editable' ? { ...requested, outputs: [filledIn] } : requested;
    const lost = !options.devMode && lostCallback(options);
    if (lost) return failed(lost, null);
    release();
    // What was there at the swipe is called, even if the page has put it away until the payment has been made.
    const run = (current = runOf(payment, null));
    if (options.devMode) {
      enter('working');
      timer = setTimeout(succeeded, DEMO_TIME, null, run);
      return;
    }
    enter('working');
    // Without outputs nothing is paid that could be open.
    const begun = payment.outputs[0] && wallet().items?.pay(itemKey(), payment);
    if (begun) [run.item] = begun;
    (begun?.[1] ?? wallet().pay(payment)).then(
      (outcome) => succeeded(outcome, run),
      (reason: PaymentError) => failed(reason, run),
    );
  }

  function succeeded(outcome: Paid | null, run: Run): void {
    // Two swipes may have requested the same payment, and two buttons: one that a snapshot has replaced, and its copy.
    const isNews = !run.item || wallet().items!.report(run.item);
    if ((run === current || (run.item && run.item === current?.item)) && (isNews || state !== 'done')) {
      stop();
      current = run;
      paid = outcome;
      receipt = false;
      enter('done');
      timer = setTimeout(() => {
        receipt = true;
        // Options that came while it worked count from here on: the message has had its time.
        replace(given);
      }, MESSAGE_MS);
    }
    if (outcome && isNews) {
      if (run.payment.cryptoOperations) runCallback(run.calls[0], outcome.cryptoOperations);
      if (outcome.payment) runCallback(run.calls[1], outcome.payment);
    }
    // An editable form is there to be filled in again, for another recipient.
    if (run.item) wallet().items![formKind === 'editable' ? 'forget' : 'keep'](run.item);
  }

  function failed(reason: PaymentError, run: Run | null): void {
    error = reason;
    const { code, message } = reason;
    if (run) forget(run, reason);
    // What the user has typed the user can mend; the rest of the request is the page's, and wrong for ever.
    if (isRequestFault(reason) && !(formKind === 'editable' && reason.about) && !(formKind && /amount/.test(code))) {
      fail(
        new ConfigurationError(
          code === 'invalid-operation' ? 'invalid-crypto-operation' : (code as ConfigurationReason),
          message,
        ),
      );
    } else {
      enter('error');
      if (code === 'unsupported-recipient') console.warn(`[service-button] ${code}: ${message}`, host);
      runCallback(functionOf(configuration!.options.onError), reason);
    }
    if (run) follow(run, reason);
    // Options that came while it worked count from here on, unless the callback has brought newer ones already.
    if (state === 'error' || state === 'failed') replace(given);
  }

  replace(given);
  return {
    replace,
    update: (more) => replace({ ...given, ...more }),
    draw,
    state: () => state,
    setAway(is) {
      isAway = is;
      if (current?.item) wallet().items?.[is ? 'release' : 'hold'](current.item);
    },
    destroy() {
      ended = true;
      stop();
      release();
      tell('');
      delete host.dataset.state;
      delete host.dataset.reason;
    },
  };
}
