/** Defines the states of a payment and the events that change them. Pure. */
import type { PaymentState } from '../../protocol/messages/wallet-messages.ts';
import { meaningOf, ServiceError, toWireError, type WireError } from '../../protocol/errors/service-error.ts';
import type { LightPayment, PaymentRecord } from './record.ts';
import type { PaymentStatus } from '../../protocol/payments/payment.ts';
import type { AllowanceKey } from '../allowances/allowance.ts';
import { netOutputValue, type ActionPart } from './action.ts';

/** The events that change a payment's state, and their meanings. */
export const EVENTS = {
  approve: 'the user approves it',
  refuse: 'the user rejects it, or its page withdraws it',
  fail: 'it can’t be signed, or is given up unsigned',
  'set-aside': 'coins are reserved and the debit is made, and the application signs next',
  sign: 'the signed bytes are stored',
  accept: 'the network has it',
  mine: 'a block contains it',
  progress: 'a report or a delivery was attempted',
  'report-again': 'the user repeats the report of a mint',
  conflict: 'a block contains a conflicting transaction',
  abandon: 'the user ends it, and it spends no existing coins of the wallet',
  merge: 'another record has the same transaction',
  reinstate: 'a reorganization, a proof or an output in the index invalidates the reason why it ended',
} as const;
export type PaymentEvent = keyof typeof EVENTS;

/**
 * The next state. `on-network` means `broadcast`, or `settled` if no report or delivery is pending. `before-end` means
 * the state that the payment had before it ended.
 */
type Next = PaymentState | 'on-network' | 'before-end';

const OF_SIGNED = { conflict: 'failed', abandon: 'failed', merge: 'failed' } as const;

/** The next state for each current state and event. All other combinations are illegal. */
export const MOVES: Record<PaymentState, { readonly [event in PaymentEvent]?: Next }> = {
  // A payment from an allowance is never `approved`.
  requested: { approve: 'approved', refuse: 'refused', fail: 'failed', 'set-aside': 'signable', sign: 'signed' },
  approved: { fail: 'failed', 'set-aside': 'signable', sign: 'signed' },
  signable: { fail: 'failed', sign: 'signed' },
  signed: { accept: 'on-network', mine: 'on-network', ...OF_SIGNED },
  broadcast: { mine: 'broadcast', progress: 'on-network', 'report-again': 'broadcast', ...OF_SIGNED },
  settled: { mine: 'settled', 'report-again': 'broadcast', ...OF_SIGNED },
  refused: {},
  failed: { merge: 'failed', reinstate: 'before-end' },
};

/** Changes to a payment's record. The state changes only through an event. */
export type Change = Partial<Omit<PaymentRecord, 'state'>> & { state?: never; event?: PaymentEvent };

/**
 * Returns a payment after a change. Pure. No other function changes a payment's state.
 * @throws ServiceError `internal` if the event is illegal in the payment's state
 */
export function movePayment(record: PaymentRecord, { event, ...changes }: Change): PaymentRecord {
  const changed: PaymentRecord = { ...record, ...changes, state: record.state };
  const moved: PaymentRecord = event === undefined ? changed : { ...changed, state: nextState(record, changed, event) };
  // Also checks the earlier record, because versions before this flag stored rejected payments without it.
  return isReportedFailed(record) || isReportedFailed(moved) ? { ...moved, wasRejected: true } : moved;
}

function nextState(record: PaymentRecord, changed: PaymentRecord, event: PaymentEvent): PaymentState {
  const next = MOVES[record.state][event];
  if (next === undefined)
    throw new ServiceError('internal', {
      detail: `the event ${event} is illegal for a payment that is ${record.state}`,
    });
  if (next === 'on-network') return stateOnNetwork(changed);
  return next === 'before-end' ? stateBeforeEnd(record) : next;
}

/** Returns the public status of a payment. */
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

/** True if the application that created the action withholds it or has given it up. */
export function isWithheldByApplication({ trouble }: Pick<PaymentRecord, 'trouble'>): boolean {
  return trouble === 'held' || trouble === 'aborted';
}

/**
 * True if the wallet only checks the action, at growing intervals, because its application withholds it or has given it
 * up, or because the network refused it and it spends only the application's inputs.
 */
export function isOnlyWatched(record: Pick<PaymentRecord, 'trouble' | 'action' | 'signed'>): boolean {
  const given = record.action?.inputs.length ?? 0;
  return (
    isWithheldByApplication(record) ||
    (record.trouble === 'refused' && given > 0 && given === record.signed?.inputs.length)
  );
}

/**
 * True if the user ended a signed payment even though no conflicting transaction is mined (abandon.ts). It may still be
 * mined.
 */
export function isAbandoned({ state, signed, ended, trouble }: LightPayment): boolean {
  return state === 'failed' && signed !== null && ended === null && trouble === 'aborted';
}

/** True if the payment is signed, and is mined or may still be mined. */
export function isLive({ state, signed }: LightPayment): boolean {
  return signed !== null && (state === 'signed' || state === 'broadcast' || state === 'settled');
}

/** True if the network has accepted the payment and isn't known to have dropped it. */
export function isOnNetwork({ state, trouble }: Pick<PaymentRecord, 'state' | 'trouble'>): boolean {
  return (state === 'broadcast' || state === 'settled') && trouble !== 'unseen';
}

/** Number of failed broadcasts after which the page gets a response and the user may pay again. */
export const PATIENCE_ATTEMPTS = 3;

/**
 * True if the network hasn't accepted the payment, in which case the user may pay again even though it may still be
 * mined.
 */
export function isOpen({ state, trouble, broadcast }: Pick<PaymentRecord, 'state' | 'trouble' | 'broadcast'>): boolean {
  if (state !== 'signed') return false;
  if (trouble === 'contested') return broadcast.attempts >= PATIENCE_ATTEMPTS;
  return trouble === 'refused' || trouble === 'aborted';
}

/**
 * True if the page or the user gets a failure for a signed payment that may still be mined: `payment-contested`
 * (`stuckCode` in outcome.ts), or the reason for an ending that a reorganization can undo.
 */
function isReportedFailed(record: PaymentRecord): boolean {
  if (record.ended) return true;
  if (record.state !== 'signed') return false;
  return Boolean(record.replacedBy) || (isOpen(record) && record.trouble !== 'aborted');
}

/** True if the user can cancel the payment: it may never be mined, isn't replaced, and isn't itself a cancellation. */
export function isCancellable(record: PaymentRecord): boolean {
  const { trouble, replacedBy, cancel, height } = record;
  return isLive(record) && height === null && !replacedBy && !cancel && trouble !== null && trouble !== 'slow';
}

/** Returns the state of an accepted payment: `settled` once all reports and deliveries are completed. */
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

/** Returns the state of an ended payment after it is reinstated. */
export function stateBeforeEnd(record: PaymentRecord): PaymentState {
  return record.ended?.state ?? (isAbandoned(record) ? 'signed' : stateOnNetwork(record));
}

/** Bytes of each unfinished action that don't count against the quota: enough for a few ordinary inputs and outputs. */
const FREE_ACTION_BYTES = 1000;

/**
 * Returns the size, in bytes, of an action that the network doesn't have yet, for its site's quota: its BEEF, and its
 * scripts in hexadecimal, which the record contains more than once. Scripts of outputs in baskets are counted with the
 * outputs.
 */
export function unfinishedBytesOf(record: PaymentRecord): number {
  const { action } = record;
  if (!action || isAnswerable(record)) return 0;
  const scripts = [
    ...action.inputs.map(({ script, unlockingBytes }) => script.length / 2 + unlockingBytes),
    ...action.outputs.map(({ basket, lockingScript }) => (basket === null ? lockingScript.length : 0)),
  ];
  const bytes = scripts.reduce((sum, length) => sum + 2 * length, action.beef?.length ?? 0);
  return Math.max(0, bytes - FREE_ACTION_BYTES);
}

/** True if the payment was refused or failed before it was signed. */
export function isEndedUnsigned({ state, signed }: PaymentRecord): boolean {
  return (state === 'refused' || state === 'failed') && signed === null;
}

/** True if the record still contains scripts, as stored by earlier versions. */
export function hasScripts({ quote, action, asset }: PaymentRecord): boolean {
  const inAction = action && (action.inputs.length > 0 || action.outputs.length > 0 || action.beef || action.unsigned);
  return (
    Boolean(inAction) || (asset?.outputs.length ?? 0) > 0 || quote.outputs.some(({ scripts }) => scripts.length > 0)
  );
}

/** Returns the satoshis that leave the wallet, including the fee. Zero if an application's inputs exceed the cost. */
export function costOf({ quote, action }: Pick<PaymentRecord, 'quote' | 'action'>, fee: bigint): bigint {
  const cost = (action ? netOutputValue(action) : quote.satoshis) + fee;
  return cost > 0n ? cost : 0n;
}

/**
 * Returns the amount debited from an allowance for a payment with this fee, in satoshis. If an application's inputs
 * exceed its outputs, the fee is still debited, to limit the number of actions without a window.
 */
export const allowanceCost = ({ quote }: Pick<PaymentRecord, 'quote'>, fee: bigint): bigint => quote.satoshis + fee;

export function allowanceKeyOf({
  origin,
  options,
  automatic,
}: Pick<PaymentRecord, 'origin' | 'options' | 'automatic'>): AllowanceKey {
  return [origin, options.clientIdentifier ?? '', automatic ? 'automatic' : 'swipe'];
}

/** True if the payment reserves the wallet's coins until its application continues. */
export const reservesCoins = ({ action }: { action?: Pick<ActionPart, 'signLater' | 'noSend'> | undefined }): boolean =>
  action !== undefined && (action.signLater || action.noSend);

/** Returns the error of a payment that ended unsigned. Replaces codes that mean that the payment may still be made. */
export function lastingError({ code, message }: WireError): WireError {
  return meaningOf(code).final ? { code, message } : toWireError(new ServiceError('not-paid'));
}
