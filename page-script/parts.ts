/**
 * What the button loads on need, by name: the texts of a language, the panel for paying by phone, the form, and what reads
 * options that are not an ordinary button's.
 */
import type { PaymentOptions, RequestedOutput } from '../protocol/payment.ts';
import type { Imb, ImbOptions } from './api.ts';
import type { ConfigurationError } from './configuration-error.ts';
import type { ButtonState, Cost, Face, Situation } from './face.ts';
import type { ButtonChoice, Configuration, GivenOptions } from './options/plain.ts';
import { ENGLISH, type FormTexts, type HelpTexts, type PhoneTexts, type Texts } from './texts.ts';
import type { Wallet } from './wallet.ts';

/** The part `options`: reads all options, and says what is wrong with them. */
export interface OptionsPart {
  /** True for a recipient that can be paid on this network; any if it is unknown. */
  isRecipient(text: string, network: string | undefined): boolean;
  /**
   * See configuration.ts.
   * @param hasForm whether the part `form` is there, or can be had
   * @param chosen of a visitor who chooses the amount
   * @throws ConfigurationError
   */
  configure(given: GivenOptions, hasForm: boolean, chosen?: Chosen): Configuration;
  /** The class that makes automatic payments. */
  imbClass(wallet: () => Wallet): new (options: ImbOptions) => Imb;
}

/** The part `help`: checks addresses; for visitors who cannot simply pay, and those with a wallet, who learn what it costs them. */
export interface HelpPart {
  texts: HelpTexts;
  /** Whether the visitor went for a wallet from this page, and has come back to it. */
  mayReload(): boolean;
  /** Makes what covers the track where there is no wallet: a link to it, and a button for paying by phone if that is possible. */
  instead(kit: HelpKit): HTMLElement[];
  /**
   * Finds out what a payment costs, and whether it can be made.
   * @param asked the wallet's answer; null for an asset, which has no rate
   */
  askCost(
    configuration: Configuration,
    asked: ReturnType<Wallet['rates']> | null,
    network: Wallet['network'],
    receiver: CostReceiver,
  ): Promise<void>;
  /** The error for an address of another network, or null. */
  networkFaultOf(payment: PaymentOptions, network: string | undefined): ConfigurationError | null;
  /** Makes the second step for users who press instead of dragging: the button that pays, and the way back. */
  step(kit: HelpKit): [pay: HTMLElement, cancel: HTMLElement];
  /**
   * Tells the page's author, once each and in the console, of attributes and options that are ignored, of
   * contradictions, and of callbacks that aren't there once the page has loaded.
   * @param names of all options
   * @param current what the options were read as, now
   */
  advise(host: HTMLElement, given: GivenOptions, names: readonly string[], current: () => Configuration | null): void;
  /** Is it an address of any network, with a right checksum? */
  isAddress(text: string): boolean;
}

/** Receives what is found out of a payment's cost, unless the button has another payment by then. */
export interface CostReceiver {
  isOver(): boolean;
  /** Returns true if this ends the button. */
  wrong(fault: ConfigurationError): boolean;
  /**
   * @param own the user's currency, if known
   * @param cost null if unknown
   */
  answered(own: string | undefined, cost: Cost | null): void;
}

/** What that is made of. */
export interface HelpKit {
  /** The button's own. */
  root: ShadowRoot;
  situation: Situation;
  face: Face;
  /** Where the link leads, or null where that is not known. */
  serviceUrl: string | null;
  /** Draws the button anew. */
  draw(): void;
  /** Pays. */
  swiped(): void;
  /** Leaves the second step. */
  cancelled(): void;
  /** The functions of this module: a part that is a script of its own has others. */
  isAvailable(name: string): boolean;
  part<T extends object>(name: string, settled: () => void): T | undefined;
}

/** The part `phone`: opens a panel with a QR code over the page. */
export interface PhonePart {
  show(root: ShadowRoot, request: PhoneRequest): void;
}

/** What is to be paid by phone. */
export interface PhoneRequest {
  /** The recipient: a BSV address. */
  address: string;
  /** Decimal text, and its currency. */
  amount: string;
  currency: string;
  /** The same as people read it. */
  amountText: string;
  label: string | undefined;
  /** Language of the page. */
  locale: string;
  texts: PhoneTexts | undefined;
  /** The service's own address, which knows exchange rates; null where it is not known. */
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
  /** Makes a form for an amount only. */
  createChoice?(room: HTMLElement, kit: FormKit): Form;
}

/** What the form needs of the button. */
export interface FormKit {
  isRecipient(text: string): boolean;
  /** An amount as people read it, in the page's language. */
  amountText(amount: string, currency: string): string;
  /** The user wants to pay once more. */
  again(): void;
  /** The visitor has chosen something else. */
  changed(): void;
}

/** A form, for its button. */
export interface Form {
  draw(state: FormState): void;
  /** What the user wants to pay, or null: then the first invalid field shows why. */
  read(): RequestedOutput | null;
  /** Returns the visitor's present choice. */
  chosen?(): Chosen;
}

/** What a form shows. */
export interface FormState {
  /** What the page suggests. */
  to: string | null;
  currency: string;
  /** The amounts to choose from. */
  choice?: ButtonChoice | undefined;
  /** The user's own currency, where it is known. */
  own: string | undefined;
  /** Of the button. Nothing can be changed while a payment is under way, or once it was made. */
  state: ButtonState;
  texts: FormTexts | undefined;
}

/** Brings a part and calls {@link provide}, or provides nothing. */
export type PartLoader = (name: string) => Promise<unknown>;

/** What is there. */
const parts = new Map<string, object>();
/** What somebody waits for. */
const wanted = new Map<string, (() => void)[]>();
let load: PartLoader | null = null;
let names: readonly string[] = [];

/** Says how parts are loaded, and which there are. */
export function setPartLoader(loader: PartLoader, available: readonly string[]): void {
  load = loader;
  names = available;
}

/** Provides a part, or changes it. */
export function provide(name: string, part: object): void {
  const key = name.toLowerCase();
  parts.set(key, part);
  settle(key);
}

/** Is the part there, or can it be had? */
export function isAvailable(name: string): boolean {
  return parts.has(name) || names.includes(name);
}

/** A part, or undefined while it is not there; `settled` is called once when it has come, or cannot come. */
export function part<T extends object>(name: string, settled: () => void): T | undefined {
  const there = parts.get(name) as T | undefined;
  if (there || !load || !names.includes(name)) return there;
  const waiting = wanted.get(name);
  if (waiting) waiting.push(settled);
  else {
    wanted.set(name, [settled]);
    const missed = () => {
      if (parts.has(name)) return;
      // The browser's console says why. The button speaks English, or does without, until the page is loaded anew.
      names = names.filter((other) => other !== name);
      settle(name);
    };
    load(name).then(missed, missed);
  }
  return undefined;
}

/** A part as soon as it is there; undefined if it cannot be had. */
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
 * The texts for a language tag: of exactly this language, else of its first part (`pt` for `pt-BR`), else English.
 * @param settled called once when texts that are not there yet have come, or cannot come
 */
export function textsFor(locale: string, settled: () => void): Texts {
  const tag = locale.toLowerCase();
  const name = [tag, tag.split('-')[0]!].find(isAvailable);
  return (name && part<Texts>(name, settled)) || ENGLISH;
}
