/** A payment as the wallet stores it, from the page's request to its confirmation. */
import type { PaymentOptions } from '../../protocol/payments/payment.ts';
import type { PaymentState } from '../../protocol/messages/wallet-messages.ts';
import type { WireError } from '../../protocol/errors/service-error.ts';
import type { Debit, Terms, WantedAllowance } from '../allowances/allowance.ts';
import type { Quote } from '../recipients/quote.ts';
import type { PriceThen } from '../coins/receipts/receipt.ts';
import type { Outcome } from '../crypto-operations/outcome.ts';
import type { ActionPart } from './action.ts';
import type { AssetPart } from './asset-part.ts';
import type { Retry } from './retry.ts';

/** A signed transaction to deliver to a recipient's host. */
export interface Delivery extends Retry {
  /** Position of the output in the quote. */
  output: number;
  state: 'waiting' | 'done' | 'given-up';
}

/**
 * The report to the wallet's own service: `done` once the service has it, `refused` if it never accepts it; `none` if
 * it is never sent, because the user's own payments are private.
 */
export interface Report extends Retry {
  state: 'waiting' | 'done' | 'refused' | 'none';
}

/** The signed transaction. `inputs` and `change` are outpoints. */
export interface SignedPart {
  rawtx: string;
  txid: string;
  normalizedTxid: string;
  /**
   * Proves to the service that this wallet made it (protocol/signed-messages/report-message.ts; for a mint
   * protocol/assets/assets.ts).
   */
  inputProof: string;
  feeSatoshis: bigint;
  inputs: string[];
  /** The value of each input, in satoshis. */
  inputSatoshis: bigint[];
  ownOutputs: string[];
  /** Identifies the sender to recipients' hosts: the identity key's signature of the transaction's id. */
  senderProof?: { publicKey: string; signature: string };
}

/**
 * The reason why a signed payment isn't on the network or in a block. `refused`: every operator refused it, and it
 * isn't submitted again until the page or the user repeats the request. `held`: the application that made it withholds
 * it. `aborted`: the application or the user has given it up, but the application has the bytes, so only another
 * spender of its coins ends it. `contested`: another transaction spends one of its coins, or a parent is unknown.
 * `unseen`: an operator had it, and now neither operators nor the index have it. `slow`: no block has contained it for
 * hours.
 */
export type Trouble = 'refused' | 'contested' | 'unseen' | 'slow' | 'held' | 'aborted';

/** The mined transaction that excludes this payment while its block is in the chain. */
export interface Ended {
  txid: string;
  /** 0 if it ends in every chain that has that transaction, because it is its parent under another id. */
  height: number;
  /** The previous state, which is restored if a reorganization removes the block. */
  state: PaymentState;
}

/** A page's request while it is quoted. The resulting payment has the same id. */
export interface PaymentRequest {
  /** The payment's public id, a UUID made here. */
  id: string;
  /** The client's own name for its request. A repeated request with this name is the same payment. */
  requestId: string;
  /** The requesting site, or `OWN` (wallet/sites/site.ts). */
  origin: string;
  options: PaymentOptions;
  createdAt: number;
  /** True if the page requested it without a user gesture. */
  automatic: boolean;
  /** The page's suggested allowance, and whether it reports an earlier one. Missing with a user gesture. */
  wanted?: WantedAllowance & { hadOne: boolean };
  /** The button's service, as reported by the page. */
  service: string | null;
}

/**
 * A payment, from its quote on. Only move.ts changes its state: `requested` → `approved` → `signed` → `broadcast` →
 * `settled`, with `signable` before `signed` if an application must sign as well. It is `refused` or `failed` before
 * `signed`; afterwards it fails only once a block contains another transaction that spends one of its coins
 * (conflicts.ts), the user ends it (abandon.ts), or it is merged with a copy. From `signed` on only the same bytes are
 * sent. It is `settled` once the service and all recipients' hosts have it, or are given up.
 */
export interface PaymentRecord extends PaymentRequest {
  state: PaymentState;
  updatedAt: number;
  quote: Quote;
  /** Maximum fee, in satoshis, as shown to the user. Null until a person approves it. */
  feeLimit: bigint | null;
  allowance: Debit | null;
  /** The allowance that the user grants along with this payment: stored when it is signed. */
  grant: Terms | null;
  /** The token of the allowance that was granted with it. */
  token: string | null;
  approvedAt: number | null;
  /** The user's own note. Never sent anywhere. */
  note?: string;
  /** The price when it was signed. Missing if no rate was reliable. */
  priceThen?: PriceThen;
  signed: SignedPart | null;
  error: WireError | null;
  /** Attempts to broadcast it, while it is `signed`. */
  broadcast: Retry;
  /** Checks whether a block contains it, from `broadcast` on. */
  confirmation: Retry;
  report: Report;
  /** The report to the button's service, unless the wallet's account reports to it: from `signed` on. */
  serviceReport: ServiceReport | null;
  /** One for each recipient whose host takes the transaction, from `signed` on. */
  deliveries: Delivery[];
  /** The results of the crypto operations, which the page gets with its response. */
  operations: Outcome[] | null;
  /** The block that a checked proof places it in. */
  height: number | null;
  /** A block contained it before a reorganization. */
  wasConfirmed?: true;
  /** Null if no problem is known. */
  trouble: Trouble | null;
  /** The last block that the wallet knew when the network accepted it (time in seconds since 1970). */
  seenAt: { height: number; time: number } | null;
  /** The payment (id) that this one replaces, by spending `group` as well, so that at most one of them can be mined. */
  replaces?: string;
  /** The payment (id) that replaces this one, whose bytes are not broadcast any more. */
  replacedBy: string | null;
  /** The outpoint that every payment in this chain of replacements spends. */
  group?: string;
  /** The user was warned that an earlier payment may be made in addition to this one. */
  mayPayTwice?: true;
  /** A block has it, although its page was notified that the network doesn't accept it. */
  takenLate?: true;
  /** Its page or the user has learned that the network accepted it after all. */
  knownPaid?: true;
  /** It only pays the wallet itself, to cancel the one that it replaces. */
  cancel?: true;
  /** An application created it. This contains its outputs, regardless of the options. */
  action?: ActionPart;
  asset?: AssetPart;
  /** It moves money received at a derived key (BRC-29) to the wallet's own addresses. */
  sweep?: true;
  /** It splits a coin for an application's action: satoshis of the piece that it makes. */
  split?: bigint;
  /** Transactions (ids) that refunded it by paymail, as reported by the account's service. */
  refundedBy?: string[];
  /** Why it has failed although it was signed. */
  ended: Ended | null;
  /** Whether work is left that doesn't need the user: set when it is stored (store.ts), for the database's index. */
  unfinished: Unfinished;
}

/** 0: nothing. 1: something. 2: only its report, which waits for an account if the wallet doesn't have one. */
export type Unfinished = 0 | 1 | 2;

/** A report on its way to the button's service. */
export interface ServiceReport extends Retry {
  service: string;
  /** Signed by the key of the transaction's first input. */
  proof: string;
  /**
   * `by-account`: it is the service of the wallet's account, whose own report is enough. This report is sent only if
   * the wallet leaves that account before the account's own report is delivered (`isLeft`).
   */
  state: 'by-account' | 'waiting' | 'done' | 'refused' | 'given-up';
}
