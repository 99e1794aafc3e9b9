/** Slow tests of node, for the full run. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { openNode } from './node.ts';
import { testDirectory, testNode } from './test-ledger.ts';
import { livedIn } from './testing-node.ts';

test('a log torn at every byte of its last record opens without that record', async () => {
  const { directory } = await livedIn();
  const log = path.join(directory, 'ledger.log');
  const whole = await readFile(log);
  const start = lastRecordAt(whole);
  const torn = await testDirectory();
  await copyFile(path.join(directory, 'miner.key'), path.join(torn, 'miner.key'));
  const file = path.join(torn, 'ledger.log');
  for (let length = whole.length - 1; length >= start; length -= 1) {
    await writeFile(file, whole.subarray(0, length));
    const node = await openNode(torn);
    expect(node.ledger.mempool.size).toBe(2);
    await node.close();
  }
});

function lastRecordAt(whole: Buffer): number {
  let at = 8;
  for (let next = at; next < whole.length;) {
    at = next;
    next += 8 + whole.readUInt32LE(at) + 8;
  }
  return at;
}

test('a process killed while it works leaves a chain that opens with every acknowledged transaction', async () => {
  const directory = await testDirectory();
  const script = fileURLToPath(new URL('./test-worker.ts', import.meta.url));
  const child = execFile(process.execPath, ['--import', 'tsx', script, directory], { killSignal: 'SIGKILL' });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  let said = '';
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (text: string) => {
      said += text;
      if (said.split('\n').length > 60) resolve();
    });
    child.once('exit', () => {
      reject(new Error(`the worker ended: ${said}`));
    });
  });
  child.removeAllListeners('exit');
  child.kill('SIGKILL');
  await once(child, 'close');
  const node = await testNode(directory);
  for (const txid of said.split('\n').slice(0, -1)) expect(node.ledger.transaction(txid), txid).toBeDefined();
  await node.mine(1);
  expect(node.ledger.mempool.size).toBe(0);
});
