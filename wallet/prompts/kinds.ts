/**
 * The kinds of prompts. Storage, windows, limits, repeated requests, withdrawal, blocking and decisions are the same
 * for all kinds. A kind defines what its window shows and the effects of approval and rejection. `prompt-kinds.ts` lists
 * them.
 */
import type { ErrorCode, WireError } from '../../protocol/errors/service-error.ts';
import type { WalletParams, WalletResults } from '../../protocol/messages/wallet-messages.ts';
import type { WriteTransaction } from '../store/database.ts';
import type { Prompt } from './prompt.ts';
import { part, type Wallet } from '../platform.ts';

/** The contents of a prompt's window. */
export type PromptView = WalletResults['approval/read'];
type Common = 'origin' | 'locked' | 'network' | 'mayBlock';

/** The user's approval, as the window sends it. */
export type Approval = Omit<WalletParams<'approval/decide'>, 'approvalId' | 'decision' | 'blockHours'> & {
  decision: Exclude<WalletParams<'approval/decide'>['decision'], 'refuse'>;
};

/** A kind of prompt: its stored details, its answer to an approval, and its view. */
export interface PromptKind<Details = unknown, Answer = unknown, View extends PromptView = PromptView> {
  name: View['kind'];
  /** The decision that approves it. */
  approvedBy: Approval['decision'];
  /** The error for the page if the user rejects, and if the user closes the window, if different. */
  declined: ErrorCode;
  closed?: ErrorCode;
  /** The kind's own members of the view. @throws `approval-unknown` if the prompt is no longer open */
  view(prompt: Prompt<Details, Answer>, locked: boolean): Promise<Omit<View, Common>>;
  /** Processes the user's approval, after the reading time and with the wallet unlocked: calls {@link answerPrompt}. */
  approve(prompt: Prompt<Details, Answer>, yes: Approval): Promise<void>;
  /** Further changes at a rejection, in the same database transaction. */
  dismissed?(tx: WriteTransaction, prompt: Prompt<Details, Answer>): Promise<void>;
  /** The part of the details to keep once the prompt has ended; defaults to all of them. */
  kept?(details: Details): Details;
  /**
   * For a kind with its own records, which answer the page: stores the error in the record, in the same database
   * transaction. Prompts of such kinds are deleted when they end.
   */
  record?(tx: WriteTransaction, prompt: Prompt<Details, Answer>, error: WireError, failed: boolean): Promise<void>;
}

/** Every kind by its name. */
export type PromptKinds = Readonly<Record<PromptView['kind'], PromptKind>>;

const memoryOf = part(() => ({
  kinds: {} as Partial<PromptKinds>,
}));

/** Sets the kinds. Called once, when the worker starts, because all of them are in layers above. */
export function usePromptKinds(wallet: Wallet, all: Partial<PromptKinds>): void {
  memoryOf(wallet).kinds = all;
}

export function kindOf(wallet: Wallet, { kind }: Pick<Prompt, 'kind'>): PromptKind {
  return memoryOf(wallet).kinds[kind as keyof PromptKinds] as PromptKind;
}
