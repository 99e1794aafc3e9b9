/** Logs that the service stores in format 1. Current wallets read them before replacing them. */
import { expect, test } from 'vitest';
import { BLOCK_SIZES } from '../../protocol/http/app-log.ts';
import { concatBytes } from '../../protocol/bitcoin/bytes.ts';
import type { LogEntry } from '../app-log/entry.ts';
import { useNetwork } from '../../testkit/network/network.ts';
import { PASSWORD } from '../../testkit/wallet/wallet.ts';
import { Profile, type WorkerRun } from '../../testkit/wallet/worker-run.ts';
import { sealBox } from '../vault/seal.ts';
import { wallet } from '../../testkit/wallet/current.ts';

const network = useNetwork();
const WORDS = 'abandon '.repeat(11) + 'about';
const [A, B] = ['https://a.example', 'https://b.example'];
const OLD_WRITER = 'ab'.repeat(8);

async function walletWith({ restored = true } = {}): Promise<WorkerRun> {
  const workerRun = await new Profile(network.url).start();
  await workerRun.modules.vault.createVault(wallet, WORDS, PASSWORD, restored);
  await workerRun.modules.client.registerAccount(wallet, 'alice', 'Alice');
  return workerRun;
}

const txidOf = (n: number) => n.toString(16).padStart(64, '0');
const output = (n: number, origin: string): LogEntry => ({
  ...{ kind: 'output', outpoint: `${txidOf(n)}:0`, satoshis: '1000', basket: 'tokens', tags: [], origin },
  ...{ customInstructions: null, description: 'A token' },
});
const payment = (n: number): LogEntry => ({
  ...{ kind: 'wallet-payment', outpoint: `${txidOf(n)}:0`, derivationPrefix: 'p', derivationSuffix: 's' },
  ...{ senderIdentityKey: 'k', satoshis: '500000' },
});
const action = (n: number, origin: string): LogEntry => ({
  ...{ kind: 'action', txid: txidOf(n), origin, description: 'Move', labels: [], outputs: [], at: n },
});
const gone = (n: number) => ({ kind: 'output-gone', outpoint: `${txidOf(n)}:0` });

/** Stores a block in format 1 on the service. */
async function oldBlock(
  sequence: number,
  entries: [entry: object, version: number][],
  more: { heads?: Record<string, number>; whole?: boolean } = {},
): Promise<void> {
  const { appLogKey } = await import('../vault/app-log-key.ts');
  const { key } = await appLogKey(wallet);
  const content = {
    entries: entries.map(([entry, version]) => ({ entry, version, at: version })),
    heads: {},
    whole: false,
  };
  const json = new TextEncoder().encode(JSON.stringify({ ...content, ...more }));
  const size = BLOCK_SIZES.find((one) => one >= json.length + 32) as number;
  const plaintext = new Uint8Array(size - 28);
  new DataView(plaintext.buffer).setUint32(0, json.length);
  plaintext.set(json, 4);
  const { iv, ciphertext } = await sealBox(
    wallet,
    key,
    plaintext,
    `service-button app log 1 devnet ${OLD_WRITER} ${sequence}`,
  );
  const block = Buffer.from(concatBytes(iv, ciphertext)).toString('base64');
  network.appLog.position += 1;
  network.appLog.blocks.push({ position: network.appLog.position, writer: OLD_WRITER, sequence, block });
}
const sync = (workerRun: WorkerRun) => workerRun.modules.appSync.syncAppLog(wallet);
async function logged(workerRun: WorkerRun): Promise<[LogEntry, number][]> {
  const all = await (await workerRun.modules.database.database(wallet)).getAll('appLog');
  return all.map(({ entry, version }) => [entry, version]);
}

test('entries that replaced one another in the first format are all restored', async () => {
  const workerRun = await walletWith();
  await oldBlock(1, [
    [payment(1), 1],
    [action(2, A), 1],
  ]);
  await oldBlock(2, [
    [output(1, B), 2],
    [action(2, B), 2],
  ]);
  await sync(workerRun);
  expect(await logged(workerRun)).toEqual([
    [output(1, B), 2],
    [payment(1), 1],
    [action(2, A), 1],
    [action(2, B), 2],
  ]);
  expect((await workerRun.modules.appState.readState(wallet)).problem).toBeNull();
});

test('a deletion in format 1 retires older output entries of every site, but no payment entries, regardless of the order of the blocks', async () => {
  const orders = [
    [1, 2, 3],
    [3, 1, 2],
    [2, 3, 1],
  ];
  const blocks: Record<number, [object, number][]> = {
    1: [
      [output(1, A), 1],
      [output(2, A), 4],
      [payment(1), 1],
    ],
    2: [
      [gone(1), 3],
      [gone(2), 3],
    ],
    3: [[output(1, B), 2]],
  };
  const outcomes = [];
  for (const order of orders) {
    network.appLog.reset();
    const workerRun = await walletWith();
    for (const [i, n] of order.entries()) await oldBlock(i + 1, blocks[n] as [object, number][]);
    await sync(workerRun);
    await workerRun.modules.appState.changeState(wallet, (state) => ({ ...state, readAt: 0 }));
    await sync(workerRun);
    outcomes.push(await logged(workerRun));
  }
  expect(outcomes[0]).toEqual([
    [{ kind: 'outpoint-gone', outpoint: `${txidOf(1)}:0` }, 3],
    [{ kind: 'output-gone', outpoint: `${txidOf(1)}:0`, origin: A }, 3],
    [{ kind: 'output-gone', outpoint: `${txidOf(1)}:0`, origin: B }, 3],
    [payment(1), 1],
    [{ kind: 'outpoint-gone', outpoint: `${txidOf(2)}:0` }, 3],
    [output(2, A), 4],
  ]);
  expect(outcomes[1]).toEqual(outcomes[0]);
  expect(outcomes[2]).toEqual(outcomes[0]);
});

test('an entry that a site adds again after a note of the first format is newer than the note', async () => {
  const workerRun = await walletWith();
  await oldBlock(1, [[gone(1), 3]]);
  await sync(workerRun);
  const { database, appRecord } = workerRun.modules;
  await database.inTransaction(wallet, (tx) => appRecord.recordEntry(wallet, tx, output(1, A)));
  expect(await logged(workerRun)).toContainEqual([output(1, A), 4]);
});

test('entries that an older wallet replaces without reading are saved again', async () => {
  const workerRun = await walletWith();
  const { database, appRecord, appState } = workerRun.modules;
  await database.inTransaction(wallet, (tx) => appRecord.recordEntry(wallet, tx, output(1, A)));
  await sync(workerRun);
  // An older wallet version can't decrypt the block, but its user lets it replace the log.
  network.appLog.blocks = [];
  await oldBlock(1, [[output(2, B), 1]]);
  await oldBlock(2, [], { heads: { [OLD_WRITER]: 0 }, whole: true });
  await appState.changeState(wallet, (state) => ({ ...state, readAt: 0 }));
  await sync(workerRun);
  const restored = await walletWith();
  await sync(restored);
  expect(await logged(restored)).toEqual([
    [output(1, A), 1],
    [output(2, B), 1],
  ]);
  expect((await restored.modules.appState.readState(wallet)).problem).toBeNull();
});
