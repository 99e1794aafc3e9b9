/** A payment as the wallet stores it, from the page's request to its confirmation. */
import type { PaymentOptions, PaymentStatus } from '../../protocol/payments/payment.ts';
import type { PaymentState } from '../../protocol/messages/wallet-messages.ts';
import { isErrorCode, meaningOf, type WireError } from '../../protocol/errors/service-error.ts';
import type { AllowanceKey, Debit, Terms, WantedAllowance } from '../allowances/allowance.ts';
import type { Quote } from '../recipients/quote.ts';
import type { PriceThen } from '../coins/receipts/receipt.ts';
import type { Outcome } from '../crypto-operations/outcome.ts';
import { takenBy, type ActionPart } from './action.ts';
import type { AssetPart } from './asset-part.ts';
import { NOT_TRIED, type Retry } from './retry.ts';
import type { Wallet } from '../platform.ts';

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

export const newReport = (state: Report['state']): Report => ({ state, ...NOT_TRIED });

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

export function newPayment(
  wallet: Wallet,
  given: Pick<PaymentRecord, 'requestId' | 'origin' | 'options' | 'state' | 'quote'> & Partial<PaymentRecord>,
): PaymentRecord {
  const now = wallet.now();
  const record: PaymentRecord = {
    id: wallet.randomUUID(),
    createdAt: now,
    updatedAt: now,
    automatic: false,
    feeLimit: null,
    allowance: null,
    grant: null,
    token: null,
    approvedAt: null,
    signed: null,
    error: null,
    broadcast: NOT_TRIED,
    confirmation: NOT_TRIED,
    report: newReport('waiting'),
    service: null,
    serviceReport: null,
    deliveries: [],
    operations: null,
    height: null,
    trouble: null,
    seenAt: null,
    replacedBy: null,
    ended: null,
    unfinished: 0,
    ...given,
  };
  return { ...record, unfinished: unfinishedOf(record) };
}

/** The status that is shown outside. */
export function statusOf(record: PaymentRecord): PaymentStatus {
  if (record.state === 'refused' || record.state === 'failed') return 'FAILED';
  if (record.state === 'broadcast' || record.state === 'settled')
    return record.height === null ? 'RECEIVED' : 'COMPLETED';
  return 'PENDING';
}

/** True once the page's response is final. */
export function isAnswerable(record: PaymentRecord): boolean {
  return ['broadcast', 'settled', 'refused', 'failed'].includes(record.state);
}

/** True if the application that made it withholds it, or has given it up. */
export function isKeptByApplication({ trouble }: Pick<PaymentRecord, 'trouble'>): boolean {
  return trouble === 'held' || trouble === 'aborted';
}

/**
 * True if the wallet only checks it, at growing intervals, because its application withholds it or has given it up, or
 * the network refused it and it spends only the application's inputs.
 */
export function isOnlyWatched(record: Pick<PaymentRecord, 'trouble' | 'action' | 'signed'>): boolean {
  const given = record.action?.inputs.length ?? 0;
  return (
    isKeptByApplication(record) || (record.trouble === 'refused' && given > 0 && given === record.signed?.inputs.length)
  );
}

/** True if the user ended it without an excluding transaction (abandon.ts). It may still be mined. */
export function isAbandoned({ state, signed, ended, trouble }: PaymentRecord): boolean {
  return state === 'failed' && signed !== null && ended === null && trouble === 'aborted';
}

/** True if it is signed and is or can be mined. */
export function isLive({ state, signed }: PaymentRecord): boolean {
  return signed !== null && (state === 'signed' || state === 'broadcast' || state === 'settled');
}

/** Whether the network has accepted it, and has not dropped it since as far as is known. */
export function isOnNetwork({ state, trouble }: Pick<PaymentRecord, 'state' | 'trouble'>): boolean {
  return (state === 'broadcast' || state === 'settled') && trouble !== 'unseen';
}

/** Number of failed broadcasts after which a page is notified, and the user may pay again. */
export const PATIENCE_ATTEMPTS = 3;

/** True if the network hasn't accepted it, so the user may pay again although it may still be mined. */
export function isOpen({ state, trouble, broadcast }: Pick<PaymentRecord, 'state' | 'trouble' | 'broadcast'>): boolean {
  if (state !== 'signed') return false;
  if (trouble === 'contested') return broadcast.attempts >= PATIENCE_ATTEMPTS;
  return trouble === 'refused' || trouble === 'aborted';
}

/**
 * True if the user can cancel it: the network does not seem to have it, it was not replaced, and it cancels no other.
 */
export function isCancellable(record: PaymentRecord): boolean {
  const { trouble, replacedBy, cancel, height } = record;
  return isLive(record) && height === null && !replacedBy && !cancel && trouble !== null && trouble !== 'slow';
}

/** Satoshis that leave the wallet with this fee: zero if an application's inputs exceed its outputs. */
export function costOf({ quote, action }: Pick<PaymentRecord, 'quote' | 'action'>, fee: bigint): bigint {
  const cost = (action ? takenBy(action) : quote.satoshis) + fee;
  return cost > 0n ? cost : 0n;
}

/**
 * The debit of an allowance for a payment with this fee, in satoshis. An application whose inputs exceed its outputs
 * still pays the fee, so that the number of actions without a window is limited.
 */
export const allowanceCost = ({ quote }: Pick<PaymentRecord, 'quote'>, fee: bigint): bigint => quote.satoshis + fee;

export function allowanceKeyOf({
  origin,
  options,
  automatic,
}: Pick<PaymentRecord, 'origin' | 'options' | 'automatic'>): AllowanceKey {
  return [origin, options.clientIdentifier ?? '', automatic ? 'automatic' : 'swipe'];
}

/** The state of an accepted payment: `settled` once nothing is left to report or deliver. */
export function stateOnNetwork({
  report,
  serviceReport,
  deliveries,
}: Pick<PaymentRecord, 'report' | 'serviceReport' | 'deliveries'>): 'broadcast' | 'settled' {
  return report.state === 'waiting' ||
    serviceReport?.state === 'waiting' ||
    deliveries.some(({ state }) => state === 'waiting')
    ? 'broadcast'
    : 'settled';
}

/** The state of an ended payment once it is reinstated. */
export function stateBeforeEnd(record: PaymentRecord): PaymentState {
  return record.ended?.state ?? (isAbandoned(record) ? 'signed' : stateOnNetwork(record));
}

/** The remaining work for it that doesn't need the user. */
export function unfinishedOf(record: PaymentRecord): Unfinished {
  if (record.state === 'approved' || record.state === 'signable') return 1;
  // Another attempt at the same payment finds it by this.
  if (record.takenLate && !record.knownPaid && isLive(record)) return 1;
  const clocks = clocksOf(record);
  if (clocks.length === 0) return 0;
  // If the account is given up, the button's service gets the report instead (`isLeft`).
  return clocks.every((clock) => clock === record.report) && record.serviceReport?.state !== 'by-account' ? 2 : 1;
}

function clocksOf(record: PaymentRecord): Retry[] {
  const { state, broadcast, confirmation, height } = record;
  if (state === 'signed') return [broadcast];
  const isOnNetwork = state === 'broadcast' || state === 'settled';
  return [
    ...(isOnNetwork && height === null ? [confirmation] : []),
    ...[waitingReport(record) ?? [], dueServiceReport(record) ?? [], waitingDeliveries(record)].flat(),
  ];
}

/** The pending report to the wallet's own service, once the network has the payment. */
function waitingReport({ state, report }: PaymentRecord): Report | null {
  return state === 'broadcast' && report.state === 'waiting' ? report : null;
}

/**
 * True if its report can be sent. A payment's report goes to the current service of the wallet's account, a mint's only
 * to the one that describes the asset.
 * @param accountAt origin of the service of the wallet's account, or null
 */
export function isReportable({ asset }: PaymentRecord, accountAt: string | null): boolean {
  return accountAt !== null && (asset?.mint?.service ?? accountAt) === accountAt;
}

/** Pending deliveries to recipients' hosts, once the network has the transaction. */
export function waitingDeliveries({ state, deliveries }: PaymentRecord): Delivery[] {
  return state === 'broadcast' ? deliveries.filter((one) => one.state === 'waiting') : [];
}

/** The pending report to the button's service, once the network has the transaction. */
export function dueServiceReport({ state, serviceReport }: PaymentRecord): ServiceReport | null {
  return state === 'broadcast' && serviceReport?.state === 'waiting' ? serviceReport : null;
}

/**
 * True if the button's service was to get the report through an account that the wallet no longer has, so that it gets
 * it directly.
 * @param accountAt origin of the service of the wallet's account, or null
 */
export function isLeft({ state, report, serviceReport }: PaymentRecord, accountAt: string | null): boolean {
  return (
    state === 'broadcast' &&
    report.state === 'waiting' &&
    serviceReport?.state === 'by-account' &&
    serviceReport.service !== accountAt
  );
}

/** True if this delivery goes to the button's service, which gets its report first. */
export function isToButtonService({ quote, serviceReport }: PaymentRecord, { output }: Delivery): boolean {
  return serviceReport ? quote.outputs[output]?.host?.origin === serviceReport.service : false;
}

export function isToService({ quote }: PaymentRecord, { output }: Delivery): boolean {
  return quote.outputs[output]?.host?.isService === true;
}

/**
 * When an unfinished payment's next step is due (milliseconds since 1970).
 * @param accountAt origin of the service of the wallet's account, or null if nothing can be reported there. That
 * service and the button's service get the report first, so deliveries to them as a recipient's host are due only
 * afterwards
 */
export function dueAt(record: PaymentRecord, accountAt: string | null): number {
  if (record.state === 'approved') return 0;
  if (record.state === 'signable') return record.action?.expiresAt ?? 0;
  const report = waitingReport(record);
  const isHeld = (one: Delivery) =>
    (accountAt !== null && report !== null && !isPutOff(report) && isToService(record, one)) ||
    (dueServiceReport(record)?.attempts === 0 && isToButtonService(record, one));
  const held = new Set<Retry>([
    ...waitingDeliveries(record).filter(isHeld),
    ...(report && !isReportable(record, accountAt) ? [report] : []),
  ]);
  const left = isLeft(record, accountAt) ? [(record.serviceReport as ServiceReport).nextAt] : [];
  return Math.min(...left, ...clocksOf(record).flatMap((clock) => (held.has(clock) ? [] : [clock.nextAt])));
}

/**
 * True if the service rejected the report for now, because it doesn't know the wallet's account or finds an error. Then
 * no delivery waits for it.
 */
export function isPutOff({ problem }: Pick<Retry, 'problem'>): boolean {
  return problem === 'unknown-account' || (isErrorCode(problem) && meaningOf(problem).final);
}

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
