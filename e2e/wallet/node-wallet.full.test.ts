/** Tests the example wallet in Node, with the real service and its devnet. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Transaction } from '@bsv/sdk';
import { expect, test } from 'vitest';
import { startService } from '../../tooling/drive/service.ts';

const run = promisify(execFile);

test('examples/node-wallet pays, receives and restores', async () => {
  const service = await startService();
  try {
    const { stdout } = await run(process.execPath, ['--import', 'tsx', 'examples/node-wallet/main.ts'], {
      env: { ...process.env, SERVICE_URL: service.url },
    });
    const told = new Map(stdout.split('\n').map((line) => line.split(': ') as [string, string]));
    const transaction = async (txid = '') =>
      Transaction.fromHex(await (await fetch(`${service.url}/devnet/woc/v1/bsv/test/tx/${txid.trim()}/hex`)).text());
    const worth = (outputs: { satoshis?: number | undefined }[]) =>
      outputs.reduce((sum, { satoshis = 0 }) => sum + satoshis, 0);
    /**
     * Returns the payment's fee from the ledger. A subset of the outputs must add up to the amount, because hosts split
     * it.
     */
    const fee = async (name: string, amount: number) => {
      const { inputs, outputs } = await transaction(told.get(name));
      const sums = outputs.reduce((sums, { satoshis = 0 }) => sums.concat(sums.map((sum) => sum + satoshis)), [0]);
      expect(sums).toContain(amount);
      const spent = await Promise.all(
        inputs.map(
          async ({ sourceTXID, sourceOutputIndex }) =>
            (await transaction(sourceTXID)).outputs[sourceOutputIndex] as { satoshis?: number },
        ),
      );
      return worth(spent) - worth(outputs);
    };
    const fees = (await fee('sent', 200_000)) + (await fee('paid on a page', 100_000));
    expect(fees).toBeGreaterThan(0);
    expect(told.get('received')).toBe('300000');
    expect(told.get('restored')).toBe(`${1_000_000 - 300_000 - fees}`);
  } finally {
    await service.stop();
  }
});
