/** Loads parts of the button on demand: languages, phone panel, form, help, and the reader of unusual options. */
import type { PaymentOptions, RequestedOutput } from '../../protocol/payments/payment.ts';
import type { Imb, ImbOptions } from '../api.ts';
import type { ConfigurationError } from '../configuration-error.ts';
import type { ButtonState, Cost, Face, Situation } from '../button/face.ts';
import type { ButtonChoice, Configuration, RawOptions } from '../options/plain.ts';
import { ENGLISH, type FormTexts, type HelpTexts, type PhoneTexts, type Texts } from '../text/texts.ts';
import type { Wallet } from '../wallet/wallet.ts';

export interface OptionsPart {
  /** True for a recipient that can be paid on this network, or on any network if `network` is undefined. */
  isRecipient(text: string, network: string | undefined): boolean;
  /**
   * Validates the options (see configuration.ts).
   * @param hasForm whether the `form` part is available
   * @param chosen the visitor's choice of amount, and note
   * @throws ConfigurationError
   */
  configure(given: RawOptions, hasForm: boolean, chosen?: Chosen): Configuration;
  imbClass(wallet: () => Wallet): new (options: ImbOptions) => Imb;
}

/** The `help` part: help for visitors who can't pay right away, costs in the user's currency, address checks. */
export interface HelpPart {
  texts: HelpTexts;
  /** True if the visitor left this page to get a wallet and has returned. */
  mayReload(): boolean;
  /**
   * Creates the elements over the track if there is no wallet: a link to get one and perhaps a button to pay by phone.
   */
  instead(kit: HelpKit): HTMLElement[];
  /**
   * Queries a payment's cost, and checks that the payment can be made.
   * @param asked the wallet's rates (a promise), null for an asset
   */
  askCost(
    configuration: Configuration,
    asked: ReturnType<Wallet['rates']> | null,
    network: Wallet['network'],
    receiver: CostReceiver,
  ): Promise<void>;
  networkFaultOf(payment: PaymentOptions, network: string | undefined): ConfigurationError | null;
  /** Creates the second step for users who click instead of dragging: a button to pay, and one to cancel. */
  step(kit: HelpKit): [pay: HTMLElement, cancel: HTMLElement];
  /**
   * Warns the page's author in the console, once for each ignored or contradictory option and each missing callback.
   * @param names the names of all options
   * @param current returns the current configuration
   */
  advise(host: HTMLElement, given: RawOptions, names: readonly string[], current: () => Configuration | null): void;
  /** True for an address with a valid checksum, on any network. */
  isAddress(text: string): boolean;
}

/** Receives the cost of a payment, unless the button's payment has changed. */
export interface CostReceiver {
  isOver(): boolean;
  /** Reports a fault. Returns true if this puts the button into the `failed` state. */
  wrong(fault: ConfigurationError): boolean;
  /** @param own the user's currency @param cost null if unknown */
  answered(own: string | undefined, cost: Cost | null): void;
}

/** The button's functions and data for the `help` part. */
export interface HelpKit {
  root: ShadowRoot;
  situation: Situation;
  face: Face;
  /** The link's target, or null if unknown. */
  serviceUrl: string | null;
  draw(): void;
  swiped(): void;
  cancelled(): void;
  /**
   * The functions of this module. A part in a separate script has its own copy of the module, which lacks the loaded
   * parts.
   */
  isAvailable(name: string): boolean;
  part<T extends object>(name: string, settled: () => void): T | undefined;
}

/** The `phone` part: opens a panel with a QR code over the page. */
export interface PhonePart {
  show(root: ShadowRoot, request: PhoneRequest): void;
}

export interface PhoneRequest {
  /** The recipient, a BSV address. */
  address: string;
  /** A decimal string in `currency`. */
  amount: string;
  currency: string;
  amountText: string;
  label: string | undefined;
  locale: string;
  texts: PhoneTexts | undefined;
  /** The URL of the service, which provides exchange rates. Null if unknown. */
  serviceUrl: string | null;
}

/**
 * The amount and the note that a visitor chose. `amount` is a decimal string, or null until the visitor has chosen one.
 * `note` can be empty.
 */
export interface Chosen {
  amount: string | null;
  note: string;
}

/** The `form` part: the fields of an editable button, or of a button that lets the visitor choose the amount. */
export interface FormPart {
  /** Creates a form in `room`, inside the button's shadow root. */
  create(room: HTMLElement, kit: FormKit): Form;
  createChoice?(room: HTMLElement, kit: FormKit): Form;
}

export interface FormKit {
  isRecipient(text: string): boolean;
  /** Formats an amount in the page's language. */
  amountText(amount: string, currency: string): string;
  /** Called when the user clicks the button to pay again. */
  again(): void;
  changed(): void;
}

export interface Form {
  draw(state: FormState): void;
  /** Returns the entered output, or null after showing an error at the first invalid field. */
  read(): RequestedOutput | null;
  chosen?(): Chosen;
}

export interface FormState {
  to: string | null;
  currency: string;
  /** The amounts that the visitor can choose from. */
  choice?: ButtonChoice | undefined;
  /** The user's own currency, if known. */
  own: string | undefined;
  /** The button's state. The form is locked during and after a payment. */
  state: ButtonState;
  texts: FormTexts | undefined;
}

/** Loads a part, which then calls {@link provide}. */
export type PartLoader = (name: string) => Promise<unknown>;

const parts = new Map<string, object>();
/** Callbacks that wait for a part, by its name. */
const wanted = new Map<string, (() => void)[]>();
let load: PartLoader | null = null;
let names: readonly string[] = [];

export function setPartLoader(loader: PartLoader, available: readonly string[]): void {
  load = loader;
  names = available;
}

export function provide(name: string, part: object): void {
  const key = name.toLowerCase();
  parts.set(key, part);
  settle(key);
}

/** True if the part is loaded or can be loaded. */
export function isAvailable(name: string): boolean {
  return parts.has(name) || names.includes(name);
}

/**
 * Returns a part, or undefined until the part is loaded. `settled` is called after the part has been loaded or has
 * failed to load.
 */
export function part<T extends object>(name: string, settled: () => void): T | undefined {
  const there = parts.get(name) as T | undefined;
  if (there || !load || !names.includes(name)) return there;
  const waiting = wanted.get(name);
  if (waiting) waiting.push(settled);
  else {
    wanted.set(name, [settled]);
    const missed = () => {
      if (parts.has(name)) return;
      // The browser reports the error in the console. Until the next reload, the button uses English or works without
      // the part.
      names = names.filter((other) => other !== name);
      settle(name);
    };
    load(name).then(missed, missed);
  }
  return undefined;
}

/** Resolves to a part when it has been loaded, or to undefined if it fails to load. */
export function partLater<T extends object>(name: string): Promise<T | undefined> {
  return new Promise((resolve) => {
    const ask = () => {
      const there = part<T>(name, ask);
      if (there || !isAvailable(name)) resolve(there);
    };
    ask();
  });
}

function settle(name: string): void {
  const waiting = wanted.get(name) ?? [];
  wanted.delete(name);
  for (const settled of waiting) settled();
}

/**
 * Returns the text for a language tag: in exactly this language, otherwise in the language of the first subtag (`pt`
 * for `pt-BR`), otherwise in English.
 * @param settled called after the text has been loaded or has failed to load, if it must be loaded
 */
export function textsFor(locale: string, settled: () => void): Texts {
  const tag = locale.toLowerCase();
  const name = [tag, tag.split('-')[0]!].find(isAvailable);
  return (name && part<Texts>(name, settled)) || ENGLISH;
}
