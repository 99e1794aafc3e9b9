import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { whyNotLinearizable, type Operation } from './linearizable.ts';

const write = (value: string, sent: number, answered: number): Operation => ({ kind: 'write', value, sent, answered });
const read = (value: string, sent: number, answered: number): Operation => ({ kind: 'read', value, sent, answered });

describe('a history of a register', () => {
  it('is in order where every read sees the last write before it, or one under way', () => {
    expect(whyNotLinearizable([write('a', 1, 2), read('a', 3, 4)], '')).toBeNull();
    expect(whyNotLinearizable([write('a', 1, 9), read('', 2, 3), read('a', 4, 5)], '')).toBeNull();
    expect(whyNotLinearizable([write('a', 1, 9), write('b', 2, 9), read('b', 10, 11)], '')).toBeNull();
  });

  it('is not where a read sees what was there before an acknowledged write', () => {
    expect(whyNotLinearizable([write('a', 1, 2), read('', 3, 4)], '')).not.toBeNull();
  });

  it('is not where a value goes and comes back', () => {
    const bad = [write('a', 1, 20), read('a', 2, 3), read('', 4, 5)];
    expect(whyNotLinearizable(bad, '')).toEqual(bad);
    expect(
      whyNotLinearizable([write('a', 1, 2), write('b', 3, 4), read('b', 5, 6), read('a', 7, 8)], ''),
    ).not.toBeNull();
  });

  it('may hold a write without an answer from any time on, or never, but not now and then', () => {
    const lost = write('a', 1, Infinity);
    expect(whyNotLinearizable([lost, read('', 2, 3), read('', 4, 5)], '')).toBeNull();
    expect(whyNotLinearizable([lost, read('', 2, 3), read('a', 4, 5)], '')).toBeNull();
    expect(whyNotLinearizable([lost, read('a', 2, 3), read('', 4, 5)], '')).not.toBeNull();
  });

  it('is in order if it was made in some order, and not once a read between two writes sees neither', () => {
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
});
