/** Defines the simulated deals: requested payments, with the user's decisions and their effects on the network. */

import type { TokenHolding } from './token-ledger.ts';

/** How long the wallet stores a rejection (milliseconds). */
const REJECTION_KEPT_MS = 24 * 3600_000;

/** A requested payment. Each deal has a different recipient, so its outcome is visible on the network. */
export interface Deal {
  /** Sequence number, starting at 1. For an action, also the number of the key that locks its output (app-keys.ts). */
  number: number;
  requestId: string;
  /** The site's origin, or '' for the wallet's own window. */
  origin: string;
  /** The recipient: an address, or a paymail that is used only for this payment. */
  to: string;
  /** The address's locking script (hex); null for a paymail, because its host issues the scripts. */
  script: string | null;
  /** True if the button belongs to the shop's service. */
  isOfShop: boolean;
  /** The requested amount, in satoshis or US cents. */
  asked: { satoshis: bigint } | { cents: number };
  automatic: boolean;
  /** The token or ordinal to send, as approved by the user; null for money. */
  asset: TokenHolding | null;
  isOfAsset: boolean;
  /**
   * The highest amounts that were displayed when the user approved. `total` is the cost to the wallet, including the
   * fee.
   */
  shown: { satoshis: bigint; fee: bigint; total: bigint } | null;
  /** The approval. `said`: sent to the wallet, which may not have received it; `taken`: acknowledged by the wallet. */
  yes: 'none' | 'said' | 'taken';
  /** When the wallet acknowledged a rejection without a previous approval (milliseconds since 1970). */
  refusedAt: number | null;
  /** The last response to the page or window. */
  answer: { txid: string } | { error: string } | null;
  /** The ID of the first transaction that was reported as paid. */
  txid: string | null;
  /** True if the page or window no longer waits for a response. */
  isLeft: boolean;
  /** IDs of all transactions submitted to the network for this deal. */
  txids: Set<string>;
  browser: number;
  /** True if it is an application's action (BRC-100, `createAction`). */
  isAction: boolean;
  /** The original payment, if this deal is a retry by the user. */
  first: Deal | null;
  /** True if the user was warned before the approval that both this payment and the original one could be made. */
  isWarned: boolean;
  /**
   * True if the user swiped in the wallet's own frame, without a notice that a window would open, and didn't approve in
   * a window.
   */
  isSwiped: boolean;
  /** True if the site was blocked or its allowance revoked before the transaction was submitted. */
  isEnded: boolean;
}

/**
 * Satoshis that a site can spend per period without a prompt, by {@link allowanceOf}. All allowances that the site ever
 * had are added up, because messages can still arrive after a browser was lost.
 */
export type Allowances = Map<string, bigint>;

/** Returns the key of the allowance that applies to a deal. */
export const allowanceOf = ({ origin, automatic, browser }: Deal): string =>
  `${origin} ${automatic ? 'automatic' : 'swipe'} in ${browser}`;

/**
 * Marks the deals whose rejection the wallet has deleted by now (milliseconds since 1970) as not rejected: it treats a
 * repeated request as a new one, and can pay it from an allowance without a prompt.
 */
export function expireRejections(deals: readonly Deal[], now: number): void {
  for (const deal of deals) if (Math.abs(now - (deal.refusedAt ?? now)) > REJECTION_KEPT_MS) deal.refusedAt = null;
}

/** True if the page was notified that the payment was made, or that it is being sent and must not be repeated. */
export const isPaidOrPending = ({ txid, answer }: Deal): boolean =>
  txid !== null || (answer !== null && 'error' in answer && answer.error === 'payment-pending');
