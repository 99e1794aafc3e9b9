/** What the windows show of payments: past ones, and one that the user is about to send. */
import type { AssetWord, SentAsset } from './assets.ts';
import type { ErrorCode, WireError } from '../errors.ts';
import type { Metadata } from '../metadata.ts';
import type { CryptoResult, PaymentOutput, PaymentStatus } from '../payment.ts';
import type { ApprovalView, ShownOutput } from './asking.ts';
import type { Rate } from './overview.ts';

/** The state of a payment inside the wallet. */
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
 * One page of the activity. If there may be `more`, `before` says where to continue. `searchedTo`: the page is not
 * full, but the search went back to this time (milliseconds since 1970) without enough matches and returns what it has.
 */
export interface ActivityPage<Item> {
  items: Item[];
  more: boolean;
  before: string | null;
  searchedTo: number | null;
}

/** A row as it is exported. */
export interface ExportedActivity extends ActivityItem {
  /** Everybody who was paid, as named in the request; of money received the address. */
  recipients: { to: string; satoshis: string }[];
  height: number | null;
  buttonId: string | null;
  /** What one BSV cost in the currency that the amount was asked in; missing where it was in BSV or none was kept. */
  quotedPrice?: string;
  /** The payment that it gives back, as the site or the account's service says. */
  givesBack?: string;
  /** A token that it pays beside money: `asset` is what pays nothing else. */
  paidBeside?: SentAsset;
}

/** Everything about one row. What only payments have is null or empty in money received. */
export interface ActivityDetails extends Metadata {
  /** What cancelling it would cost, in satoshis; null or missing where it cannot be cancelled now. */
  cancelFee?: string | null;
  item: ActivityItem;
  /** The block that a checked proof places it in. */
  height: number | null;
  outputs: SavedOutput[];
  data: ApprovalView['data'];
  /** The site's own, unverified statement. */
  clientIdentifier: string | null;
  /** What came back of it, as far as the wallet has seen: satoshis as text, one for each transaction, the latest first. */
  refunds: { txid: string; satoshis: string; time: number; isConfirmed?: boolean }[];
  /** It has a transaction, sent or about to be. */
  signed: boolean;
  /** `swipe`: within the limits for trusted swipes on all sites. */
  decided: 'by-hand' | 'allowance' | 'swipe' | null;
  /** What it took from the site's allowance or from those limits, decimal text in `currency`. */
  debit: { amount: string; currency: string } | null;
  /** Whether the account's service has it; null if there is nothing to report, or no account to report it to. */
  report: 'waiting' | 'done' | 'refused' | null;
  /** The same of the service that the button belongs to, where the wallet's account does not report to it. */
  serviceReport: { host: string; state: 'waiting' | 'done' | 'refused' | 'given-up' } | null;
  /** Recipients by paymail or user ID, and whether their hosts have it. */
  deliveries: { paymail: string; host: string; state: 'waiting' | 'done' | 'given-up' }[];
  /** What the site got signed, encrypted or decrypted along with it. */
  operations: OperationNote[];
  /** What an application marked it with (BRC-100), and what it brought in of its own (satoshis). */
  labels?: string[];
  brought?: string;
}

/**
 * A recipient with the name of its contact: null where there is none, missing where it cannot be one (a script, or the user
 * of another service).
 */
export type SavedOutput = PaymentOutput & { contact?: string | null };

/**
 * `refused`, `contested`, `unseen`, `slow`, `held` and `aborted` as in a payment's record (payment/record.ts); `signable`:
 * an application is yet to sign it; `replaced` and `cancelling`: a later
 * payment, or the user's cancellation, spends the same coins, and a block decides.
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
 * What a site got of a crypto operation, as the activity shows it: without ciphertext, and without a plaintext where no
 * payment keeps it.
 */
export type OperationNote = Pick<
  CryptoResult,
  'id' | 'method' | 'data' | 'dataEncoding' | 'value' | 'valueEncoding' | 'paymail' | 'publicKey' | 'verified'
>;

/** One row of the activity. Satoshis are whole numbers as text, `time` is milliseconds since 1970. */
export interface ActivityItem {
  id: string;
  direction: 'sent' | 'received';
  /** The site that asked, for what a page's button paid. */
  origin: string | null;
  /** Who was paid, of several the first, or the address that received; '' where nobody was. */
  counterparty: string;
  recipientCount: number;
  satoshis: string;
  /** Null where none was paid, or where it is not known. */
  feeSatoshis: string | null;
  /** As requested. */
  amount: string | null;
  currency: string | null;
  /** What one BSV cost when it was signed or arrived, in the user's currency of then; missing where that is not known. */
  priceThen?: { currency: string; price: string };
  /** What it was worth by the account's service when it got the report: of what another wallet with the same words paid. */
  worthThen?: { amount: string; currency: string };
  status: PaymentStatus;
  statusDescription: string | null;
  /**
   * Why money received failed: the sender spent it in another transaction that is in a block, or the network dropped
   * it.
   */
  failure?: 'double-spent' | 'dropped' | null;
  /** The code of the error that `statusDescription` is the sentence of. */
  statusCode?: ErrorCode | null;
  /** What keeps it from the network or from a block. */
  trouble?: PaymentTrouble | null;
  /**
   * Another wallet with the same words has paid it, this one before it was restored, say: who asked for it is not known,
   * and `id` is the transaction's.
   */
  isFromChain?: boolean;
  /** Of such a payment: site, recipients' names and metadata are the word of the account's service. */
  isFromService?: boolean;
  /** What it meant could not be worked out yet: neither direction nor amount counts. */
  isUnverified?: boolean;
  /** First seen in a block, as by a restore, and no proof places it there yet: `time` is a guess to sort by. */
  isTimeUnknown?: boolean;
  /** It is the wallet's own transaction that cancels a payment. */
  isCancellation?: boolean;
  /** It is the wallet's own transaction that moves what came in for a derived key (BRC-29) to its addresses. */
  isSweep?: boolean;
  /** It is the wallet's own transaction that splits a coin, so that a site sets no more aside than it may. */
  isSplit?: boolean;
  /** It sends or mints an asset, or brought one in and nothing else. */
  asset?: SentAsset;
  /** Of an asset that came in: whose word it is that it is there. */
  assetWord?: AssetWord;
  /** It came with coins that claim to hold a token: nobody has checked that yet, or they hold none. */
  tokenClaim?: 'unchecked' | 'forged';
  txid: string | null;
  time: number;
  /**
   * Of money received by paymail: who says to have sent it, whether that one's host vouches for it, and the note that
   * came with it; of what the user sent, the user's own note.
   */
  sender: { paymail: string; verified: boolean } | null;
  note: string | null;
  /** Of what a page's button paid: its label, as the site says. */
  label?: string | null;
  /** The name of the contact who was paid, or who paid as their host confirms. */
  contact?: string;
  /** What a site got without a payment, and the application that it named: then no money is in this row. */
  operations?: OperationNote[];
  clientIdentifier?: string | null;
  /**
   * Of money received: the payment that it may give back, with the site that asked for that and its first recipient. Others
   * than they know that address, too. `isConfirmed`: the account's service says that it does.
   */
  refundOf?: { id: string; origin: string | null; to: string; isConfirmed?: boolean } | null;
}

/** What sending costs. Satoshis are whole numbers as text. */
export interface SendQuote {
  /** Empty where a row or the rate is wrong. */
  outputs: ShownOutput[];
  /** Sum of the outputs. */
  satoshis: string;
  /** The highest fee. Null if a `problem` or an invalid row prevents a quote. */
  feeSatoshis: string | null;
  totalSatoshis: string | null;
  balanceSatoshis: string;
  /** The user's own currency, and what it costs. */
  rate: Rate | null;
  /** As of when it counts: that of the rate that it was worked out with (milliseconds since 1970). */
  time: number;
  /** The network may still take an earlier payment that this one repeats: then both are paid. */
  mayPayTwice?: true;
  /** Why it cannot be paid at present. */
  problem: WireError | null;
  /** What is wrong with single recipients or their amounts, by their place in the request. */
  badRecipients: Record<number, ErrorCode>;
}

/** A payment that the user sent. `taken`: the network has it; else it is signed and will be sent again until it has. */
export interface SendResult {
  id: string;
  txid: string;
  taken: boolean;
}
