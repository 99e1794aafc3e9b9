import { PrivateKey } from '@bsv/sdk';
import { expect } from 'vitest';
import { p2pkhScript } from '../../../protocol/bitcoin/address.ts';
import { toHex } from '../../../protocol/bitcoin/bytes.ts';
import { APP, appKey, call, output, UNLOCKING_BYTES } from '../../../testkit/wallet/applications.ts';
import { useNetwork } from '../../../testkit/network/network.ts';
import { approveAll, ask, give, openWallet, pay, someone } from '../../../testkit/wallet/wallet.ts';
import type { WorkerRun } from '../../../testkit/wallet/worker-run.ts';

export const network = useNetwork();
export const SOMEBODY = toHex(p2pkhScript(new Uint8Array(20).fill(9)));

export async function paid(workerRun: WorkerRun, requestId: string, satoshis = 20_000): Promise<void> {
  expect(await ask(workerRun, requestId, pay(someone(), satoshis))).toMatchObject({ status: 'RECEIVED' });
}

export async function ownOutput(satoshis = 50_000): Promise<string> {
  const address = PrivateKey.fromHex(toHex(appKey(0).privateKey)).toAddress('testnet');
  const txid = await network.faucet(address, satoshis);
  const answer = await fetch(`${network.url}/devnet/woc/v1/bsv/test/address/${address}/unspent/all`);
  const { result } = (await answer.json()) as { result: { tx_hash: string; tx_pos: number }[] };
  return `${txid}.${result.find(({ tx_hash }) => tx_hash === txid)?.tx_pos}`;
}

export const signable = (workerRun: WorkerRun, outpoint: string) =>
  call(workerRun, 'createAction', {
    description: 'wait for me',
    inputs: [{ outpoint, inputDescription: 'its own', unlockingScriptLength: UNLOCKING_BYTES }],
    outputs: [output(500, SOMEBODY)],
  });
export const referenceOf = (answer: object) =>
  (answer as { signableTransaction: { reference: string } }).signableTransaction.reference;

export async function allowed(coins = [500_000]): Promise<WorkerRun> {
  const workerRun = await openWallet(network, coins);
  await give(workerRun, { origin: APP, currency: 'BSV', limit: 100_000n });
  approveAll(workerRun);
  return workerRun;
}
