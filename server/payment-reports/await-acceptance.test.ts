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
const may = async () => true;

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
    expect(await createAcceptance(arc).look('ab', may, here)).toMatchObject({ txStatus: 'SEEN_ON_NETWORK' });
    expect(arc.asked()).toBe(3);
  });

  test('isn’t awaited if the report may not wait, which doesn’t count for a decided one', async () => {
    let counted = 0;
    const mayNot = async () => {
      counted += 1;
      return false;
    };
    const [arc, decided] = [arcThatSays(null), arcThatSays('SEEN_ON_NETWORK')];
    const acceptance = createAcceptance(arc);
    for (let i = 0; i < 150; i += 1) expect(await acceptance.look('ab', mayNot, here)).toBeNull();
    expect([arc.asked(), counted]).toEqual([150, 150]);
    await createAcceptance(decided).look('ab', mayNot, here);
    expect(counted).toBe(150);
    // These reports no longer wait, so others can.
    await acceptance.look('ab', may, () => arc.asked() > 151);
    expect(arc.asked()).toBe(152);
  });

  test.each<[string, boolean, ArcStatus | null]>([
    ['of a client that does not wait', false, null],
    ['that is there', true, 'MINED'],
    ['that is refused', true, 'REJECTED'],
  ])('causes only one query if it is one %s', async (_, waits, status) => {
    const arc = arcThatSays(status);
    await createAcceptance(arc).look('ab', async () => waits, here);
    expect(arc.asked()).toBe(1);
  });

  test('isn’t queried again after its client disconnects', async () => {
    const arc = arcThatSays(null);
    expect(await createAcceptance(arc).look('ab', may, () => true)).toBeNull();
    expect(arc.asked()).toBe(1);
  });

  test('isn’t awaited forever if it never arrives', async () => {
    const arc = arcThatSays(null);
    expect(await createAcceptance(arc).look('ab', may, here)).toBeNull();
    expect(arc.asked()).toBe(13);
  });

  test('can be awaited concurrently with a hundred others', async () => {
    const arc = arcThatSays(null);
    const acceptance = createAcceptance(arc);
    let isGone = false;
    const waiting = Array.from({ length: 100 }, () => acceptance.look('ab', may, () => isGone));
    await new Promise((done) => setImmediate(done));
    const asked = arc.asked();
    await acceptance.look('cd', may, here);
    expect(arc.asked()).toBe(asked + 1);
    isGone = true;
    await Promise.all(waiting);
    const before = arc.asked();
    await acceptance.look('ef', may, () => arc.asked() > before + 1);
    expect(arc.asked()).toBe(before + 2);
  });
});
