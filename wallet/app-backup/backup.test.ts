/**
 * Backing up and restoring applications' data. Only a wallet with the same recovery words can restore it from the
 * service or a file.
 */
import { describe, expect, test, vi } from 'vitest';
import { codeOf } from '../../testing/code-of.ts';
import { type WorkerRun } from '../../testkit/wallet/worker-run.ts';
import { PASSWORD } from '../../testkit/wallet/wallet.ts';
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

const OTHER_WORDS = 'zoo '.repeat(11) + 'wrong';

const unsent = async (workerRun: WorkerRun) =>
  (await workerRun.modules.database.database(wallet)).countFromIndex('appLog', 'unsent');

describe('the log at the service', () => {
  test('entries are restored from the words, and the service can’t read them', async () => {
    const first = await walletWith();
    await record(first, output(1), output(2), gone(2));
    await sync(first);
    expect(await unsent(first)).toBe(0);
    const [block] = network.appLog.blocks;
    const bytes = Buffer.from(block?.block ?? '', 'base64');
    expect(bytes.length).toBe(1024);
    for (const text of ['tokens', 'app.example', txidOf(1)]) expect(bytes.includes(text)).toBe(false);

    const restored = await walletWith({ restored: true });
    await sync(restored);
    expect(await logged(restored)).toEqual([output(1), gone(2)]);
    expect((await stateOf(restored)).problem).toBeNull();
    // Nothing is new, so nothing is appended.
    expect(network.appLog.asked.filter((one) => one === 'append')).toHaveLength(1);
  });

  test('a wallet without applications sends the service no requests', async () => {
    const workerRun = await walletWith();
    await sync(workerRun);
    expect(network.appLog.asked).toEqual([]);
  });

  test('other words can’t decrypt any entry, which is reported', async () => {
    await record(await walletWith(), output(1));
    await sync(await walletWith());
    const first = await walletWith();
    await record(first, output(1));
    await sync(first);
    const other = await walletWith({ words: OTHER_WORDS, restored: true });
    await sync(other);
    expect(await logged(other)).toEqual([]);
    expect((await stateOf(other)).problem).toBe('damaged');
  });

  test('a locked wallet waits until it is unlocked, and one without an account until it has one', async () => {
    const workerRun = await walletWith({ account: false });
    await record(workerRun, output(1));
    await sync(workerRun);
    await workerRun.modules.client.registerAccount(wallet, 'alice', 'Alice');
    workerRun.modules.client.forgetToken(wallet);
    await workerRun.modules.vault.lock(wallet);
    await sync(workerRun);
    expect([network.appLog.asked, await unsent(workerRun)]).toEqual([[], 1]);
    await workerRun.modules.vault.unlock(wallet, PASSWORD);
    await sync(workerRun);
    expect([network.appLog.blocks.length, await unsent(workerRun)]).toEqual([1, 0]);
  });

  test('a request to a failing service is retried with the same bytes, and not before it is due', async () => {
    const workerRun = await walletWith();
    await record(workerRun, output(1));
    network.down.add('service');
    const before = Date.now();
    await sync(workerRun);
    const { retry } = await stateOf(workerRun);
    expect(retry).toMatchObject({ attempts: 1, problem: 'service-unavailable' });
    expect(retry.nextAt).toBeGreaterThanOrEqual(before + 1000);
    network.down.clear();
    await vi.waitFor(async () => expect(await unsent(workerRun)).toBe(0));
    expect((await stateOf(workerRun)).retry.attempts).toBe(0);
  });

  test('a request is retried even if the timer ends early and the clock is set back', async () => {
    const workerRun = await walletWith();
    await record(workerRun, output(1));
    network.down.add('service');
    const timers: { run: () => void; delay: number }[] = [];
    const wait = globalThis.setTimeout;
    vi.stubGlobal('setTimeout', (run: () => void, delay = 0, ...args: unknown[]) => {
      const isForNextTry = timers.length < 2 && delay > 500 && delay <= 60_000 && args.length === 0;
      return isForNextTry ? timers.push({ run, delay }) : wait(run, delay, ...args);
    });
    await sync(workerRun);
    network.down.clear();
    const { retry } = await stateOf(workerRun);
    const clock = vi.mocked(Date.now).getMockImplementation();
    // A timer with a delay above 2^31 ms fires immediately.
    vi.mocked(Date.now).mockReturnValue(retry.nextAt - 30 * 24 * 3600_000);
    timers[0]?.run();
    expect(timers[1]?.delay).toBe(60_000);
    vi.mocked(Date.now).mockImplementation(clock as () => number);
    timers[1]?.run();
    await vi.waitFor(async () => expect(await unsent(workerRun)).toBe(0));
  });

  test('two wallets with the same words append in parallel, and the later change wins', async () => {
    const one = await walletWith();
    await record(one, output(1), output(2));
    await sync(one);
    const other = await walletWith({ restored: true });
    await sync(other);
    await record(other, gone(1), output(3));
    await sync(other);
    expect(new Set(network.appLog.blocks.map(({ writer }) => writer)).size).toBe(2);
    const third = await walletWith({ restored: true });
    await sync(third);
    expect(await logged(third)).toEqual([gone(1), output(2), output(3)]);
    expect((await stateOf(third)).problem).toBeNull();
  });

  test('a copy of the browser’s profile continues under a different name, and overwrites nothing', async () => {
    const one = await walletWith();
    await record(one, output(1));
    await sync(one);
    const copied = await stateOf(one);
    await record(one, output(2));
    await sync(one);
    // Simulates a copy of the browser profile from before the second block.
    await one.modules.appState.changeState(wallet, () => copied);
    await record(one, output(3));
    await sync(one);
    const third = await walletWith({ restored: true });
    await sync(third);
    expect(await logged(third)).toEqual([output(1), output(2), output(3)]);
  });

  test('everything is sent again to another account', async () => {
    const workerRun = await walletWith();
    await record(workerRun, output(1));
    await sync(workerRun);
    await workerRun.modules.appState.changeState(wallet, (state) => ({ ...state, at: 'https://old.example 5' }));
    network.appLog.reset();
    await sync(workerRun);
    expect(network.appLog.blocks).toHaveLength(1);
  });
});

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

  test('a service that loses this wallet’s blocks gets them again', async () => {
    const workerRun = await threeBlocks();
    await forgetReading(workerRun);
    await sync(workerRun); // reads the blocks before they are lost
    network.appLog.blocks = network.appLog.blocks.slice(0, 1);
    network.appLog.position = 1; // positions start over from here, as after restoring a backup
    await forgetReading(workerRun);
    await sync(workerRun);
    expect((await stateOf(workerRun)).problem).toBeNull();
    const restored = await walletWith({ restored: true });
    await sync(restored);
    expect(await logged(restored)).toEqual([1, 2, 3].map((n) => output(n)));
    expect((await stateOf(restored)).problem).toBeNull();
  });

  test('a service that loses everything during a replacement keeps the replacement', async () => {
    const workerRun = await threeBlocks();
    await workerRun.modules.appState.changeState(wallet, (state) => ({ ...state, bytes: 10_000_000 }));
    await record(workerRun, output(4));
    let isLost = false;
    network.before = (url) => {
      if (!url.endsWith('/app-log/blocks') || isLost) return;
      isLost = true;
      network.appLog.reset(); // positions start over
    };
    await sync(workerRun);
    const restored = await walletWith({ restored: true });
    await sync(restored);
    expect(await logged(restored)).toEqual([1, 2, 3, 4].map((n) => output(n)));
  });

  test('a service that withholds a wallet’s newest block is detected if another wallet has seen it', async () => {
    await threeBlocks();
    const other = await walletWith({ restored: true });
    await sync(other);
    await record(other, output(4));
    await sync(other);
    network.appLog.shown = (all) => all.filter(({ position }) => position !== 3);
    const restored = await walletWith({ restored: true });
    await sync(restored);
    expect((await stateOf(restored)).problem).toBe('damaged');
  });

  test('a damaged log is replaced only once the user approves it', async () => {
    await threeBlocks();
    network.appLog.blocks.splice(1, 1);
    const restored = await walletWith({ restored: true });
    await sync(restored);
    expect((await stateOf(restored)).problem).toBe('damaged');
    await restored.modules.handlers.walletHandlers(wallet)['app-data/save-again']({});
    expect((await stateOf(restored)).problem).toBeNull();
    const again = await walletWith({ restored: true });
    await sync(again);
    expect(await logged(again)).toEqual([output(1), output(3)]);
    expect((await stateOf(again)).problem).toBeNull();
  });
});

describe('the size of the log', () => {
  test('deleted entries are removed once they take more space than existing ones', async () => {
    const workerRun = await walletWith();
    await record(workerRun, output(1));
    await sync(workerRun);
    await workerRun.modules.appState.changeState(wallet, (state) => ({ ...state, bytes: 10_000_000 }));
    await record(workerRun, output(2));
    await sync(workerRun);
    const { replacing, leastBytes, bytes } = await stateOf(workerRun);
    expect([replacing, bytes]).toEqual([null, leastBytes]);
    // One block contains the entries, and the next one marks the log as complete.
    expect(network.appLog.blocks.map(({ sequence }) => sequence)).toEqual([2, 3]);
    const restored = await walletWith({ restored: true });
    await sync(restored);
    expect(await logged(restored)).toEqual([output(1), output(2)]);
    expect((await stateOf(restored)).problem).toBeNull();
  });

  test('while one wallet replaces everything, another wallet’s blocks stay', async () => {
    const one = await walletWith();
    await record(one, output(1));
    await sync(one);
    await one.modules.appState.changeState(wallet, (state) => ({ ...state, bytes: 10_000_000 }));
    await record(one, output(2));
    // Another wallet appends a block between this wallet's read and its removal of blocks.
    let appended = false;
    network.before = (url) => {
      if (!url.endsWith('/removal') || appended) return;
      appended = true;
      const [block] = network.appLog.blocks;
      if (block) network.appLog.blocks.push({ ...block, writer: 'ff'.repeat(8), position: ++network.appLog.position });
    };
    await sync(one);
    expect(network.appLog.blocks.map(({ writer }) => writer)).toContain('ff'.repeat(8));
  });

  test('if the service is full, deleted entries are removed, and a remaining excess is reported', async () => {
    const workerRun = await walletWith();
    for (const n of [1, 2, 3]) {
      await record(workerRun, output(n));
      await sync(workerRun);
    }
    network.appLog.most = 3;
    await record(workerRun, gone(1));
    await sync(workerRun);
    await sync(workerRun);
    expect([network.appLog.blocks.length, await unsent(workerRun)]).toEqual([2, 0]);
    network.appLog.most = 0;
    await record(workerRun, output(4));
    await sync(workerRun);
    expect((await workerRun.modules.handlers.walletHandlers(wallet)['app-data/read']({})).trouble).toBe('app-log-full');
  });
});

describe('the log as a file', () => {
  const handlersOf = (workerRun: WorkerRun) => workerRun.modules.handlers.walletHandlers(wallet);

  async function saved(): Promise<{ first: WorkerRun; file: string }> {
    const first = await walletWith({ account: false });
    await record(first, output(1), output(2), gone(2));
    return { first, ...(await handlersOf(first)['app-data/export']({})) };
  }

  test('the file can be restored with the words any number of times, and is merged', async () => {
    const { first, file } = await saved();
    expect((await handlersOf(first)['app-data/read']({})).kept).toBe('file');
    const restored = await walletWith({ account: false, restored: true });
    await record(restored, output(3));
    expect(await handlersOf(restored)['app-data/restore']({ file })).toEqual({ entries: 2 });
    expect(await handlersOf(restored)['app-data/restore']({ file })).toEqual({ entries: 0 });
    expect(await logged(restored)).toEqual([output(1), gone(2), output(3)]);
    await restored.modules.client.registerAccount(wallet, 'alice', 'Alice');
    await sync(restored);
    expect([await unsent(restored), network.appLog.blocks.length]).toEqual([0, 1]);
  });

  test('an older file restores nothing that was deleted since', async () => {
    const { first, file } = await saved();
    await record(first, gone(1));
    expect(await handlersOf(first)['app-data/restore']({ file })).toEqual({ entries: 0 });
    expect(await logged(first)).toEqual([gone(1), gone(2)]);
  });

  test('other words, another network and damage are distinguished, and nothing is imported', async () => {
    const { file } = await saved();
    const parsed = JSON.parse(file) as { blocks: string[]; key: string };
    const changed = (more: object) => JSON.stringify({ ...parsed, ...more });
    const [block = ''] = parsed.blocks;
    const same = await walletWith({ account: false });
    const refused = (text: string, by = same) => codeOf(handlersOf(by)['app-data/restore']({ file: text }));
    expect(await refused(changed({ network: 'mainnet' }))).toBe('wrong-network');
    expect(await refused('no file')).toBe('app-log-damaged');
    expect(await refused(file.slice(0, -10))).toBe('app-log-damaged');
    expect(await refused(changed({ blocks: parsed.blocks.slice(0, -1) }))).toBe('app-log-damaged');
    expect(await refused(changed({ blocks: parsed.blocks.slice(1) }))).toBe('app-log-damaged');
    expect(await refused(changed({ blocks: [`AAAA${block.slice(4)}`, ...parsed.blocks.slice(1)] }))).toBe(
      'app-log-damaged',
    );
    expect(await refused(changed({ blocks: parsed.blocks.toReversed() }))).toBe('app-log-damaged');
    expect(await refused(changed({ writer: 'ab'.repeat(8) }))).toBe('app-log-damaged');
    expect(await logged(same)).toEqual([]);
    const other = await walletWith({ account: false, words: OTHER_WORDS });
    expect(await refused(file, other)).toBe('app-log-other-words');
    // Pretending that the file is encrypted with the other wallet's key doesn't help.
    expect(await refused(changed({ key: JSON.parse((await exported(other)).file).key }), other)).toBe(
      'app-log-damaged',
    );
    await other.modules.vault.lock(wallet);
    expect(await refused(file, other)).toBe('wallet-locked');
  });
  const exported = (workerRun: WorkerRun) => handlersOf(workerRun)['app-data/export']({});
});
