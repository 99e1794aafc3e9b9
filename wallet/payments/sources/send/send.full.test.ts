import { expect, test } from 'vitest';
import { endAllWorkerRuns } from '../../../../testkit/wallet/worker-run.ts';
import { openWallet, paymentWhere, stored } from '../../../../testkit/wallet/wallet.ts';
import { network, someone, bsv, quote, click, balanceOf } from './testing-send.ts';

test('a transfer that is interrupted at any crash point and sent again later is one payment', async () => {
  const failures: string[] = [];
  let crashPoints = Number.POSITIVE_INFINITY;
  for (let crashPoint = 1; crashPoint <= crashPoints; crashPoint += 1) {
    const workerRun = await openWallet(network, [300_000, 400_000]);
    const to = someone();
    const quoted = await quote(workerRun, bsv(to, 50_000));
    // In every third run, the response to the first broadcast is also lost.
    network.faults = crashPoint % 3 === 0 ? ['answer-lost'] : [];
    workerRun.dieAt(crashPoint);
    const result = await workerRun.untilDeath(() => click(workerRun, quoted));
    if (result) crashPoints = crashPoint;
    const next = await workerRun.profile.start();
    try {
      const again = await click(next, quoted);
      const record = await paymentWhere(next, again.id, ({ state }) => state === 'settled');
      const paid = await network.unspent(to);
      if (paid.length !== 1 || paid[0]?.txid !== again.txid || paid[0].satoshis !== 50_000)
        throw new Error(`paid ${JSON.stringify(paid)}`);
      if ((await balanceOf(next)) !== 650_000n - (record.signed?.feeSatoshis ?? 0n))
        throw new Error(`balance ${await balanceOf(next)}`);
      if ((await stored(next)).payments.length !== 1) throw new Error('several records');
    } catch (error) {
      failures.push(`crash point ${crashPoint} (${workerRun.crashPoints.at(-1)}): ${(error as Error).message}`);
    }
    endAllWorkerRuns();
  }
  expect(failures).toEqual([]);
  expect(crashPoints).toBeGreaterThan(8);
});
