/** The account's room at its service, shared among sites, and what one of them can fill of it. */
import { beforeEach, describe, expect, test } from 'vitest';
import { APP_LOG_LIMITS, BLOCK_SIZES, MAX_BLOCK } from '../../../protocol/app-log.ts';
import type { LogEntry } from '../app-log/entry.ts';
import { shareOfBlock } from '../app-log/size.ts';
import { useNetwork } from '../testing/network.ts';
import { PASSWORD, sealQuickly, someone } from '../testing/wallet.ts';
import { Profile, type WorkerRun } from '../testing/worker-run.ts';
import { fitting, type SealedEntry } from './block.ts';
import { MOST_SAVED_BYTES, shareRoom, type Weighed } from './share.ts';

const [GREEDY, APP] = ['https://greedy.example', 'https://app.example'];
const txidOf = (n: number) => n.toString(16).padStart(64, '0');
const output = (n: number, origin: string, bytes: number): LogEntry => ({
  ...{ kind: 'output', outpoint: `${txidOf(n)}:0`, satoshis: '1000', basket: 'b', tags: [], origin, description: '' },
  customInstructions: 'x'.repeat(bytes),
});
const action = (n: number, origin: string, bytes: number): LogEntry => ({
  ...{ kind: 'action', txid: txidOf(n), origin, description: 'x'.repeat(bytes), labels: [], outputs: [], at: n },
});

describe('the share of a block', () => {
  test('is at least what the entry takes, and all of a block if no second one fits', () => {
    expect(shareOfBlock(action(1, APP, 100))).toBeGreaterThan(300);
    expect(shareOfBlock(action(1, APP, 100))).toBeLessThan(340);
    expect(shareOfBlock(action(1, APP, 20_000))).toBeCloseTo(MAX_BLOCK / 3, -1);
    expect(shareOfBlock(action(1, APP, 31_500))).toBe(MAX_BLOCK / 2);
    expect(shareOfBlock(action(1, APP, 33_000))).toBe(MAX_BLOCK);
    expect(shareOfBlock(action(1, APP, 90_000))).toBe(MAX_BLOCK);
  });

  test.each([
    ['just over half a block', () => 33_000],
    ['just over a third of a block', () => 22_000],
    ['small', () => 300],
    ['of two sizes that fit together nowhere', (n: number) => (n % 2 ? 40_000 : 30_000)],
    ['of any size', (n: number) => (n * 7919) % 62_000],
  ])('covers the sealed blocks that entries come to: %s', (_, sizeOf) => {
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
    // What is saved may come to so much more before the service has no room for it.
    expect(sealed / charged).toBeLessThan(APP_LOG_LIMITS.bytes / MOST_SAVED_BYTES);
  });
});

describe('sharing the room', () => {
  let n = 0;
  const weighed = (origin: string | null, bytes: number, more: Partial<Weighed> = {}): Weighed => ({
    ...{ key: `key ${(n += 1)}`, kind: origin === null ? 'wallet-payment' : 'output', origin, at: n, bytes },
    ...more,
  });
  const many = (count: number, ...args: Parameters<typeof weighed>) =>
    Array.from({ length: count }, () => weighed(...args));
  const savedOf = (entries: Weighed[], room: number) => {
    const { saved } = shareRoom(entries, room);
    return entries.map(({ key }) => (saved.has(key) ? 1 : 0));
  };

  test('saves everything while there is room for it', () => {
    const entries = [...many(3, APP, 10), ...many(3, GREEDY, 20)];
    expect(shareRoom(entries, 90)).toMatchObject({ forgotten: [], leftOut: 0 });
    expect(savedOf(entries, 90)).toEqual([1, 1, 1, 1, 1, 1]);
  });

  test('has the largest lose its own, the oldest first', () => {
    const entries = [...many(2, APP, 10), ...many(5, GREEDY, 20)];
    expect(savedOf(entries, 80)).toEqual([1, 1, 0, 0, 1, 1, 1]);
    expect(shareRoom(entries, 80).leftOut).toBe(2);
  });

  test('gives many sites that want more the same share', () => {
    const entries = [weighed(APP, 10), ...many(9, 'https://1.example', 10), ...many(7, 'https://2.example', 10)];
    const saved = savedOf(entries, 90);
    expect([saved[0], saved.slice(1, 10), saved.slice(10)].flat().reduce((a, b) => (a ?? 0) + (b ?? 0))).toBe(9);
    expect(saved[0]).toBe(1);
    expect(saved.slice(1, 10).filter(Boolean)).toHaveLength(4);
  });

  test('saves money in any case', () => {
    expect(savedOf([...many(4, GREEDY, 20), weighed(null, 70)], 80)).toEqual([0, 0, 0, 0, 1]);
  });

  test('saves of a site outputs before actions, and those before notes', () => {
    const entries = [
      weighed(APP, 10),
      weighed(APP, 10, { kind: 'action' }),
      weighed(APP, 10, { kind: 'output-gone' }),
      weighed(APP, 10),
    ];
    expect(savedOf(entries, 30)).toEqual([1, 1, 0, 1]);
    expect(savedOf(entries, 20)).toEqual([1, 0, 0, 1]);
  });

  test('keeps the newest actions and notes of each site', () => {
    const notes = [...many(1_001, GREEDY, 1, { kind: 'output-gone' }), weighed(APP, 1, { kind: 'output-gone', at: 0 })];
    expect(shareRoom(notes).forgotten).toEqual([notes[0]?.key]);
    const actions = [...many(10_001, GREEDY, 1, { kind: 'action' }), weighed(APP, 1, { kind: 'action', at: 0 })];
    expect(shareRoom(actions).forgotten).toEqual([actions[0]?.key]);
  });
});

describe('a site that fills the log', () => {
  const network = useNetwork();
  const WORDS = 'abandon '.repeat(11) + 'about';
  beforeEach(sealQuickly);

  async function walletWith({ restored = false } = {}): Promise<WorkerRun> {
    const workerRun = await new Profile(network.url).start();
    await workerRun.modules.vault.createVault(WORDS, PASSWORD, restored);
    await workerRun.modules.client.registerAccount('alice', 'Alice');
    return workerRun;
  }

  test.each([
    [true, 'app-log-full'],
    [false, null],
  ])('loses its own, and another application’s ticket is saved and restored: %j', async (isFilled, trouble) => {
    network.appLog.mostBytes = APP_LOG_LIMITS.bytes;
    network.appLog.page = 20;
    const address = someone();
    const txid = await network.faucet(address, 700);
    const first = await walletWith();
    const db = await first.modules.database.database();
    // Three sites, with entries just over half a block, have more than the service takes even while a log is replaced.
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
    await database.inTransaction((tx) => appRecord.recordEntry(tx, ticket));
    await appSync.syncAppLog();
    expect(network.appLog.bytes).toBeLessThanOrEqual(APP_LOG_LIMITS.bytes);
    expect(await db.countFromIndex('appLog', 'unsent')).toBe(0);
    expect((await handlers.walletHandlers['app-data/read']({})).trouble).toBe(trouble);
    const restored = await walletWith({ restored: true });
    await restored.modules.appSync.syncAppLog();
    const kept = await (await restored.modules.database.database()).getAll('appOutputs');
    expect(kept).toMatchObject([{ origin: APP, outpoint: `${txid}:0`, satoshis: 700n }]);
  });
});
