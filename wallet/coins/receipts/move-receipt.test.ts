import { describe, expect, it } from 'vitest';
import { eventTable } from '../../../testing/event-table.ts';
import { testReceipt } from '../../../testkit/wallet/coins.ts';
import { useDatabase } from '../../../testkit/wallet/database.ts';
import {
  moveReceipt,
  RECEIPT_EVENTS,
  RECEIPT_MOVES,
  receiptState,
  type ReceiptEvent,
  type ReceiptMove,
  type ReceiptState,
} from './move-receipt.ts';
import type { Receipt } from './receipt.ts';

const states = Object.keys(RECEIPT_MOVES) as ReceiptState[];
const LOOK = { at: 900, unknown: 4, since: 100 };
const LOST_TO = { txid: 'dd'.repeat(32), height: 8, hash: 'ee'.repeat(32) };

const receipt = (state: ReceiptState): Receipt => ({
  ...testReceipt(),
  height: state === 'confirmed' ? 7 : null,
  unconfirmed: state === 'confirmed' ? 0 : 1,
  ...(state === 'dropped' && { failed: state, look: LOOK }),
  ...(state === 'double-spent' && { failed: state, look: LOOK, lostTo: LOST_TO }),
});
const moves: Record<ReceiptEvent, ReceiptMove> = {
  confirm: { event: 'confirm', height: 9 },
  unconfirm: { event: 'unconfirm' },
  drop: { event: 'drop', look: LOOK },
  lose: { event: 'lose', look: LOOK, lostTo: LOST_TO },
  return: { event: 'return' },
};

describe('the table of received money in docs/architecture/coins.md', () => {
  const { events: rows, next } = eventTable('docs/architecture/coins.md', states);

  it('the table lists all events with their meanings', () => {
    expect(rows).toEqual(Object.entries(RECEIPT_EVENTS));
  });

  it.each(states)('the table shows the next state of a receipt that is %s', (state) => {
    for (const [event, move] of Object.entries(moves)) {
      const [cell] = next(event, state);
      const illegal = expect.objectContaining({ code: 'internal' });
      if (cell === undefined) expect(() => moveReceipt(receipt(state), move), event).toThrow(illegal);
      else expect(receiptState(moveReceipt(receipt(state), move)), event).toBe(cell);
    }
  });
});

describe('a stored receipt', () => {
  const store = useDatabase(() => import('./receipts.ts'));

  it('a stored receipt stays unchanged if an event is illegal', async () => {
    const { txid } = receipt('confirmed');
    await store.write((tx) => store.putReceipt(tx, receipt('confirmed')));
    const dropped = store.write((tx) => store.putMoved(tx, receipt('confirmed'), moves.drop));
    await expect(dropped).rejects.toMatchObject({
      code: 'internal',
      detail: 'the event drop is illegal for a receipt that is confirmed',
    });
    expect(await store.db.get('receipts', txid)).toEqual(receipt('confirmed'));
  });

  it('a stored receipt changes its state only by an event', async () => {
    const { txid } = receipt('unconfirmed');
    await store.write((tx) => store.putReceipt(tx, receipt('unconfirmed')));
    await expect(store.write((tx) => store.putReceipt(tx, receipt('dropped')))).rejects.toMatchObject({
      code: 'internal',
    });
    await store.write((tx) => store.putReceipt(tx, { ...receipt('unconfirmed'), note: 'Thanks' }));
    expect(await store.db.get('receipts', txid)).toMatchObject({ note: 'Thanks', unconfirmed: 1 });
  });
});
