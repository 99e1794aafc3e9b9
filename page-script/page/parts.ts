/** The button's lazily loaded parts: languages, phone panel, form, and the reader of unusual options. */
import type { PaymentOptions, RequestedOutput } from '../../protocol/payments/payment.ts';
import type { Imb, ImbOptions } from '../api.ts';
import type { ConfigurationError } from '../configuration-error.ts';
import type { ButtonState, Cost, Face, Situation } from '../button/face.ts';
import type { ButtonChoice, Configuration, GivenOptions } from '../options/plain.ts';
import { ENGLISH, type FormTexts, type HelpTexts, type PhoneTexts, type Texts } from '../text/texts.ts';
import type { Wallet } from '../wallet/wallet.ts';

export interface OptionsPart {
  /** True for a recipient that can be paid on this network; any if it is unknown. */
  isRecipient(text: string, network: string | undefined): boolean;
  /**
   * See configuration.ts. @param hasForm whether the part `form` is available
   * @param chosen the choice of a visitor who chooses the amount @throws ConfigurationError
   */
  configure(given: GivenOptions, hasForm: boolean, chosen?: Chosen): Configuration;
  imbClass(wallet: () => Wallet): new (options: ImbOptions) => Imb;
}

/** The part `help`: for visitors who can't simply pay, for the cost in a wallet's currency, and to check addresses. */
export interface HelpPart {
  texts: HelpTexts;
  /** True if the visitor left this page to get a wallet, and has returned. */
  mayReload(): boolean;
  /** The content over the track without a wallet: a link to it, and a button for paying by phone if possible. */
  instead(kit: HelpKit): HTMLElement[];
  /** Determines a payment's cost and whether it can be made. @param asked the wallet's response; null for an asset */
  askCost(
    configuration: Configuration,
    asked: ReturnType<Wallet['rates']> | null,
    network: Wallet['network'],
    receiver: CostReceiver,
  ): Promise<void>;
  networkFaultOf(payment: PaymentOptions, network: string | undefined): ConfigurationError | null;
  /** Makes the second step for users who click instead of dragging: the button that pays, and the one that cancels. */
  step(kit: HelpKit): [pay: HTMLElement, cancel: HTMLElement];
  /**
   * Warns the page's author in the console, once each, of ignored and contradictory options and missing callbacks.
   * @param names of all options @param current returns the current configuration
   */
  advise(host: HTMLElement, given: GivenOptions, names: readonly string[], current: () => Configuration | null): void;
  /** True for an address of any network with a valid checksum. */
  isAddress(text: string): boolean;
}

/** Receives the cost of a payment, unless the button has another payment by then. */
export interface CostReceiver {
  isOver(): boolean;
  /** Returns true if this ends the button. */
  wrong(fault: ConfigurationError): boolean;
  /** @param own the user's currency @param cost null if unknown */
  answered(own: string | undefined, cost: Cost | null): void;
}

/** The button's functions and data for this part. */
export interface HelpKit {
  root: ShadowRoot;
  situation: Situation;
  face: Face;
  /** The target of the link, or null if unknown. */
  serviceUrl: string | null;
  draw(): void;
  swiped(): void;
  cancelled(): void;
  /** The functions of this module. A part in a separate script has its own copy. */
  isAvailable(name: string): boolean;
  part<T extends object>(name: string, settled: () => void): T | undefined;
}

/** The part `phone`: opens a panel with a QR code over the page. */
export interface PhonePart {
  show(root: ShadowRoot, request: PhoneRequest): void;
}

export interface PhoneRequest {
  /** The recipient: a BSV address. */
  address: string;
  /** Decimal text, and its currency. */
  amount: string;
  currency: string;
  amountText: string;
  label: string | undefined;
  locale: string;
  texts: PhoneTexts | undefined;
  /** The service's own address, which knows exchange rates; null if unknown. */
  serviceUrl: string | null;
}

/** A visitor's choice. The amount is decimal text, or null before a choice. The note may be empty. */
export interface Chosen {
  amount: string | null;
  note: string;
}

/** The part `form`: the fields of an editable button, or of one whose visitor chooses the amount. */
export interface FormPart {
  /** Makes a form in `room`, inside the button's shadow root. */
  create(room: HTMLElement, kit: FormKit): Form;
  createChoice?(room: HTMLElement, kit: FormKit): Form;
}

export interface FormKit {
  isRecipient(text: string): boolean;
  /** Formats an amount in the page's language. */
  amountText(amount: string, currency: string): string;
  /** The user wants to pay again. */
  again(): void;
  changed(): void;
}

export interface Form {
  draw(state: FormState): void;
  /** The payment that the user wants, or null after showing the first invalid field. */
  read(): RequestedOutput | null;
  chosen?(): Chosen;
}

export interface FormState {
  to: string | null;
  currency: string;
  /** The amounts to choose from. */
  choice?: ButtonChoice | undefined;
  /** The user's own currency, if known. */
  own: string | undefined;
  /** The button's state. Nothing can be changed during a payment or once it was made. */
  state: ButtonState;
  texts: FormTexts | undefined;
}

/** Loads a part, which calls {@link provide}, or provides nothing. */
export type PartLoader = (name: string) => Promise<unknown>;

const parts = new Map<string, object>();
/** The callbacks that wait for a part. */
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

/** A part, or undefined while it is not loaded. `settled` is called once when it is loaded, or can't be. */
export function part<T extends object>(name: string, settled: () => void): T | undefined {
  const there = parts.get(name) as T | undefined;
  if (there || !load || !names.includes(name)) return there;
  const waiting = wanted.get(name);
  if (waiting) waiting.push(settled);
  else {
    wanted.set(name, [settled]);
    const missed = () => {
      if (parts.has(name)) return;
      // The browser's console shows the error. The button uses English, or works without the part, until a reload.
      names = names.filter((other) => other !== name);
      settle(name);
    };
    load(name).then(missed, missed);
  }
  return undefined;
}

/** A part as soon as it is loaded; undefined if it can't be. */
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
 * The texts for a language tag: exactly this language, else its first part (`pt` for `pt-BR`), else English.
 * @param settled called once when texts that are not loaded yet are, or can't be
 */
export function textsFor(locale: string, settled: () => void): Texts {
  const tag = locale.toLowerCase();
  const name = [tag, tag.split('-')[0]!].find(isAvailable);
  return (name && part<Texts>(name, settled)) || ENGLISH;
}
