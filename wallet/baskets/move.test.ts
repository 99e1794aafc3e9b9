import { describe, expect, it } from 'vitest';
import { eventTable } from '../../testing/event-table.ts';
import { useDatabase } from '../../testkit/wallet/database.ts';
import { wallet } from '../../testkit/wallet/current.ts';
import type { AppOutputStatus } from './app-output.ts';
import { moveOutput, OUTPUT_EVENTS, OUTPUT_MOVES, type OutputEvent, type OutputMove } from './move.ts';

const states = Object.keys(OUTPUT_MOVES) as AppOutputStatus[];
const events = Object.keys(OUTPUT_EVENTS) as OutputEvent[];

const moveOf = (event: OutputEvent, free: 'pending' | 'available' = 'available'): OutputMove => {
  if (event === 'release') return { event, free };
  return event === 'reserve' || event === 'spend' ? { event, spentBy: 'payment' } : { event };
};

describe('the table of a kept output in docs/architecture/payments.md', () => {
  const { events: rows, next } = eventTable('docs/architecture/payments.md', states);

  it('the table lists all events with their meanings', () => {
    expect(rows).toEqual(Object.entries(OUTPUT_EVENTS));
  });

  it.each(states)('the table shows the next status of an output that is %s', (status) => {
    const output = { status, spentBy: 'before' };
    for (const event of events) {
      const [cell] = next(event, status);
      const illegal = expect.objectContaining({ code: 'internal' });
      if (cell === undefined) expect(() => moveOutput(output, moveOf(event)), event).toThrow(illegal);
      else if (cell === 'as its transaction is')
        for (const free of ['pending', 'available'] as const)
          expect(moveOutput(output, moveOf(event, free))).toEqual({ status: free, spentBy: null });
      else expect(moveOutput(output, moveOf(event)).status, event).toBe(cell);
    }
  });
});

describe('a stored output', () => {
  const store = useDatabase(() => import('./outputs.ts'));

  it('a stored output stays unchanged if an event is illegal', async () => {
    const outpoint = `${'ab'.repeat(32)}:0`;
    const kept = await store.write((tx) =>
      store.storeOutput(wallet, tx, {
        outpoint,
        satoshis: 1000n,
        script: '51',
        basket: 'tickets',
        tags: [],
        customInstructions: null,
        description: 'A ticket',
        origin: 'https://app.example',
        status: 'void',
        madeBy: 'payment',
      }),
    );
    expect(() => moveOutput(kept, { event: 'reserve', spentBy: 'other' })).toThrow(
      expect.objectContaining({ detail: 'the event reserve is illegal for an output that is void' }),
    );
    // `reserveOutput` checks the status first and reserves nothing.
    const spender = { id: 'other', origin: kept.origin };
    expect(await store.write((tx) => store.reserveOutput(wallet, tx, outpoint, spender))).toBe(false);
    expect(await store.db.getAll('appOutputs')).toEqual([kept]);
  });
});
