import { describe, expect, test } from 'vitest';
import type { ArcStatus, ArcTransaction } from '../../protocol/network/arc.ts';
import { createAcceptance, preferredWait } from './await-acceptance.ts';

function arcThatSays(...answers: (ArcStatus | null)[]) {
  let asked = 0;
  return {
    asked: () => asked,
    transaction: async (txid: string): Promise<ArcTransaction | null> => {
      const txStatus = answers[Math.min(asked, answers.length - 1)];
      asked += 1;
      return txStatus ? ({ txid, txStatus } as ArcTransaction) : null;
    },
  };
}
const here = () => false;

test.each([
  [undefined, 0],
  ['wait=2', 2],
  ['respond-async, wait = 10', 10],
  ['wait="3"; foo', 3],
  ['wait=20, respond-async', 20],
  ['return=minimal', 0],
  ['wait=x', 0],
  ['wait=5x', 0],
  ['wait=12345', 0],
  ['await=5', 0],
])('Prefer: %s waits %d seconds', (header, seconds) => {
  expect(preferredWait(header)).toBe(seconds);
});

describe('a transaction', () => {
  test('reaches a waiting client if it arrives a moment later', async () => {
    const arc = arcThatSays(null, 'SENT_TO_NETWORK', 'SEEN_ON_NETWORK', 'MINED');
    expect(await createAcceptance(arc).look('ab', true, here)).toMatchObject({ txStatus: 'SEEN_ON_NETWORK' });
    expect(arc.asked()).toBe(3);
  });

  test.each<[string, boolean, ArcStatus | null]>([
    ['of a client that does not wait', false, null],
    ['that is there', true, 'MINED'],
    ['that is refused', true, 'REJECTED'],
  ])('causes only one query if it is one %s', async (_, waits, status) => {
    const arc = arcThatSays(status);
    await createAcceptance(arc).look('ab', waits, here);
    expect(arc.asked()).toBe(1);
  });

  test('isn’t queried again after its client disconnects', async () => {
    const arc = arcThatSays(null);
    expect(await createAcceptance(arc).look('ab', true, () => true)).toBeNull();
    expect(arc.asked()).toBe(1);
  });

  test('isn’t awaited forever if it never arrives', async () => {
    const arc = arcThatSays(null);
    expect(await createAcceptance(arc).look('ab', true, here)).toBeNull();
    expect(arc.asked()).toBe(13);
  });

  test('can be awaited concurrently with a hundred others', async () => {
    const arc = arcThatSays(null);
    const acceptance = createAcceptance(arc);
    let isGone = false;
    const waiting = Array.from({ length: 100 }, () => acceptance.look('ab', true, () => isGone));
    await Promise.resolve();
    const asked = arc.asked();
    await acceptance.look('cd', true, here);
    expect(arc.asked()).toBe(asked + 1);
    isGone = true;
    await Promise.all(waiting);
    const before = arc.asked();
    await acceptance.look('ef', true, () => arc.asked() > before + 1);
    expect(arc.asked()).toBe(before + 2);
  });
});
