/**
 * One transaction that changed our balance and that no payment of this browser made: incoming money, or what another
 * wallet with the same words has paid, this one before it was restored.
 */
import type { Metadata } from '../../../protocol/metadata.ts';
import type { RecipientKind } from '../../../protocol/payment.ts';

/**
 * Why pending incoming money is not coming: a block contains another transaction that spends one of the same coins, or
 * neither index nor ARC has known it for a while. Both may be reversed.
 */
export type Failure = 'double-spent' | 'dropped';

/** The transaction, and the block by height and hash, that made it impossible for another one to be mined. */
export interface LostTo {
  txid: string;
  height: number;
  hash: string;
}

/**
 * A payment of ours whose first input lay at the address that now got money: where refunds go, because its report proved
 * that this key is the payer's. Others know the address as well, from the chain alone: it is a guess.
 */
export interface RefundedPayment {
  id: string;
  /** The site that asked for it, or null, and its first recipient. */
  origin: string | null;
  to: string;
  /** The account's service says so, which checked who sent it: then it is no guess of the wallet's alone. */
  isConfirmed?: boolean;
}

/** Of what went out: the fee, null where others have put coins in too, and who was paid, the first {@link MOST_PAID}. */
export interface SpentPart {
  feeSatoshis: bigint | null;
  /** How many outputs with money are not ours. */
  count: number;
  /** `address` is null where the output has another form. */
  paid: { address: string | null; satoshis: bigint }[];
}

/** What the account's service keeps of a payment: who asked for it, who was paid, and the button's metadata. */
export interface PaidRecord extends Metadata {
  origin: string | null;
  clientIdentifier: string | null;
  /** What it was worth when the service got its report, at the service's own rate: decimal text. */
  worth?: { amount: string; currency: string };
  /** `to` as the payment named the recipient; `satoshis` and `address` from the transaction. */
  outputs: { type: RecipientKind; to: string; address: string | null; satoshis: bigint }[];
}

/** Maximum number of a transaction's recipients that are stored. */
export const MOST_PAID = 20;

/** What one BSV cost, in the currency that the user had chosen, as of `time` (milliseconds since 1970). */
export interface PriceThen {
  currency: string;
  price: string;
  time: number;
}

/** One receipt as stored. `createdAt` is when it was first seen, milliseconds since 1970. */
export interface Receipt {
  txid: string;
  /** What came in, or went out without the fee. */
  satoshis: bigint;
  /** The first of our addresses that it paid; that it came from, where it paid none. */
  address: string;
  /** Missing where it is incoming money. */
  spent?: SpentPart;
  /**
   * `waiting`: it spends coins of ours, it seems, so what it means is not known before those are read (scan/history.ts);
   * `unverified`: they could not be read yet; `done`: worked out from the whole transaction. Missing where what was found
   * of it came in.
   */
  reading?: 'waiting' | 'unverified' | 'done';
  createdAt: number;
  /** It was first seen in a block, it is said: until that is proven, `createdAt` is a guess to sort by. */
  isFoundLater?: true;
  height: number | null;
  /**
   * Who says to have sent it by paymail, whether that one's host vouches for it, and the note. Missing where it was
   * found on the chain alone.
   */
  sender?: { paymail: string; verified: boolean } | null;
  note?: string | null;
  /** The price when it was seen arriving. Missing where it was not, or no rate was sure then. */
  priceThen?: PriceThen;
  /** The browser has notified the user, or the user has turned that off. Only for paymail payments. */
  notified?: boolean;
  /** Outpoints that the transaction spends: the first {@link MOST_SPENDS}. */
  spends?: string[];
  /**
   * The last look for what became of it: when (milliseconds since 1970), and since when, and how often in a row, nobody
   * knew it.
   */
  look?: { at: number; unknown: number; since: number };
  /** The site that brought it in (BRC-100, `internalizeAction`), and what it says that it is. */
  broughtBy?: { origin: string; description: string };
  failed?: Failure;
  /** The payment of ours that it seems to give back: missing where it is none. */
  refundOf?: RefundedPayment;
  /** 1 until the account's service was asked what it knows of it (received/records.ts): for the database's index. */
  unasked?: 1;
  /** Of what went out: what the service says of it, where that agrees with the transaction. */
  record?: PaidRecord;
  /** Where it is double-spent: the other transaction, and the block that holds that. */
  lostTo?: LostTo;
  /** 1 until a checked proof places it in a block: for the database's index. */
  unconfirmed: 0 | 1;
}

/** Maximum number of a transaction's spent outpoints that are stored. */
export const MOST_SPENDS = 100;
