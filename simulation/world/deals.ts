/** The agreements of the world: requests, the user's decisions, and the effects on the network. */

import type { Held } from './token-ledger.ts';

/** A requested payment. Each pays a different address, so that its outcome can be read from the network. */
export interface Deal {
  /** Its number, from 1. For an action, also the number of the key that locks its output (app-keys.ts). */
  number: number;
  requestId: string;
  /** The site, or '' for the wallet's own window. */
  origin: string;
  /** The recipient: an address, or a paymail used only for this payment. */
  to: string;
  /** The address's locking script, hex; null for a paymail, whose host issues scripts. */
  script: string | null;
  /** Whether its button belongs to the shop's service. */
  isOfShop: boolean;
  /** The requested amount: satoshis, or US cents. */
  asked: { satoshis: bigint } | { cents: number };
  automatic: boolean;
  /** The token or ordinal that it sends, as the user approved it; null for money. */
  asset: Held | null;
  isOfAsset: boolean;
  /** The displayed maximum amounts at the user's last approval, fee included. `total` leaves the wallet. */
  shown: { satoshis: bigint; fee: bigint; total: bigint } | null;
  /** `said`: the wallet may have received the approval; `taken`: it has confirmed that. */
  yes: 'none' | 'said' | 'taken';
  /** When the wallet confirmed the user's rejection, without an approval before (milliseconds since 1970). */
  refusedAt: number | null;
  /** The last response to the page or the window. */
  answer: { txid: string } | { error: string } | null;
  /** The transaction, once it was ever reported as paid. */
  txid: string | null;
  /** True if nothing waits for it any more. */
  isLeft: boolean;
  /** All transactions that were submitted to the network for it. */
  txids: Set<string>;
  browser: number;
  /** Whether an application makes the transaction (BRC-100, `createAction`). */
  isAction: boolean;
  /** The earlier payment that the user retries with this one. */
  first: Deal | null;
  /** Whether the user was warned, before this one was approved, that both could be paid. */
  isWarned: boolean;
  /** Whether the user swiped in the wallet's own frame, which said that no window follows, and approved in no window. */
  isSwiped: boolean;
  /** Whether the site was blocked, or its allowance revoked, before it was released to the network. */
  isEnded: boolean;
}

/**
 * The satoshis that a site may spend without a prompt in one period: the sum of all allowances that it was given.
 * Messages in flight when a browser was lost still arrive.
 */
export type Allowances = Map<string, bigint>;

/** The key of a site's allowance in a browser. */
export const allowanceOf = ({ origin, automatic, browser }: Deal): string =>
  `${origin} ${automatic ? 'automatic' : 'swipe'} in ${browser}`;
