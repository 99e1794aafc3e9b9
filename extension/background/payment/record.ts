/** A payment as the wallet stores it, from the page's request to the block that holds it. */
import type { PaymentOptions, PaymentStatus } from '../../../protocol/payment.ts';
import type { PaymentState } from '../../../protocol/wallet-messages.ts';
import { isErrorCode, meaningOf, type WireError } from '../../../protocol/errors.ts';
import type { AllowanceKey, Debit, Terms, WantedAllowance } from '../allowances/allowance.ts';
import type { Quote } from '../recipients/quote.ts';
import type { PriceThen } from '../coins/receipt.ts';
import type { Outcome } from '../crypto-operations/outcome.ts';
import { takenBy, type ActionPart } from './action.ts';
import type { AssetPart } from './asset-part.ts';
import { NOT_TRIED, type Retry } from './retry.ts';

/** A signed transaction on its way to one recipient's host. */
export interface Delivery extends Retry {
  /** Place of the output in the quote. */
  output: number;
  state: 'waiting' | 'done' | 'given-up';
}

/**
 * The report to the wallet's own service: `done` once the service has it, `refused` where it never takes it; `none` where
 * it is never sent: the user's own payments are private.
 */
export interface Report extends Retry {
  state: 'waiting' | 'done' | 'refused' | 'none';
}

/** A report that was not tried yet. */
export const newReport = (state: Report['state']): Report => ({ state, ...NOT_TRIED });

/** What a signed payment consists of. `inputs` and `change` are outpoints. */
export interface SignedPart {
  rawtx: string;
  txid: string;
  normalizedTxid: string;
  /** Shows the service that this wallet made it (protocol/report-message.ts; of a mint protocol/assets.ts). */
  inputProof: string;
  feeSatoshis: bigint;
  inputs: string[];
  /** What each input holds, in satoshis. */
  inputSatoshis: bigint[];
  ownOutputs: string[];
  /**
   * What identifies the sender to recipients' hosts: signed with the identity key over the transaction's id. Only where
   * there is such a recipient.
   */
  senderProof?: { publicKey: string; signature: string };
}

/**
 * What keeps a signed payment from the network or from a block. `refused`: every operator refused it, and it
 * is not offered again unless somebody asks for it again. `held`: the application that made it keeps it from the
 * network; `aborted`: it, or the user, has given it up, but it has the bytes, so that only another spender of its coins ends it. `contested`: another transaction spends one of its coins, or
 * a parent is unknown. `unseen`: ARC had it, and now neither ARC nor the index has. `slow`: no block has taken it for hours.
 */
export type Trouble = 'refused' | 'contested' | 'unseen' | 'slow' | 'held' | 'aborted';

/**
 * The transaction that a block holds, so that a payment which spends the same coin can never be mined while the block
 * stands.
 */
export interface Ended {
  txid: string;
  height: number;
  /** The state it was in: it goes back there if a reorganisation undoes the block. */
  state: PaymentState;
}

/**
 * What a page asks for, while it is being quoted: stored by itself, as it is no payment yet. The payment that comes of it
 * has the same id.
 */
export interface PaymentRequest {
  /** The payment's id outside, a UUID made here. */
  id: string;
  /** The client's own name for its request: asking again under it is asking for the same payment. */
  requestId: string;
  /** The site that asked, or `OWN` (sites/site.ts). */
  origin: string;
  options: PaymentOptions;
  createdAt: number;
  /** The page asked to pay without a person's hand. */
  automatic: boolean;
  /**
   * What the page would like an allowance to be, and whether it says that it had one. Missing where it pays with a
   * person's hand.
   */
  wanted?: WantedAllowance & { hadOne: boolean };
  /** The service that the page's button belongs to, according to the page. */
  service: string | null;
}

/**
 * A payment, from its quote on. States: `requested` → `approved` → `signed` → `broadcast` → `settled`, with `signable` before `signed`
 * where an application has to sign, too; `refused` and `failed` before `signed`, and
 * `failed` after it only once a block holds another transaction that spends one of its coins (conflicts.ts). From `signed` on the same bytes are only ever sent again. It is
 * `settled` once the service and all recipients' hosts have it, or are given up.
 */
export interface PaymentRecord extends PaymentRequest {
  state: PaymentState;
  updatedAt: number;
  quote: Quote;
  /** The most that the fee may be, in satoshis: what the user saw. Null until a person approves it. */
  feeLimit: bigint | null;
  /** What it took from an allowance; null where the user was asked. */
  allowance: Debit | null;
  /** The allowance that the user wants to give along with this payment: given when it is signed. */
  grant: Terms | null;
  /** The token of the allowance that was given with it. */
  token: string | null;
  approvedAt: number | null;
  /** What the user wrote for themselves. Nobody else gets it. */
  note?: string;
  /** The price when it was signed. Missing where no rate was sure then. */
  priceThen?: PriceThen;
  signed: SignedPart | null;
  /** Why it was refused or failed. */
  error: WireError | null;
  /** Tries to give it to the network, while it is `signed`. */
  broadcast: Retry;
  /** Looks whether a block holds it, from `broadcast` on. */
  confirmation: Retry;
  /** What the wallet's own service is sent, from `broadcast` on. */
  report: Report;
  /** What the button's service is sent, unless the wallet's account reports to it: from `signed` on. */
  serviceReport: ServiceReport | null;
  /** One for each recipient whose host takes the transaction, from `signed` on. */
  deliveries: Delivery[];
  /** What the crypto operations gave, once they were run; the page gets them with its answer. */
  operations: Outcome[] | null;
  /** The block that a checked proof places it in. */
  height: number | null;
  /** A block held it once, before a reorganisation. */
  wasConfirmed?: true;
  /** Null where nothing is known to be in its way. */
  trouble: Trouble | null;
  /**
   * The last block that the wallet knew of when the network took it: its height, and its time in seconds since 1970.
   */
  seenAt: { height: number; time: number } | null;
  /**
   * The payment (id) whose place this one takes, by spending `group` as well: at most one of them can ever be mined.
   */
  replaces?: string;
  /** The payment (id) that takes this one's place. Its own bytes are not offered any more. */
  replacedBy: string | null;
  /** The outpoint that every payment in this chain of replacements spends. */
  group?: string;
  /** The user was told that an earlier payment may be made in addition to this one. */
  mayPayTwice?: true;
  /** Its page or the user has learned that the network took it after all. */
  knownPaid?: true;
  /** It only pays the wallet itself, to cancel the one that it replaces. */
  cancel?: true;
  /** An application has it made: its outputs are this, whatever the options say. */
  action?: ActionPart;
  /** It sends an asset, or mints one. */
  asset?: AssetPart;
  /** It moves what came in for a derived key (BRC-29) to the wallet's own addresses. */
  sweep?: true;
  /** It splits a coin for an application's action: satoshis of the piece that it makes. */
  split?: bigint;
  /** Transactions (ids) that gave it back by paymail, by the word of the account's service. */
  refundedBy?: string[];
  /** Why it has failed although it was signed. */
  ended: Ended | null;
  /** What is left to do without the user: kept by `transition` (transition.ts) for the database's index. */
  unfinished: Unfinished;
}

/** 0: nothing. 1: something. 2: its report alone, which waits for an account where the wallet has none. */
export type Unfinished = 0 | 1 | 2;

/** A payment that begins now, or with the request that it comes of. */
export function newPayment(
  given: Pick<PaymentRecord, 'requestId' | 'origin' | 'options' | 'state' | 'quote'> & Partial<PaymentRecord>,
): PaymentRecord {
  const now = Date.now();
  const record: PaymentRecord = {
    id: crypto.randomUUID(),
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

/** True once nothing about the page's answer will change any more. */
export function isAnswerable(record: PaymentRecord): boolean {
  return ['broadcast', 'settled', 'refused', 'failed'].includes(record.state);
}

/** True if the application that made it keeps it from the network, or has given it up. */
export function isKeptByApplication({ trouble }: Pick<PaymentRecord, 'trouble'>): boolean {
  return trouble === 'held' || trouble === 'aborted';
}

/**
 * True if the wallet only looks for it, ever more rarely: its application keeps it or has given it up, or the
 * network refused it and it spends only the application's inputs.
 */
export function isOnlyWatched(record: Pick<PaymentRecord, 'trouble' | 'action' | 'signed'>): boolean {
  const given = record.action?.inputs.length ?? 0;
  return (
    isKeptByApplication(record) || (record.trouble === 'refused' && given > 0 && given === record.signed?.inputs.length)
  );
}

/** Is it signed, and may it still be mined, or is it already? */
export function isLive({ state, signed }: PaymentRecord): boolean {
  return signed !== null && (state === 'signed' || state === 'broadcast' || state === 'settled');
}

/** Whether the network has accepted it, and has not dropped it since as far as is known. */
export function isOnNetwork({ state, trouble }: Pick<PaymentRecord, 'state' | 'trouble'>): boolean {
  return (state === 'broadcast' || state === 'settled') && trouble !== 'unseen';
}

/** Failed broadcasts after which a page is told about its payment, and the user may pay again. */
export const PATIENCE_ATTEMPTS = 3;

/**
 * Whether the network has not taken a signed payment, so that the user may pay again although its bytes may still be
 * mined.
 */
export function isOpen({ state, trouble, broadcast }: Pick<PaymentRecord, 'state' | 'trouble' | 'broadcast'>): boolean {
  if (state !== 'signed') return false;
  if (trouble === 'contested') return broadcast.attempts >= PATIENCE_ATTEMPTS;
  return trouble === 'refused' || trouble === 'aborted';
}

/**
 * May the user cancel it? Only what the network does not seem to have, and nothing that was replaced or cancels
 * another.
 */
export function isCancellable(record: PaymentRecord): boolean {
  const { trouble, replacedBy, cancel, height } = record;
  return isLive(record) && height === null && !replacedBy && !cancel && trouble !== null && trouble !== 'slow';
}

/**
 * What leaves the wallet for a payment with such a fee, in satoshis: nothing where an application's inputs bring more
 * than its outputs take.
 */
export function costOf({ quote, action }: Pick<PaymentRecord, 'quote' | 'action'>, fee: bigint): bigint {
  const cost = (action ? takenBy(action) : quote.satoshis) + fee;
  return cost > 0n ? cost : 0n;
}

/**
 * The debit of an allowance for a payment with such a fee, in satoshis. An application that brings more than it takes is
 * debited with the fee all the same, so that an allowance bounds how many actions are made without a window.
 */
export const allowanceCost = ({ quote }: Pick<PaymentRecord, 'quote'>, fee: bigint): bigint => quote.satoshis + fee;

/** The key of the allowance that a payment would be made from. */
export function allowanceKeyOf({
  origin,
  options,
  automatic,
}: Pick<PaymentRecord, 'origin' | 'options' | 'automatic'>): AllowanceKey {
  return [origin, options.clientIdentifier ?? '', automatic ? 'automatic' : 'swipe'];
}

/**
 * The state of a payment that the network has: `settled` once neither a service nor a recipient's host is to be told of
 * it.
 */
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

/** What the wallet has to do for it that needs no user. */
export function unfinishedOf(record: PaymentRecord): Unfinished {
  if (record.state === 'approved' || record.state === 'signable') return 1;
  const clocks = clocksOf(record);
  if (clocks.length === 0) return 0;
  // Where the account is given up, the button's service is to get the report in its place (`isLeft`).
  return clocks.every((clock) => clock === record.report) && record.serviceReport?.state !== 'by-account' ? 2 : 1;
}

/** The clocks of all that is left to do for a signed payment without the user. */
function clocksOf(record: PaymentRecord): Retry[] {
  const { state, broadcast, confirmation, height } = record;
  if (state === 'signed') return [broadcast];
  const isOnNetwork = state === 'broadcast' || state === 'settled';
  return [
    ...(isOnNetwork && height === null ? [confirmation] : []),
    ...[waitingReport(record) ?? [], dueServiceReport(record) ?? [], waitingDeliveries(record)].flat(),
  ];
}

/** The report to the wallet's own service that is left to send, once the network has the payment. */
function waitingReport({ state, report }: PaymentRecord): Report | null {
  return state === 'broadcast' && report.state === 'waiting' ? report : null;
}

/**
 * Can its report be sent? A payment's goes to the service of the wallet's account, whichever that is by then; a mint's only to
 * the one that describes the asset.
 * @param accountAt origin of the service where the wallet has its account, null where it has none
 */
export function isReportable({ asset }: PaymentRecord, accountAt: string | null): boolean {
  return accountAt !== null && (asset?.mint?.service ?? accountAt) === accountAt;
}

/** Deliveries to recipients' hosts that are still to be made, once the network has the transaction. */
export function waitingDeliveries({ state, deliveries }: PaymentRecord): Delivery[] {
  return state === 'broadcast' ? deliveries.filter((one) => one.state === 'waiting') : [];
}

/** The report that the button's service is still to get, once the network has the transaction. */
export function dueServiceReport({ state, serviceReport }: PaymentRecord): ServiceReport | null {
  return state === 'broadcast' && serviceReport?.state === 'waiting' ? serviceReport : null;
}

/**
 * Was the button's service to learn of it by an account that the wallet has no more? Then it is told without.
 * @param accountAt origin of the service where the wallet has its account, null where it has none
 */
export function isLeft({ state, report, serviceReport }: PaymentRecord, accountAt: string | null): boolean {
  return (
    state === 'broadcast' &&
    report.state === 'waiting' &&
    serviceReport?.state === 'by-account' &&
    serviceReport.service !== accountAt
  );
}

/** Does this delivery go to the button's service, which gets its report first? */
export function isToButtonService({ quote, serviceReport }: PaymentRecord, { output }: Delivery): boolean {
  return serviceReport ? quote.outputs[output]?.host?.origin === serviceReport.service : false;
}

/** Does this delivery go to the wallet's own service? */
export function isToService({ quote }: PaymentRecord, { output }: Delivery): boolean {
  return quote.outputs[output]?.host?.isService === true;
}

/**
 * When an unfinished payment has something to do (milliseconds since 1970).
 * @param accountAt origin of the service where the wallet has its account, null where it has none: then nothing is
 *   reported there; with one the service gets the report first, as the button's service does: what they take in as a
 *   recipient's host is not due before
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
 * Has the service answered that it will not take the report as things are: it does not know the wallet's account, or
 * finds fault with the report? Then no delivery waits for it.
 */
export function isPutOff({ problem }: Report): boolean {
  return problem === 'unknown-account' || (isErrorCode(problem) && meaningOf(problem).final);
}

/** A report on its way to the button's service. */
export interface ServiceReport extends Retry {
  /** Its origin. */
  service: string;
  /** Signed by the key of the transaction's first input. */
  proof: string;
  /**
   * `by-account`: it is the service of the wallet's account, whose own report serves; this one is sent only if the
   * account is given up before (`isLeft`).
   */
  state: 'by-account' | 'waiting' | 'done' | 'refused' | 'given-up';
}
