import { describe, expect, test } from 'vitest';
import type { StoredBlock } from '../../protocol/http/app-log.ts';
import type { LogEntry } from '../app-log/entry.ts';
import { type WorkerRun } from '../../testkit/wallet/worker-run.ts';
import {
  network,
  walletWith,
  txidOf,
  output,
  gone,
  record,
  sync,
  stateOf,
  forgetReading,
  logged,
} from './testing-backup.ts';
import { wallet } from '../../testkit/wallet/current.ts';

const keyOf = (n: number) => `${txidOf(n)}.0 output https://app.example`;

describe('a service that lies', () => {
  async function threeBlocks(): Promise<WorkerRun> {
    const workerRun = await walletWith();
    for (const n of [1, 2, 3]) {
      await record(workerRun, output(n));
      await sync(workerRun);
    }
    expect(network.appLog.blocks).toHaveLength(3);
    return workerRun;
  }
  const flipped = (block: string) => {
    const bytes = Buffer.from(block, 'base64');
    bytes[200] = (bytes[200] ?? 0) ^ 1;
    return bytes.toString('base64');
  };

  test.each<[string, string, (typeof network.appLog)['shown'], number[]]>([
    ['withholds a block', 'damaged', ([a, , c]) => [a, c].map((one) => one as never), [1, 3]],
    [
      'alters a block',
      'damaged',
      (all) => all.map((b, i) => (i === 1 ? { ...b, block: flipped(b.block) } : b)),
      [1, 3],
    ],
    [
      'cuts a block',
      'damaged',
      (all) => all.map((b, i) => (i === 1 ? { ...b, block: b.block.slice(0, 400) } : b)),
      [1, 3],
    ],
    [
      'swaps two blocks',
      'damaged',
      (all) => all.map((b, i) => (i === 0 ? b : { ...b, block: (all[3 - i] ?? b).block })),
      [1],
    ],
    ['withholds the beginning', 'damaged', (all) => all.slice(1), [2, 3]],
    // In the remaining cases, the service loses no blocks.
    [
      'returns one twice',
      'sound',
      (all) => [...all, ...all.map((b) => ({ ...b, position: b.position + 3 }))],
      [1, 2, 3],
    ],
    [
      'returns them in another order',
      'sound',
      (all) => all.map((b, i) => ({ ...b, ...pick(all[2 - i] ?? b) })),
      [1, 2, 3],
    ],
  ])('if the service %s, the log is %s', async (_, verdict, shown, kept) => {
    await threeBlocks();
    network.appLog.shown = shown;
    const restored = await walletWith({ restored: true });
    await sync(restored);
    expect(await logged(restored)).toEqual(kept.map((n) => output(n)));
    expect((await stateOf(restored)).problem).toBe(verdict === 'sound' ? null : verdict);
    // Rereading the complete log clears the problem.
    network.appLog.shown = (all) => all;
    await forgetReading(restored);
    await sync(restored);
    expect(await logged(restored)).toEqual([1, 2, 3].map((n) => output(n)));
    expect((await stateOf(restored)).problem).toBeNull();
  });
  const pick = ({ writer, sequence, block }: { writer: string; sequence: number; block: string }) => ({
    writer,
    sequence,
    block,
  });

  const withoutEnd = (all: StoredBlock[]): StoredBlock[] =>
    Array.from({ length: 9_000 }, (_, i) => ({ ...(all[0] as StoredBlock), position: i + 1, block: 'AAAA' }));

  test.each(['end', 'order'])('a service that returns blocks without %s is not used', async (without) => {
    await threeBlocks();
    network.appLog.page = 900;
    network.appLog.shown = without === 'end' ? withoutEnd : (all) => all.toReversed();
    const restored = await walletWith({ restored: true });
    await sync(restored);
    expect((await stateOf(restored)).retry.problem).toBe('service-unavailable');
    expect((await stateOf(restored)).readAt).toBe(0);
  });
});

describe('the size of the log', () => {
  test('the newest deletion notes are kept for wallets that don’t know them yet', async () => {
    const workerRun = await walletWith();
    const db = await workerRun.modules.database.database(wallet);
    const tx = db.transaction('appLog', 'readwrite');
    for (let n = 0; n < 1_050; n += 1) void tx.store.put({ key: keyOf(n), entry: gone(n), version: 2, at: n });
    await tx.done;
    await record(workerRun, output(20_000));
    await workerRun.modules.appState.changeState(wallet, (state) => ({ ...state, bytes: 100_000_000, at: null }));
    await sync(workerRun);
    await workerRun.modules.appState.changeState(wallet, (state) => ({ ...state, bytes: 100_000_000 }));
    await sync(workerRun);
    expect(await db.count('appLog')).toBe(1_001);
    expect([await db.get('appLog', keyOf(49)), (await db.get('appLog', keyOf(50)))?.at]).toEqual([undefined, 50]);
    // About two hundred bytes per entry.
    const bytes = network.appLog.blocks.reduce((sum, { block }) => sum + (block.length * 3) / 4, 0);
    expect(bytes).toBeLessThan(350_000);
  });

  test('an entry that is too large for a block loses optional data', async () => {
    const workerRun = await walletWith();
    const outputs = Array.from({ length: 200 }, (_, vout) => ({ vout, description: 'd'.repeat(1_900) }));
    const action: LogEntry & { kind: 'action' } = {
      kind: 'action',
      txid: txidOf(9),
      origin: 'https://app.example',
      description: 'Many',
      labels: ['l'],
      outputs,
      at: 1,
    };
    await record(workerRun, action, output(1));
    await sync(workerRun);
    const restored = await walletWith({ restored: true });
    await sync(restored);
    expect(await logged(restored)).toEqual([output(1), { ...action, outputs: [] }]);
  });
});
