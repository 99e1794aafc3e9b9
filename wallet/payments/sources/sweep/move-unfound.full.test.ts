/** Tests moving a coin from beyond the gap limit while the worker crashes at any write. */
import { expect, test } from 'vitest';
import { foundElsewhere } from '../../../../testkit/wallet/restore-elsewhere.ts';
import { openWallet, PASSWORD, stored } from '../../../../testkit/wallet/wallet.ts';
import { endAllWorkerRuns, type WorkerRun } from '../../../../testkit/wallet/worker-run.ts';
import { arrive, balance, network, sweeps, until } from './testing-move-unfound.ts';
import { wallet } from '../../../../testkit/wallet/current.ts';

/** Crash points around writes to the database or session storage, and around broadcasts. */
const WRITES = /^(?:before|after) (?:writing|put|delete|storage|POST \/devnet\/arc)/;

/** Unlocks the wallet, which then moves its coin, and waits until the move is settled. */
async function unlockAndMove(workerRun: WorkerRun): Promise<void> {
  await workerRun.modules.handlers.walletHandlers(wallet)['vault/unlock']({ password: PASSWORD });
  await until(async () => expect((await sweeps(workerRun)).map(({ state }) => state)).toEqual(['settled']));
}

/**
 * Moves a wallet's only coin, which is at index 25 of the service's chain.
 * @param dieAt the crash point at which the worker stops
 * @returns the first worker's crash points
 */
async function moveThroughDeath(dieAt = Number.POSITIVE_INFINITY): Promise<readonly string[]> {
  const first = await openWallet(network, [], { account: true });
  await first.modules.poll.refresh(wallet);
  await first.modules.vault.lock(wallet);
  await arrive('service', 25);
  const { words } = await first.modules.handlers.walletHandlers(wallet)['vault/show-words']({ password: PASSWORD });
  const before = network.broadcasts.length;
  first.dieAt(dieAt);
  await first.untilDeath(() => unlockAndMove(first));
  const crashPoints = [...first.crashPoints];
  const last = first.dead ? await first.profile.start() : first;
  if (first.dead) await unlockAndMove(last);

  const { coins, payments } = await stored(last);
  const fee = payments[0]?.signed?.feeSatoshis ?? 0n;
  expect(payments.map(({ state, signed }) => [state, signed?.inputs.length])).toEqual([['settled', 1]]);
  expect(coins.map(({ status, chain, satoshis }) => [status, chain, satoshis]).sort()).toEqual([
    ['available', 'change', 30_000n - fee],
    ['spent', 'service', 30_000n],
  ]);
  expect(await balance(last)).toBe(30_000n - fee);
  expect(await foundElsewhere(network, words)).toBe(30_000n - fee);
  expect(network.broadcasts.length).toBeGreaterThan(before);
  endAllWorkerRuns();
  return crashPoints;
}

test('a coin is moved once, to an address that a restore finds, if the worker is stopped at any point', async () => {
  const crashPoints = await moveThroughDeath();
  const writes = crashPoints.flatMap((name, i) => (WRITES.test(name) ? [i + 1] : []));
  expect(crashPoints).toContain('before POST /devnet/arc/v1/tx');
  const failures: string[] = [];
  for (const at of writes)
    await moveThroughDeath(at).catch((error: Error) =>
      failures.push(`${at}, ${crashPoints[at - 1]}: ${error.message}`),
    );
  expect(failures).toEqual([]);
}, 300_000);
