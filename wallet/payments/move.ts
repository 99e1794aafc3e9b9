/** The states of a payment, and the events that move it from one to another. */
import type { PaymentState } from '../../protocol/messages/wallet-messages.ts';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { stateBeforeEnd, stateOnNetwork, type PaymentRecord } from './record.ts';

/** Events that move a payment, and their meanings. */
export const EVENTS = {
  approve: 'the user approves it',
  refuse: 'the user rejects it, or its page withdraws it',
  fail: 'it can’t be signed, or is given up unsigned',
  'set-aside': 'everything is reserved and debited, and an application signs next',
  sign: 'the signed bytes are stored',
  accept: 'the network has it',
  mine: 'a block contains it',
  progress: 'a report or a delivery was attempted',
  'report-again': 'the user repeats the report of a mint',
  conflict: 'a block contains a conflicting transaction',
  abandon: 'it spends nothing of the wallet, and the user ends it',
  merge: 'another record has the same transaction',
  reinstate: 'its end is undone: by a reorganization, a proof, or an output that the index shows',
} as const;
export type PaymentEvent = keyof typeof EVENTS;

/**
 * The next state. `on-network` means `broadcast`, or `settled` if no report or delivery is pending; `before-end` is the
 * state in which it was ended.
 */
type Next = PaymentState | 'on-network' | 'before-end';

const OF_SIGNED = { conflict: 'failed', abandon: 'failed', merge: 'failed' } as const;

/** The next state by state and event. Every other event is illegal in that state. */
export const MOVES: Record<PaymentState, { readonly [event in PaymentEvent]?: Next }> = {
  // A payment that an allowance pays is never `approved`.
  requested: { approve: 'approved', refuse: 'refused', fail: 'failed', 'set-aside': 'signable', sign: 'signed' },
  approved: { fail: 'failed', 'set-aside': 'signable', sign: 'signed' },
  signable: { fail: 'failed', sign: 'signed' },
  signed: { accept: 'on-network', mine: 'on-network', ...OF_SIGNED },
  broadcast: { mine: 'broadcast', progress: 'on-network', 'report-again': 'broadcast', ...OF_SIGNED },
  settled: { mine: 'settled', 'report-again': 'broadcast', ...OF_SIGNED },
  refused: {},
  failed: { merge: 'failed', reinstate: 'before-end' },
};

/** Changes of a payment's record. Only an event changes its state. */
export type Change = Partial<Omit<PaymentRecord, 'state'>> & { state?: never; event?: PaymentEvent };

/**
 * A payment after a change. Pure. Every change of a payment's state is made here.
 * @throws ServiceError `internal` if the event is illegal in the payment's state
 */
export function movePayment(record: PaymentRecord, { event, ...changes }: Change): PaymentRecord {
  const changed: PaymentRecord = { ...record, ...changes, state: record.state };
  if (event === undefined) return changed;
  const next = MOVES[record.state][event];
  if (next === undefined)
    throw new ServiceError('internal', {
      detail: `the event ${event} is illegal for a payment that is ${record.state}`,
    });
  if (next === 'on-network') return { ...changed, state: stateOnNetwork(changed) };
  return { ...changed, state: next === 'before-end' ? stateBeforeEnd(record) : next };
}
