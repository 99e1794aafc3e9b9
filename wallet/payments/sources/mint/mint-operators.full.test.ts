/** Tests mints through operators that work, are down or are dishonest. */
import { describe, expect, test } from 'vitest';
import { useOperators, type Operator } from '../../../../testkit/network/operators.ts';
import type { WorkerRun } from '../../../../testkit/wallet/worker-run.ts';
import { agree, assetsOf, isSettled, mint, mintThroughDeath, network, onLedger, owner } from './testing-mint.ts';

const { setFaults, face } = useOperators(network);

const SUBMIT = { arc: '/devnet/arc/v1/tx', arcade: '/devnet/arcade/tx' } as const;

const FAULTS: [string, object[]][] = [
  ['is down', [{ name: 'down' }]],
  ['lies that it rejects it', [{ name: 'rejected', reason: 'parent rejected: 00' }]],
  ['keeps it to itself', [{ name: 'silence' }]],
];

/** Mints, and asserts that the service gets a report of the only token in the ledger. */
async function expectMinted(run: WorkerRun): Promise<void> {
  const answer = mint(run);
  await agree(run);
  const tokenId = await answer;
  await isSettled(run);
  expect(network.mints).toMatchObject([{ tokenId }]);
  expect(await onLedger(run)).toEqual([tokenId]);
  expect((await assetsOf(run)).tokens).toMatchObject([{ id: tokenId, amount: '1000.5', word: 'chain' }]);
}

describe.each<[Operator, Operator]>([
  ['arc', 'arcade'],
  ['arcade', 'arc'],
])('a mint through %s', (operator, other) => {
  // A second operator could hide a misparsed response.
  test('a mint through only this operator makes one token and one report', async () => {
    const run = await owner();
    await face(run, operator);
    await expectMinted(run);
  });

  test.each(FAULTS)('a mint makes one token and one report if the first operator %s', async (_, faults) => {
    const run = await owner();
    await face(run, operator, other);
    await setFaults(operator, faults);
    await expectMinted(run);
  });

  test('a mint is made and reported once if the worker stops before the broadcast', async () => {
    const points = await mintThroughDeath(`before POST ${SUBMIT[operator]}`, (run) => face(run, operator));
    expect(points).toBeGreaterThan(0);
  });
});
