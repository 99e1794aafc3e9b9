/** Actions and their history with operators that work, are down, are slow, lie or require an API key. */
import { describe, test } from 'vitest';
import type { Operator } from '../../../testkit/network/operators.ts';
import { allowed } from './testing-create-action.ts';
import { expectMade, face, setFaults } from './testing-operators.ts';

const FAULTS: [string, object[]][] = [
  ['works', []],
  ['is down', [{ name: 'down' }]],
  ['is slow', [{ name: 'slow', seconds: 1 }]],
  ['lies that it rejects it', [{ name: 'rejected', reason: 'parent rejected: 00' }]],
  ['keeps it to itself', [{ name: 'silence' }]],
  ['requires a key', [{ name: 'key-required', key: 'k' }]],
];

describe.each<[Operator, Operator]>([
  ['arc', 'arcade'],
  ['arcade', 'arc'],
])('an action through %s', (operator, other) => {
  test.each(FAULTS)('an action succeeds if the first operator %s', async (_, faults) => {
    const workerRun = await allowed();
    await face(workerRun, operator, other);
    await setFaults(operator, faults);
    await expectMade(workerRun);
  });

  test('an action succeeds with only this operator', async () => {
    const workerRun = await allowed();
    await face(workerRun, operator);
    await expectMade(workerRun);
  });
});
