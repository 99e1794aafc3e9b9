/** What the prompts of each kind store. */
import type { WireError } from '../../../protocol/errors.ts';
import type { ApprovalWindow } from './window.ts';
import type { PageResults } from '../../../protocol/page-messages.ts';
import type { WantedAllowance } from '../allowances/allowance.ts';
import type { CryptoResult, PaymentOptions } from '../../../protocol/payment.ts';
import type { Outcome } from '../crypto-operations/outcome.ts';

/** What every question has, as stored. It is gone some time after it was asked, once it is answered. */
export interface StoredPrompt<Kind extends string, Answer> {
  kind: Kind;
  origin: string;
  /** The page's own name for its message: the relay asks again under it. */
  message: string;
  createdAt: number;
  window: ApprovalWindow;
  /** What came of it; null while it waits for the user. */
  outcome: { answer: Answer } | { error: WireError } | null;
}

/** Any question. */
export type Prompt = AllowancePrompt | SignInPrompt | OperationsPrompt;

/** One such question, as stored. */
export interface AllowancePrompt extends StoredPrompt<'allowance', PageResults['allowance/ask']>, WantedAllowance {
  clientIdentifier: string;
}

/** One such question, as stored. Its answer holds a signature, which the site can use once within a few minutes. */
export interface SignInPrompt extends StoredPrompt<'sign-in', PageResults['identity/sign-in']> {
  nonce: string;
  issuedAt: string;
  expiresAt: string;
  /** The account that is asked for; null where it is signing in. */
  register: { handle: string; name: string } | null;
}

/**
 * One such question, as stored. What the operations gave is here until it is decided, and from a yes on in the answer
 * alone.
 */
export interface OperationsPrompt extends StoredPrompt<'operations', CryptoResult[]> {
  options: PaymentOptions;
  outcomes: Outcome[];
}
