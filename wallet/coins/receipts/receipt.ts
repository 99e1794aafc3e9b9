/**
 * A transaction that changed the balance but wasn't made by this wallet in this browser: incoming money, or a payment
 * made with the same recovery words by another wallet, or by this wallet before a restore.
 */
import type { Metadata } from '../../../protocol/payments/metadata.ts';
import type { RecipientKind } from '../../../protocol/payments/payment.ts';

/**
 * Why an incoming payment has failed: a different transaction that spends the same coin was mined, or neither the index
 * nor the operators have had the transaction for a while. Both are reversible.
 */
export type Failure = 'double-spent' | 'dropped';

/** The transaction that won a double spend, and the height and hash of its block. */
export interface LostTo {
  txid: string;
  height: number;
  hash: string;
}

/**
 * The payment that incoming money appears to refund: its first input came from the address that received the money.
 * Refunds go to that address, because the payment report proved that its key is the payer's. The match is a guess,
 * because addresses are public.
 */
export interface RefundedPayment {
  id: string;
  /** Origin of the site that requested the payment, or null. `to` is the first recipient. */
  origin: string | null;
  to: string;
  /** True if the account's service checked the sender and confirmed the refund. */
  isConfirmed?: boolean;
}

/** The outgoing part: the fee (null if others added inputs), and the first {@link MAX_RECIPIENTS} recipients. */
export interface SpentPart {
  feeSatoshis: bigint | null;
  /** Number of nonzero outputs to others. */
  count: number;
  /** `address` is null if the output isn't P2PKH. */
  paid: { address: string | null; satoshis: bigint }[];
}

/** A payment as recorded by the account's service: requester, recipients, and the button's metadata. */
export interface PaidRecord extends Metadata {
  origin: string | null;
  clientIdentifier: string | null;
  /** Value at the service's exchange rate when the payment was reported, as a decimal string. */
  worth?: { amount: string; currency: string };
  /** `type` and `to` are from the payment, `satoshis` and `address` from the transaction. */
  outputs: { type: RecipientKind; to: string; address: string | null; satoshis: bigint }[];
}

/** Maximum number of recipients stored per transaction. */
export const MAX_RECIPIENTS = 20;

/** The price of one BSV in the user's currency at `time` (milliseconds since 1970). */
export interface PriceThen {
  currency: string;
  price: string;
  time: number;
}

/** A stored receipt. `createdAt` is when the transaction was first seen (milliseconds since 1970). */
export interface Receipt {
  txid: string;
  /** Satoshis received, or satoshis sent, excluding the fee. */
  satoshis: bigint;
  /** The wallet's first address that the transaction paid, or that it spent from if it paid none. */
  address: string;
  /** Missing for incoming money. */
  spent?: SpentPart;
  /**
   * `waiting`: the transaction seems to spend the wallet's coins, but its inputs haven't been read yet
   * (wallet/scan/history/history.ts). `unverified`: the inputs couldn't be read yet. `done`: derived from the whole
   * transaction. Missing if only incoming outputs were found.
   */
  reading?: 'waiting' | 'unverified' | 'done';
  createdAt: number;
  /** True if first seen in a block. Until its proof is checked, `createdAt` is an estimate for sorting. */
  isFoundLater?: true;
  height: number | null;
  /** The claimed paymail sender, and whether the claim was verified. Missing if found on the chain. */
  sender?: { paymail: string; verified: boolean } | null;
  /** The sender's note. */
  note?: string | null;
  /** The price on arrival. Missing if the transaction was found later, or no rate was reliable. */
  priceThen?: PriceThen;
  /** True if the user was notified, or has turned notifications off. Only for paymail payments. */
  notified?: boolean;
  /** The first {@link MAX_SPENT_OUTPOINTS} outpoints that the transaction spends. */
  spends?: string[];
  /**
   * The last check while unconfirmed. `unknown` counts consecutive checks that didn't find the transaction, and `since`
   * is the time of the first of them (milliseconds since 1970). `next` is the index of the input at which the next
   * check begins. Missing if each check covers all inputs.
   */
  look?: { at: number; unknown: number; since: number; next?: number };
  /** The site that submitted the transaction (BRC-100, `internalizeAction`), and the description that it gave. */
  broughtBy?: { origin: string; description: string };
  failed?: Failure;
  refundOf?: RefundedPayment;
  /**
   * Key of a database index: 1 until the account's service has been queried about the receipt
   * (wallet/received/records.ts).
   */
  unasked?: 1;
  /** For outgoing payments: the service's record, if it matches the transaction. */
  record?: PaidRecord;
  lostTo?: LostTo;
  /** Key of a database index: 1 until a checked proof confirms the transaction. */
  unconfirmed: 0 | 1;
}

/** Maximum number of spent outpoints stored per transaction. */
export const MAX_SPENT_OUTPOINTS = 100;
