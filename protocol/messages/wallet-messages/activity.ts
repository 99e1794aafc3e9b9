/** Payments as the windows show them: past ones, and one that the user is about to send. */
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
 * One page of the activity. `before` continues it if there may be `more`. `searchedTo`: a search went back only to this
 * time (milliseconds since 1970) without filling the page.
 */
export interface ActivityPage<Item> {
  items: Item[];
  more: boolean;
  before: string | null;
  searchedTo: number | null;
}

export interface ExportedActivity extends ActivityItem {
  /** All recipients as named in the request, or the receiving address for received money. */
  recipients: { to: string; satoshis: string }[];
  height: number | null;
  buttonId: string | null;
  /** The price of one BSV in the currency of the requested amount; missing if that was BSV or wasn't stored. */
  quotedPrice?: string;
  /** The payment that it refunds, as reported by the site or the account's service. */
  givesBack?: string;
  /** A token paid in addition to money. For a payment of only a token, see `asset`. */
  paidBeside?: SentAsset;
}

/** The details of one row. Fields that only payments have are null or empty for received money. */
export interface ActivityDetails extends Metadata {
  /** The cost of canceling it, in satoshis; null or missing if it can't be canceled now. */
  cancelFee?: string | null;
  /** It spends nothing of the user's, so it is ended instead of canceled. */
  canEnd?: true;
  item: ActivityItem;
  /** The height of the block in its verified proof. */
  height: number | null;
  outputs: SavedOutput[];
  data: ApprovalView['data'];
  /** The site's own, unverified statement. */
  clientIdentifier: string | null;
  /** Its refunds, as far as the wallet has seen: satoshis as text, one for each transaction, latest first. */
  refunds: { txid: string; satoshis: string; time: number; isConfirmed?: boolean }[];
  /** It has a transaction, sent or about to be. */
  signed: boolean;
  /** `swipe`: within the limits for trusted swipes on all sites. */
  decided: 'by-hand' | 'allowance' | 'swipe' | null;
  /** Its debit from the site's allowance or the limits for swipes, decimal text in `currency`. */
  debit: { amount: string; currency: string } | null;
  /** Whether the account's service has it; null if there is nothing to report, or no account to report it to. */
  report: 'waiting' | 'done' | 'refused' | null;
  /** The same for the button's service, if the account doesn't report to it. */
  serviceReport: { host: string; state: 'waiting' | 'done' | 'refused' | 'given-up' } | null;
  /** Recipients by paymail or user ID, and whether their hosts have it. */
  deliveries: { paymail: string; host: string; state: 'waiting' | 'done' | 'given-up' }[];
  /** Crypto operations of the site with this payment. */
  operations: OperationNote[];
  /** The application's labels (BRC-100), and the application's own funds (satoshis). */
  labels?: string[];
  brought?: string;
}

/** A recipient with its contact's name: null without a contact, missing if it can't be one. */
export type SavedOutput = PaymentOutput & { contact?: string | null };

/**
 * `refused`, `contested`, `unseen`, `slow`, `held` and `aborted` as in a payment's record; `signable`: an application
 * is yet to sign it; `replaced` and `cancelling`: another transaction spends the same coins, and a block decides.
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

/** A crypto operation's result in the activity: no ciphertext, and plaintext only if a payment stores it. */
export type OperationNote = Pick<
  CryptoResult,
  'id' | 'method' | 'data' | 'dataEncoding' | 'value' | 'valueEncoding' | 'paymail' | 'publicKey' | 'verified'
>;

/** One row of the activity. Satoshis are whole numbers as text, `time` is milliseconds since 1970. */
export interface ActivityItem {
  id: string;
  direction: 'sent' | 'received';
  /** The requesting site, for payments of a page's button. */
  origin: string | null;
  /** The recipient, the first of several, or the receiving address; '' if there is none. */
  counterparty: string;
  recipientCount: number;
  satoshis: string;
  /** Null if none was paid, or it is unknown. */
  feeSatoshis: string | null;
  /** As requested. */
  amount: string | null;
  currency: string | null;
  /** The price of one BSV when it was signed or arrived, in the user's currency at that time; missing if unknown. */
  priceThen?: { currency: string; price: string };
  /** For a payment by another wallet with the same words: its value by the account's service when it got the report. */
  worthThen?: { amount: string; currency: string };
  status: PaymentStatus;
  statusDescription: string | null;
  /** Why received money failed: the sender double-spent it, or the network dropped it. */
  failure?: 'double-spent' | 'dropped' | null;
  statusCode?: ErrorCode | null;
  /** The problem that keeps it from the network or from a block. */
  trouble?: PaymentTrouble | null;
  /** Another wallet with the same words paid it. The requester is unknown; `id` is the transaction's. */
  isFromChain?: boolean;
  /** For such a payment: site, recipients' names and metadata are reported by the account's service. */
  isFromService?: boolean;
  /** Its effect couldn't be computed yet, so neither direction nor amount counts. */
  isUnverified?: boolean;
  /** First seen in a block, for example by a restore, and not proven yet: `time` is a guess for sorting. */
  isTimeUnknown?: boolean;
  /** It is the wallet's own transaction that cancels a payment. */
  isCancellation?: boolean;
  /** The wallet's own transaction that moves coins received by a derived key (BRC-29) to its addresses. */
  isSweep?: boolean;
  /** The wallet's own transaction that splits a coin to limit what a site reserves. */
  isSplit?: boolean;
  /** Sends or mints an asset, or received only that. */
  asset?: SentAsset;
  /** The source of the claim for a received asset. */
  assetWord?: AssetWord;
  /** It arrived with coins that claim to hold a token. The claim is unchecked, or false. */
  tokenClaim?: 'unchecked' | 'forged';
  txid: string | null;
  time: number;
  /** For received money: the stated sender, whether their host confirms them, and their note. Else the user's note. */
  sender: { paymail: string; verified: boolean } | null;
  note: string | null;
  /** For payments of a page's button: its label, as reported by the site. */
  label?: string | null;
  /** The name of the contact who was paid, or who paid as their host confirms. */
  contact?: string;
  /** Results of a site's operations without a payment, and the application that it named. */
  operations?: OperationNote[];
  clientIdentifier?: string | null;
  /**
   * For received money: the payment that it may refund, with its site and first recipient. `isConfirmed`: by the
   * account's service. Others also know that address.
   */
  refundOf?: { id: string; origin: string | null; to: string; isConfirmed?: boolean } | null;
}

/** The cost of sending. Satoshis are whole numbers as text. */
export interface SendQuote {
  /** Empty if a row or the rate is invalid. */
  outputs: ShownOutput[];
  /** Sum of the outputs. */
  satoshis: string;
  /** The highest fee. Null if a `problem` or an invalid row prevents a quote. */
  feeSatoshis: string | null;
  totalSatoshis: string | null;
  balanceSatoshis: string;
  /** The price of BSV in the user's currency. */
  rate: Rate | null;
  /** Time of the rate (milliseconds since 1970). */
  time: number;
  /** The network may still accept an earlier payment that this one repeats. Both would then be paid. */
  mayPayTwice?: true;
  /** Why it can't be paid now. */
  problem: WireError | null;
  /** Problems of single recipients or their amounts, by their index in the request. */
  badRecipients: Record<number, ErrorCode>;
}

/** A payment that the user sent. `taken`: the network has it; otherwise it is resent until then. */
export interface SendResult {
  id: string;
  txid: string;
  taken: boolean;
}
