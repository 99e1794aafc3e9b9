/** Payments by way of operators that are down, slow, overloaded, lie or require a key. */
import { describe, test } from 'vitest';
import { useNetwork } from '../testing/network.ts';
import { useOperators, type Operator } from '../testing/operators.ts';

const { setFaults, walletAt, expectPaid } = useOperators(useNetwork());

describe.each<[Operator, Operator]>([
  ['arc', 'arcade'],
  ['arcade', 'arc'],
])('by way of %s', (operator, other) => {
  test.each<[string, object]>([
    ['is not final yet for the operator', { name: 'refused', times: 1, code: 476 }],
    ['meets an overloaded operator', { name: 'overloaded', times: 1, seconds: 1 }],
    ['meets an operator that forgets it', { name: 'silence', times: 1 }],
    ['meets an operator that calls it contested', { name: 'contested', times: 1 }],
    ['meets an operator that answers as the other kind does', { name: 'other-dialect' }],
  ])('a payment that %s goes through with the same bytes', async (_, fault) => {
    const workerRun = await walletAt(operator);
    await setFaults(operator, [fault]);
    await expectPaid(workerRun);
  });

  test.each<[string, object]>([
    ['is slow', { name: 'slow', seconds: 3 }],
    ['requires a key', { name: 'key-required', key: 'k' }],
    ['is overloaded', { name: 'overloaded', seconds: 3600 }],
    ['refuses it, wrongly', { name: 'refused', code: 461 }],
    ['keeps it to itself', { name: 'silence' }],
    ['has it pending indefinitely', { name: 'received' }],
    ['rejects it each time', { name: 'rejected', reason: 'parent rejected: 00' }],
  ])('a payment whose first operator %s goes through', async (_, fault) => {
    const workerRun = await walletAt(operator, other);
    await setFaults(operator, [fault]);
    await expectPaid(workerRun);
  });
});
