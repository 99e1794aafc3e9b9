/**
 * The kinds of prompts. All kinds share the code for storage, windows, limits, repeated requests, withdrawal, blocking
 * and decisions. A kind defines the contents of its window, and the effects of approval and rejection.
 * `prompt-kinds.ts` lists them.
 */
import type { ErrorCode, WireError } from '../../protocol/errors/service-error.ts';
import type { WalletParams, WalletResults } from '../../protocol/messages/wallet-messages.ts';
import type { WriteTransaction } from '../store/database.ts';
import type { Prompt } from './prompt.ts';
import { part, type Wallet } from '../platform.ts';

export type PromptView = WalletResults['approval/read'];
type Common = 'origin' | 'locked' | 'network' | 'mayBlock';

/** The user's approval, as sent by the window. */
export type Approval = Omit<WalletParams<'approval/decide'>, 'approvalId' | 'decision' | 'blockHours'> & {
  decision: Exclude<WalletParams<'approval/decide'>['decision'], 'refuse'>;
};

/** A kind of prompt, with the types of its stored details, its answer to the page, and its view. */
export interface PromptKind<Details = unknown, Answer = unknown, View extends PromptView = PromptView> {
  name: View['kind'];
  /** The decision that approves a prompt of this kind. */
  approvedBy: Approval['decision'];
  /** Error for the page if the user rejects the prompt. */
  declined: ErrorCode;
  /** Error if the user closes the window; defaults to `declined`. */
  closed?: ErrorCode;
  /** Returns the kind's own fields of the view. @throws `approval-unknown` if the prompt is no longer open */
  view(prompt: Prompt<Details, Answer>, locked: boolean): Promise<Omit<View, Common>>;
  /** Processes the user's approval after the reading time, with the wallet unlocked. Calls {@link answerPrompt}. */
  approve(prompt: Prompt<Details, Answer>, yes: Approval): Promise<void>;
  /** Makes additional changes on rejection, in the same database transaction. */
  dismissed?(tx: WriteTransaction, prompt: Prompt<Details, Answer>): Promise<void>;
  /** Returns the part of the details to store after the prompt has ended; defaults to all of them. */
  kept?(details: Details): Details;
  /**
   * For kinds that answer the page from their own records: stores the error in the record, in the same database
   * transaction. Prompts of such kinds are deleted when they end.
   */
  record?(tx: WriteTransaction, prompt: Prompt<Details, Answer>, error: WireError, failed: boolean): Promise<void>;
}

export type PromptKinds = Readonly<Record<PromptView['kind'], PromptKind>>;

const memoryOf = part(() => ({
  kinds: {} as Partial<PromptKinds>,
}));

/** Registers the kinds. Called once, when the worker starts, because higher layers implement them. */
export function usePromptKinds(wallet: Wallet, all: Partial<PromptKinds>): void {
  memoryOf(wallet).kinds = all;
}

export function kindOf(wallet: Wallet, { kind }: Pick<Prompt, 'kind'>): PromptKind {
  return memoryOf(wallet).kinds[kind as keyof PromptKinds] as PromptKind;
}
