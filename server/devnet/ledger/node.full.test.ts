import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { testDirectory, testNode } from '../test-ledger.ts';

test('a process killed while it works leaves a chain that opens with every acknowledged transaction', async () => {
  const directory = await testDirectory();
  const script = fileURLToPath(new URL('../test-worker.ts', import.meta.url));
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
