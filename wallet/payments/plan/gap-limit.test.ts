/**
 * The recovery words find the whole balance, on any wallet with a gap limit of 20, regardless of applications and ARC.
 */
import { describe, test } from 'vitest';
import { toHex } from '../../../protocol/bitcoin/bytes.ts';
import { PrivateKey } from '@bsv/sdk';
import { APP, appKey, call, output, UNLOCKING_BYTES } from '../../../testkit/wallet/applications.ts';
import { expectFoundElsewhere } from '../../../testkit/wallet/restore-elsewhere.ts';
import { approveAll, give, openWallet } from '../../../testkit/wallet/wallet.ts';
import type { WorkerRun } from '../../../testkit/wallet/worker-run.ts';
import { network, SOMEBODY, paid } from './testing-gap-limit.ts';

describe('an application that finishes nothing', () => {
  async function ownOutput(satoshis = 50_000): Promise<string> {
    const address = PrivateKey.fromHex(toHex(appKey(0).privateKey)).toAddress('testnet');
    const txid = await network.faucet(address, satoshis);
    const answer = await fetch(`${network.url}/devnet/woc/v1/bsv/test/address/${address}/unspent/all`);
    const { result } = (await answer.json()) as { result: { tx_hash: string; tx_pos: number }[] };
    return `${txid}.${result.find(({ tx_hash }) => tx_hash === txid)?.tx_pos}`;
  }

  const signable = (workerRun: WorkerRun, outpoint: string) =>
    call(workerRun, 'createAction', {
      description: 'wait for me',
      inputs: [{ outpoint, inputDescription: 'its own', unlockingScriptLength: UNLOCKING_BYTES }],
      outputs: [output(500, SOMEBODY)],
    });
  const referenceOf = (answer: object) =>
    (answer as { signableTransaction: { reference: string } }).signableTransaction.reference;

  async function allowed(coins = [500_000]): Promise<WorkerRun> {
    const workerRun = await openWallet(network, coins);
    await give(workerRun, { origin: APP, currency: 'BSV', limit: 100_000n });
    approveAll(workerRun);
    return workerRun;
  }

  test('the words find the change of the user’s payment, regardless of the number of waiting actions', async () => {
    const workerRun = await allowed();
    const outpoint = await ownOutput();
    for (let i = 0; i < 5; i += 1) referenceOf(await signable(workerRun, outpoint));
    await paid(workerRun, 'honest');
    await expectFoundElsewhere(network, workerRun);
  });
});
