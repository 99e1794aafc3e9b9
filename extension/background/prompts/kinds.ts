/**
 * The kinds of prompts. What all have in common is here: storing, windows, limits, asking again, withdrawal, blocking, the
 * decision. A kind says what its window shows and what a yes and a no do, and registers itself from above.
 */
import type { ErrorCode, WireError } from '../../../protocol/errors.ts';
import type { WalletParams, WalletResults } from '../../../protocol/wallet-messages.ts';
import type { WriteTransaction } from '../database.ts';
import type { Prompt } from './prompt.ts';

/** What a window can show. */
export type PromptView = WalletResults['approval/read'];
type Common = 'origin' | 'locked' | 'network' | 'mayBlock';

/** The user's yes, as its window sends it. */
export type Approval = Omit<WalletParams<'approval/decide'>, 'approvalId' | 'decision' | 'blockHours'> & {
  decision: Exclude<WalletParams<'approval/decide'>['decision'], 'refuse'>;
};

/** What a kind of prompt stores as its details, answers to a yes, and shows. */
export interface PromptKind<Details = unknown, Answer = unknown, View extends PromptView = PromptView> {
  name: View['kind'];
  /** Which decision is a yes to it. */
  approvedBy: Approval['decision'];
  /** What the page hears when the user declines; and when the user closes the window, if that is something else. */
  declined: ErrorCode;
  closed?: ErrorCode;
  /** What its window shows, besides what every window does. Throws `approval-unknown` where it is open no more. */
  view(prompt: Prompt<Details, Answer>, locked: boolean): Promise<Omit<View, Common>>;
  /**
   * Takes the user's yes, after time to read and with the wallet unlocked: {@link answerPrompt} with what it brings.
   */
  approve(prompt: Prompt<Details, Answer>, yes: Approval): Promise<void>;
  /** What the user's no changes besides, in the same database transaction. */
  dismissed?(tx: WriteTransaction, prompt: Prompt<Details, Answer>): Promise<void>;
  /** What is kept of its details once it has ended; by default all. */
  kept?(details: Details): Details;
  /**
   * For a kind that has a record of its own, which answers the page: notes there why it came to nothing, in the same
   * database transaction. Its prompts are not kept once they have ended.
   */
  record?(tx: WriteTransaction, prompt: Prompt<Details, Answer>, error: WireError, failed: boolean): Promise<void>;
}

// Anything more exact than `never` would keep kinds of different details apart.
type AnyKind = PromptKind<never, never, never>;
const kinds = new Map<string, AnyKind>();

/** Registers a kind. Called once for each, when the worker starts. */
export function promptKind<Details, Answer, View extends PromptView>(
  kind: PromptKind<Details, Answer, View>,
): PromptKind<Details, Answer, View> {
  kinds.set(kind.name, kind as unknown as AnyKind);
  return kind;
}

/** The kind of a prompt. */
export function kindOf({ kind }: Pick<Prompt, 'kind'>): PromptKind {
  return kinds.get(kind) as unknown as PromptKind;
}
