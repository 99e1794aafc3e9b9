/** What was agreed, as the world knows it: what was asked for, what the user said to it, and what the network saw of it. */

/** A payment that somebody asks for. Each pays an address of its own, so that the network shows what became of it. */
export interface Deal {
  /** Its place, from 1; of an action also the number of the key that locks its output (app-keys.ts). */
  number: number;
  requestId: string;
  /** The site, or '' for the wallet's own window. */
  origin: string;
  /** Whom it pays: an address, or a paymail of this payment alone. */
  to: string;
  /** The address's locking script, hex; null for a paymail, whose host gives out scripts. */
  script: string | null;
  /** Whether its button belongs to the shop's service. */
  isOfShop: boolean;
  /** As the request says: in satoshis, or the cents of a dollar. */
  asked: { satoshis: bigint } | { cents: number };
  automatic: boolean;
  /**
   * What the user saw when they said yes last: that much, and no more, with no more of a fee. `total` leaves the wallet.
   */
  shown: { satoshis: bigint; fee: bigint; total: bigint } | null;
  /** `said`: the wallet may have heard the yes; `taken`: it has confirmed that. */
  yes: 'none' | 'said' | 'taken';
  /** The user said no, and the wallet has confirmed that, with no yes before. */
  isRefused: boolean;
  /** What the page, or the window, was told last. */
  answer: { txid: string } | { error: string } | null;
  /** It was told at some time that it is paid. */
  txid: string | null;
  /** Nobody waits for it any more. */
  isLeft: boolean;
  /** All transactions that were handed to the network for it. */
  txids: Set<string>;
  /** Number of the browser that it was asked in. */
  browser: number;
  /** Whether an application makes the transaction (BRC-100, `createAction`). */
  isAction: boolean;
  /** The payment that the user tries again with this one, because the network didn't seem to take that. */
  first: Deal | null;
  /** Whether the user was told, before this one was approved, that both could be paid. */
  isWarned: boolean;
  /** Whether the site was blocked, or its allowance revoked, before it was released to the network. */
  isEnded: boolean;
}

/**
 * What a site may spend without being asked about it, in satoshis, in one period: the sum of all that it was given. What was
 * on its way when a browser was lost still arrives.
 */
export type Allowances = Map<string, bigint>;

/** The name of a site's allowance in a browser. */
export const allowanceOf = ({ origin, automatic, browser }: Deal): string =>
  `${origin} ${automatic ? 'automatic' : 'swipe'} in ${browser}`;
