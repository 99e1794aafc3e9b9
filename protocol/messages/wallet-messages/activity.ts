/** Types for payments as displayed by the windows: past payments, and a payment that the user is about to send. */
import type { AssetWord, SentAsset } from './assets.ts';
import type { ErrorCode, WireError } from '../../errors/service-error.ts';
import type { Metadata } from '../../payments/metadata.ts';
import type { CryptoResult, PaymentOutput, PaymentStatus } from '../../payments/payment.ts';
import type { ApprovalView, ShownOutput } from './asking.ts';
import type { Rate } from './overview.ts';

export type PaymentState =
  | 'requested'
  | 'approved'
  | 'signable'
  | 'signed'
  | 'broadcast'
  | 'settled'
  | 'refused'
  | 'failed';

/**
 * A page of activity rows. If `more` is true, the next request passes `before`. `searchedTo` is set if a search stopped
 * at this time (milliseconds since 1970) before it filled the page.
 */
export interface ActivityPage<Item> {
  items: Item[];
  more: boolean;
  before: string | null;
  searchedTo: number | null;
}

export interface ExportedActivity extends ActivityItem {
  /** All recipients, as named in the request. For received money, the receiving address instead. */
  recipients: { to: string; satoshis: string }[];
  height: number | null;
  buttonId: string | null;
  /** The price of one BSV in the currency of the requested amount. Missing if the currency was BSV or wasn't stored. */
  quotedPrice?: string;
  /** ID of the payment that this one refunds, as reported by the site or the account's service. */
  givesBack?: string;
  /** A token that the payment pays in addition to money. If it pays only a token, `asset` is set instead. */
  paidBeside?: SentAsset;
}

/** The details of one activity row. Fields that only payments have are null or empty for received money. */
export interface ActivityDetails extends Metadata {
  /** The cost of canceling the payment, in satoshis. Null or missing if the payment can't be canceled now. */
  cancelFee?: string | null;
  /** Set if the payment spends none of the user's coins, or only missing ones. It can be ended, not canceled. */
  canEnd?: true;
  item: ActivityItem;
  /** The height of the transaction's block, from its verified proof. */
  height: number | null;
  outputs: SavedOutput[];
  data: ApprovalView['data'];
  /** The application identifier as stated by the site (unverified). */
  clientIdentifier: string | null;
  /** Refunds of the payment that the wallet has received, one per transaction, latest first. Satoshis are strings. */
  refunds: { txid: string; satoshis: string; time: number; isConfirmed?: boolean }[];
  /** True if the payment has a transaction that was or will be sent. */
  signed: boolean;
  /** `swipe`: approved by a swipe within the limits for trusted swipes on all sites. */
  decided: 'by-hand' | 'allowance' | 'swipe' | null;
  /** The amount debited from the site's allowance or the limits for swipes, a decimal string in `currency`. */
  debit: { amount: string; currency: string } | null;
  /** Whether the account's service has the payment report. Null if there is nothing to report or no account. */
  report: 'waiting' | 'done' | 'refused' | null;
  /** Whether the button's service has the payment report, if it isn't the account's service. */
  serviceReport: { host: string; state: 'waiting' | 'done' | 'refused' | 'given-up' } | null;
  /** Recipients paid by paymail or user ID, and whether their hosts have the payment. */
  deliveries: { paymail: string; host: string; state: 'waiting' | 'done' | 'given-up' }[];
  /** Crypto operations that the site requested along with this payment. */
  operations: OperationNote[];
  /** The application's labels (BRC-100). */
  labels?: string[];
  /** The funds that the application contributed (satoshis). */
  brought?: string;
}

/**
 * A recipient with its contact's name. The name is null if there is no contact, and missing if the recipient can't be
 * saved as a contact.
 */
export type SavedOutput = PaymentOutput & { contact?: string | null };

/**
 * Why a payment is stuck. `refused`, `contested`, `unseen`, `slow`, `held` and `aborted` are stored in the payment's
 * record. `signable`: an application must still sign the transaction. `replaced`: another transaction spends the same
 * coins, and only one of the two can be mined. `cancelling`: the user's cancellation spends the same coins, and only
 * one of the two can be mined.
 */
export type PaymentTrouble =
  | 'refused'
  | 'contested'
  | 'unseen'
  | 'slow'
  | 'replaced'
  | 'cancelling'
  | 'held'
  | 'aborted'
  | 'signable';

/**
 * A crypto operation's result in the activity list. Excludes ciphertext, and excludes plaintext unless a payment stores
 * it.
 */
export type OperationNote = Pick<
  CryptoResult,
  'id' | 'method' | 'data' | 'dataEncoding' | 'value' | 'valueEncoding' | 'paymail' | 'publicKey' | 'verified'
>;

/** A row of the activity. Satoshis are strings. `time` is in milliseconds since 1970. */
export interface ActivityItem {
  id: string;
  direction: 'sent' | 'received';
  /** The requesting site, for payments from a page's button. */
  origin: string | null;
  /** The first recipient, or the receiving address. '' if there is none. */
  counterparty: string;
  recipientCount: number;
  satoshis: string;
  /** Null if no fee was paid or the fee is unknown. */
  feeSatoshis: string | null;
  /** The amount as requested, in `currency`. */
  amount: string | null;
  currency: string | null;
  /** The price of one BSV in the user's currency, when the transaction was signed or received. Missing if unknown. */
  priceThen?: { currency: string; price: string };
  /** For a payment by another wallet with the same recovery words: its value when reported to the account's service. */
  worthThen?: { amount: string; currency: string };
  status: PaymentStatus;
  statusDescription: string | null;
  /** Why a received payment failed: the sender double-spent it, or the network dropped the transaction. */
  failure?: 'double-spent' | 'dropped' | null;
  statusCode?: ErrorCode | null;
  /** The problem that prevents the network from accepting or confirming the transaction. */
  trouble?: PaymentTrouble | null;
  /**
   * Set if another wallet with the same recovery words made the payment. The site is unknown, and `id` is the
   * transaction ID.
   */
  isFromChain?: boolean;
  /** Set if the account's service reported the site, recipients' names and metadata of an `isFromChain` payment. */
  isFromService?: boolean;
  /** Set if the effect on the balance couldn't be computed yet. The direction and amount are then meaningless. */
  isUnverified?: boolean;
  /** Set if the transaction was found in a block after a restore and hasn't been proven yet. `time` is then a guess. */
  isTimeUnknown?: boolean;
  /** Set for the wallet's own transaction that cancels a payment. */
  isCancellation?: boolean;
  /** Set for the wallet's own transaction that moves coins received with a derived key (BRC-29) to its addresses. */
  isSweep?: boolean;
  /**
   * Set for the wallet's own transaction that splits a coin so that a site's action reserves less of the user's money.
   */
  isSplit?: boolean;
  /** The asset that the transaction sends or mints. In received transactions, set only if no money was received. */
  asset?: SentAsset;
  /** Whether the wallet itself or the index verified a received asset. */
  assetWord?: AssetWord;
  /** Set if the received coins claim to hold a token. The claim is unchecked or false. */
  tokenClaim?: 'unchecked' | 'forged';
  txid: string | null;
  time: number;
  /** For received money: the stated sender, and whether their host confirms it. */
  sender: { paymail: string; verified: boolean } | null;
  /** The user's own note or, for received money, the sender's. */
  note: string | null;
  /** The button's label as reported by the site, for payments from a page's button. */
  label?: string | null;
  /** The name of the contact who was paid, or who paid according to their host. */
  contact?: string;
  /** Results of a site's crypto operations without a payment. */
  operations?: OperationNote[];
  /** The application that the site named for these operations. */
  clientIdentifier?: string | null;
  /**
   * For received money: the payment that it might refund, with that payment's site and first recipient. `isConfirmed`
   * means confirmed by the account's service. Otherwise, the match is uncertain, because anyone can pay the refund
   * address.
   */
  refundOf?: { id: string; origin: string | null; to: string; isConfirmed?: boolean } | null;
}

/** The cost of sending. Satoshis are strings. */
export interface SendQuote {
  /** Empty if a recipient or the rate is invalid. */
  outputs: ShownOutput[];
  /** Total of the outputs. */
  satoshis: string;
  /** The maximum fee. Null if a `problem` or an invalid recipient prevents a quote. */
  feeSatoshis: string | null;
  totalSatoshis: string | null;
  balanceSatoshis: string;
  rate: Rate | null;
  /** Time of the rate (milliseconds since 1970). */
  time: number;
  /** Set if the network might still accept an earlier identical payment. The user would then pay twice. */
  mayPayTwice?: true;
  /** Why the payment can't be made now. */
  problem: WireError | null;
  /**
   * Set if the balance is sufficient, but part of it is change from payments that the network hasn't accepted yet.
   */
  awaitsChange?: true;
  /** Problems of recipients or their amounts, by index in the request. */
  badRecipients: Record<number, ErrorCode>;
}

/**
 * A payment that the user sent. `taken` is false if the network hasn't accepted the payment yet. The wallet then
 * broadcasts it again until it is accepted.
 */
export interface SendResult {
  id: string;
  txid: string;
  taken: boolean;
}
