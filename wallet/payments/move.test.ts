import { describe, expect, it } from 'vitest';
import type { PaymentState } from '../../protocol/messages/wallet-messages.ts';
import { EVENTS, MOVES, movePayment, type Change, type PaymentEvent } from './move.ts';
import { newPayment, newReport } from './start.ts';
import type { PaymentRecord } from './record.ts';
import { NOT_TRIED } from './retry.ts';
import { eventTable } from '../../testing/event-table.ts';
import { wallet } from '../../testkit/wallet/current.ts';

const states = Object.keys(MOVES) as PaymentState[];
const events = Object.keys(EVENTS) as PaymentEvent[];

const payment = (state: PaymentState, more: Partial<PaymentRecord> = {}) =>
  newPayment(wallet, {
    requestId: 'request',
    origin: 'https://shop.example',
    options: { outputs: [] },
    state,
    quote: { outputs: [], amount: '0', currency: 'BSV', satoshis: 0n },
    report: newReport('none'),
    ...more,
  });

const { events: rows, next } = eventTable('docs/architecture/payments.md', states);

describe('the table of events in docs/architecture/payments.md', () => {
  it('the table lists all events with their meanings', () => {
    expect(rows).toEqual(Object.entries(EVENTS));
  });

  it.each(states)('the table shows the next state of a payment that is %s', (state) => {
    for (const event of events) {
      const move = (more?: Partial<PaymentRecord>) => movePayment(payment(state, more), { event }).state;
      const [first, last = first] = next(event, state);
      if (first === undefined) expect(() => move(), event).toThrow(expect.objectContaining({ code: 'internal' }));
      else if (first === 'the one before')
        for (const before of ['signed', 'broadcast', 'settled'] as const)
          expect(move({ ended: { txid: '', height: 1, state: before } }), event).toBe(before);
      else {
        expect(move({ report: newReport('waiting') }), event).toBe(first);
        expect(move(), event).toBe(last);
      }
    }
  });
});

describe('movePayment', () => {
  it('an illegal move is reported with its event and state', () => {
    expect(() => movePayment(payment('settled'), { event: 'approve' })).toThrow(
      expect.objectContaining({ detail: 'the event approve is illegal for a payment that is settled' }),
    );
  });

  it('the new state follows from the changed report', () => {
    const waiting = payment('broadcast', { report: newReport('waiting') });
    expect(movePayment(waiting, { event: 'progress', report: newReport('done') }).state).toBe('settled');
  });

  it('the state stays the same without an event, and the given record is unchanged', () => {
    const before = payment('signed');
    const after = movePayment(before, { trouble: 'contested', ...({ state: 'failed' } as object) });
    expect(after).toEqual({ ...before, trouble: 'contested' });
    expect(before.trouble).toBe(null);
  });

  const tried = (attempts: number) => ({ attempts, nextAt: 0, problem: 'network-unavailable' });
  const ended = { txid: '', height: 1, state: 'signed' } as const;
  const contested = { trouble: 'contested', broadcast: tried(2) } as const;

  it.each<[string, Partial<PaymentRecord>, Change]>([
    ['every operator refuses it', {}, { trouble: 'refused' }],
    ['its third broadcast fails while it is contested', contested, { broadcast: tried(3) }],
    ['another payment replaces it', contested, { replacedBy: 'next' }],
    ['a block ends it', {}, { event: 'conflict', ended }],
  ])('a payment is marked as rejected once %s', (_, before, change) => {
    expect(payment('signed', before)).not.toHaveProperty('wasRejected');
    expect(movePayment(payment('signed', before), change).wasRejected).toBe(true);
  });

  it.each<[string, Partial<PaymentRecord>, Change]>([
    ['it has failed fewer than three times', contested, { broadcast: tried(2) }],
    ['it isn’t contested', { broadcast: tried(2) }, { broadcast: tried(3) }],
    ['its application has given it up', {}, { trouble: 'aborted' }],
  ])('a payment is not marked as rejected if %s', (_, before, change) => {
    expect(movePayment(payment('signed', before), change)).not.toHaveProperty('wasRejected');
  });

  it.each<[string, PaymentRecord, Change]>([
    ['is broadcast again', payment('signed', { trouble: 'refused' }), { trouble: null, broadcast: NOT_TRIED }],
    ['is accepted', payment('signed', { ...contested, broadcast: tried(3) }), { event: 'accept', trouble: null }],
    ['is reinstated', payment('failed', { ended }), { event: 'reinstate', ended: null, broadcast: NOT_TRIED }],
  ])('a rejected payment from an earlier version is marked when it %s, and stays marked', (_, before, change) => {
    const moved = movePayment(before, change);
    expect(moved.wasRejected).toBe(true);
    expect(movePayment(moved, { broadcast: NOT_TRIED, trouble: null }).wasRejected).toBe(true);
  });
});
