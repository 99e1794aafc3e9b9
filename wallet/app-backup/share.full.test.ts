import { describe, expect, test } from 'vitest';
import { APP_LOG_LIMITS, BLOCK_SIZES } from '../../protocol/http/app-log.ts';
import type { LogEntry } from '../app-log/entry.ts';
import { shareOfBlock } from '../app-log/size.ts';
import { useNetwork } from '../../testkit/network/network.ts';
import { keepUnlocked, PASSWORD, someone } from '../../testkit/wallet/wallet.ts';
import { Profile, type WorkerRun } from '../../testkit/wallet/worker-run.ts';
import { fitting, type SealedEntry } from './block.ts';
import { MAX_SAVED_BYTES } from './share.ts';
import { APP, txidOf, output, action } from './testing-share.ts';
import { wallet } from '../../testkit/wallet/current.ts';

describe('the share of a block', () => {
  test.each([
    ['just over half a block', () => 33_000],
    ['just over a third of a block', () => 22_000],
    ['small', () => 300],
    ['of two sizes that fit together nowhere', (n: number) => (n % 2 ? 40_000 : 30_000)],
    ['of any size', (n: number) => (n * 7919) % 62_000],
  ])('covers the sealed blocks of its entries: %s', (_, sizeOf) => {
    let left: SealedEntry[] = Array.from({ length: 600 }, (_item, n) => ({
      ...{ entry: action(n, APP, sizeOf(n)), version: 1, at: 1_700_000_000_000 + n },
    }));
    const charged = left.reduce((sum, { entry }) => sum + shareOfBlock(entry), 0);
    let sealed = 0;
    while (left.length > 0) {
      const taken = new Set(fitting(left.slice(0, 400), {}));
      const content = [...taken].map(({ entry, version, at }) => ({ entry, version, at }));
      const bytes = JSON.stringify({ entries: content, heads: {}, whole: false }).length + 32;
      sealed += BLOCK_SIZES.find((size) => size >= bytes) ?? Number.POSITIVE_INFINITY;
      left = left.filter((one) => !taken.has(one));
    }
    // The actual encrypted size may exceed the estimate, but must still fit into the service's storage.
    expect(sealed / charged).toBeLessThan(APP_LOG_LIMITS.bytes / MAX_SAVED_BYTES);
  });
});

describe('a site that fills the log', () => {
  const network = useNetwork();
  const WORDS = 'abandon '.repeat(11) + 'about';

  async function walletWith({ restored = false } = {}): Promise<WorkerRun> {
    const workerRun = await new Profile(network.url).start();
    await keepUnlocked(workerRun);
    await workerRun.modules.vault.createVault(wallet, WORDS, PASSWORD, restored);
    await workerRun.modules.client.registerAccount(wallet, 'alice', 'Alice');
    return workerRun;
  }

  test.each([
    [true, 'app-log-full'],
    [false, null],
  ])(
    'a site that fills the log loses its own entries, and another application’s ticket is saved and restored: %j',
    async (isFilled, trouble) => {
      network.appLog.mostBytes = APP_LOG_LIMITS.bytes;
      network.appLog.page = 20;
      const address = someone();
      const txid = await network.faucet(address, 700);
      const first = await walletWith();
      const db = await first.modules.database.database(wallet);
      // Entries slightly larger than half a block waste the most space. Such entries from three sites exceed even the
      // doubled limit for a log that is being replaced.
      if (isFilled) {
        const tx = db.transaction('appLog', 'readwrite');
        for (let n = 0; n < 3 * 180; n += 1) {
          const origin = `https://greedy${n % 3}.example`;
          const entry = action(n, origin, 33_000);
          void tx.store.put({ key: `${txidOf(n)} action ${origin}`, entry, version: 1, at: n, unsent: 1 });
        }
        await tx.done;
      }
      const ticket = { ...output(0, APP, 10), outpoint: `${txid}:0` } as LogEntry;
      const { database, appRecord, appSync, handlers } = first.modules;
      await database.inTransaction(wallet, (tx) => appRecord.recordEntry(wallet, tx, ticket));
      await appSync.syncAppLog(wallet);
      expect(network.appLog.bytes).toBeLessThanOrEqual(APP_LOG_LIMITS.bytes);
      expect(await db.countFromIndex('appLog', 'unsent')).toBe(0);
      expect((await handlers.walletHandlers(wallet)['app-data/read']({})).trouble).toBe(trouble);
      const restored = await walletWith({ restored: true });
      await restored.modules.appSync.syncAppLog(wallet);
      const kept = await (await restored.modules.database.database(wallet)).getAll('appOutputs');
      expect(kept).toMatchObject([{ origin: APP, outpoint: `${txid}:0`, satoshis: 700n }]);
    },
  );
});
