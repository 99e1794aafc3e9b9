/**
 * A transaction that changed the wallet's balance and that no payment of this browser made: incoming money, or a
 * payment by another wallet with the same words, including this one before it was restored.
 */
import type { Metadata } from '../../../protocol/payments/metadata.ts';
import type { RecipientKind } from '../../../protocol/payments/payment.ts';

/**
 * Why pending incoming money isn't coming: a block contains another transaction that spends the same coin, or neither
 * index nor operators have known it for a while. Both may be reversed.
 */
export type Failure = 'double-spent' | 'dropped';

/** The transaction that made another one impossible, and its block by height and hash. */
export interface LostTo {
  txid: string;
  height: number;
  hash: string;
}

/**
 * A payment of the wallet whose first input was at the address that received this money. Refunds go there, because the
 * payment's report proved that this key is the payer's. It is a guess, since others know the address from the chain.
 */
export interface RefundedPayment {
  id: string;
  /** The site that requested it, or null, and its first recipient. */
  origin: string | null;
  to: string;
  /** The account's service confirmed it after it checked the sender, so it isn't only a guess. */
  isConfirmed?: boolean;
}

/** Outgoing part: the fee, null if others added coins, and the first {@link MOST_PAID} recipients. */
export interface SpentPart {
  feeSatoshis: bigint | null;
  /** Number of outputs with money that aren't the wallet's. */
  count: number;
  /** `address` is null if the output has another form. */
  paid: { address: string | null; satoshis: bigint }[];
}

/** The account's service's record of a payment: requester, recipients, and the button's metadata. */
export interface PaidRecord extends Metadata {
  origin: string | null;
  clientIdentifier: string | null;
  /** Its worth when the service got its report, at the service's own rate: decimal text. */
  worth?: { amount: string; currency: string };
  /** `to` as the payment named the recipient; `satoshis` and `address` from the transaction. */
  outputs: { type: RecipientKind; to: string; address: string | null; satoshis: bigint }[];
}

/** Maximum number of a transaction's recipients that are stored. */
export const MOST_PAID = 20;

/** The price of one BSV in the user's currency at the time, as of `time` (milliseconds since 1970). */
export interface PriceThen {
  currency: string;
  price: string;
  time: number;
}

/** One receipt as stored. `createdAt` is when it was first seen, milliseconds since 1970. */
export interface Receipt {
  txid: string;
  /** Received satoshis, or those sent without the fee. */
  satoshis: bigint;
  /** The first of the wallet's addresses that it paid, or that it spent from if it paid none. */
  address: string;
  /** Missing for incoming money. */
  spent?: SpentPart;
  /**
   * `waiting`: it seems to spend the wallet's coins, so its meaning is unknown until those are read
   * (wallet/scan/history/history.ts); `unverified`: they could not be read yet; `done`: derived from the whole
   * transaction. Missing if only incoming outputs were found.
   */
  reading?: 'waiting' | 'unverified' | 'done';
  createdAt: number;
  /** Reported as first seen in a block. Until that is proven, `createdAt` is a guess to sort by. */
  isFoundLater?: true;
  height: number | null;
  /** The claimed paymail sender, whether their host vouches for them, and the note. Missing for finds on the chain. */
  sender?: { paymail: string; verified: boolean } | null;
  note?: string | null;
  /** The price when it was seen arriving. Missing if it wasn't seen then, or no rate was certain. */
  priceThen?: PriceThen;
  /** The browser has notified the user, or the user has turned that off. Only for paymail payments. */
  notified?: boolean;
  /** Outpoints that the transaction spends: the first {@link MOST_SPENDS}. */
  spends?: string[];
  /** The last check of a pending one, and since when (milliseconds since 1970) and how often it was unknown. */
  look?: { at: number; unknown: number; since: number };
  /** The site that submitted it (BRC-100, `internalizeAction`), and its description. */
  broughtBy?: { origin: string; description: string };
  failed?: Failure;
  /** The payment of the wallet that it seems to refund: missing if none. */
  refundOf?: RefundedPayment;
  /** 1 until the account's service was queried about it (wallet/received/records.ts): for the database's index. */
  unasked?: 1;
  /** For outgoing money: the service's record, if it agrees with the transaction. */
  record?: PaidRecord;
  /** If double-spent: the other transaction, and its block. */
  lostTo?: LostTo;
  /** 1 until a checked proof places it in a block: for the database's index. */
  unconfirmed: 0 | 1;
}

/** Maximum number of a transaction's spent outpoints that are stored. */
export const MOST_SPENDS = 100;
