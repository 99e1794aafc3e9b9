import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { whyNotLinearizable, type Operation } from './linearizable.ts';

const write = (value: string, sent: number, answered: number): Operation => ({ kind: 'write', value, sent, answered });
const read = (value: string, sent: number, answered: number): Operation => ({ kind: 'read', value, sent, answered });

describe('the history of a register', () => {
  it('a history is linearizable if every read sees the last write before it, or a concurrent one', () => {
    expect(whyNotLinearizable([write('a', 1, 2), read('a', 3, 4)], '')).toBeNull();
    expect(whyNotLinearizable([write('a', 1, 9), read('', 2, 3), read('a', 4, 5)], '')).toBeNull();
    expect(whyNotLinearizable([write('a', 1, 9), write('b', 2, 9), read('b', 10, 11)], '')).toBeNull();
  });

  it('a history isn’t linearizable if a read sees the value before an acknowledged write', () => {
    expect(whyNotLinearizable([write('a', 1, 2), read('', 3, 4)], '')).not.toBeNull();
  });

  it('a history isn’t linearizable if a value disappears and returns', () => {
    const bad = [write('a', 1, 20), read('a', 2, 3), read('', 4, 5)];
    expect(whyNotLinearizable(bad, '')).toEqual(bad);
    expect(
      whyNotLinearizable([write('a', 1, 2), write('b', 3, 4), read('b', 5, 6), read('a', 7, 8)], ''),
    ).not.toBeNull();
  });

  it('may contain an unacknowledged write that takes effect at any time or never, but not intermittently', () => {
    const lost = write('a', 1, Infinity);
    expect(whyNotLinearizable([lost, read('', 2, 3), read('', 4, 5)], '')).toBeNull();
    expect(whyNotLinearizable([lost, read('', 2, 3), read('a', 4, 5)], '')).toBeNull();
    expect(whyNotLinearizable([lost, read('a', 2, 3), read('', 4, 5)], '')).not.toBeNull();
  });

  it('a history is linearizable if generated sequentially, and isn’t if a read between two writes sees neither', () => {
    const steps = fc.array(fc.record({ isRead: fc.boolean(), before: fc.nat(30), after: fc.nat(30) }), {
      maxLength: 40,
    });
    fc.assert(
      fc.property(steps, (list) => {
        let value = '';
        const history = list.map(({ isRead, before, after }, i): Operation => {
          const at = i * 10;
          if (!isRead) value = `v${i}`;
          return { kind: isRead ? 'read' : 'write', value, sent: at - before, answered: at + after };
        });
        expect(whyNotLinearizable(history, '')).toBeNull();
        const end = list.length * 10 + 100;
        const stale = [...history, write('x', end, end + 1), read(value, end + 2, end + 3)];
        expect(whyNotLinearizable(stale, '')).not.toBeNull();
      }),
    );
  });

  it('a long history is checked quickly', () => {
    const history = Array.from({ length: 20_000 }, (_, i) =>
      i % 2 ? read(`v${i - 1}`, i * 10 - 15, i * 10 + 5) : write(`v${i}`, i * 10, i * 10 + 12),
    );
    expect(whyNotLinearizable(history, '')).toBeNull();
    expect(whyNotLinearizable([...history, read('v2', 300_000, 300_001)], '')).toHaveLength(6);
  });

  it('a history is linearizable if and only if one of all permutations is valid', () => {
    const one = fc.record({
      isRead: fc.boolean(),
      of: fc.nat(4),
      sent: fc.nat(12),
      takes: fc.integer({ min: 1, max: 8 }),
    });
    fc.assert(
      fc.property(fc.array(one, { maxLength: 5 }), (list) => {
        const history = list.map(({ isRead, of, sent, takes }, i): Operation => {
          const value = isRead ? (list[of] && !list[of].isRead ? `v${of}` : '') : `v${i}`;
          return { kind: isRead ? 'read' : 'write', value, sent, answered: sent + takes };
        });
        expect(whyNotLinearizable(history, '') === null).toBe(isSomeOrder(history, ''));
      }),
      { numRuns: 1000 },
    );
  });
});

/** True if there is a valid order. Tries all orders. */
function isSomeOrder(left: readonly Operation[], value: string): boolean {
  return (
    left.length === 0 ||
    left.some((one, i) => {
      const others = left.toSpliced(i, 1);
      if (others.some(({ answered }) => answered < one.sent)) return false;
      return one.kind === 'write' ? isSomeOrder(others, one.value) : one.value === value && isSomeOrder(others, value);
    })
  );
}
