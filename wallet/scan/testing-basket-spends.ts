import { expect } from 'vitest';
import { addressScript } from '../../protocol/bitcoin/address.ts';
import { fromHex, toHex } from '../../protocol/bitcoin/bytes.ts';
import { serializeTransaction, txidOf, type Transaction } from '../../protocol/bitcoin/transaction.ts';
import { APP, called, output, signInput, transactionIn } from '../../testkit/wallet/applications.ts';
import { useNetwork } from '../../testkit/network/network.ts';
import { give, openWallet, someone } from '../../testkit/wallet/wallet.ts';
import type { WorkerRun } from '../../testkit/wallet/worker-run.ts';
import { wallet } from '../../testkit/wallet/current.ts';

export const network = useNetwork();
const ownFetch = globalThis.fetch;
export const ANYONE = '51';

interface Kept {
  workerRun: WorkerRun;
  /** The outputs' outpoints in BRC-100 format. */
  things: string[];
  refresh: () => Promise<void>;
  listed: () => Promise<string[]>;
}

/** Starts a wallet with confirmed basket outputs of 5,000 satoshis each, locked by these scripts. */
export async function keeping(...scripts: string[]): Promise<Kept> {
  const workerRun = await openWallet(network, [1_000_000]);
  await give(workerRun, { origin: APP, currency: 'BSV', limit: 1_000_000n });
  const outputs = scripts.map((script) => output(5000, script, { basket: 'things' }));
  const options = { randomizeOutputs: false, acceptDelayedBroadcast: false };
  const { txid, tx } = await called(workerRun, 'createAction', { description: 'keep things', outputs, options });
  expect(transactionIn(tx).outputs.length).toBeGreaterThan(scripts.length);
  await network.mine();
  return {
    workerRun,
    things: scripts.map((_, vout) => `${txid}.${vout}`),
    async refresh() {
      await workerRun.modules.poll.refresh(wallet);
      expect(workerRun.modules.poll.lastProblem(wallet)).toBeNull();
    },
    listed: async () =>
      (await called(workerRun, 'listOutputs', { basket: 'things' })).outputs.map(({ outpoint }) => outpoint),
  };
}

/** Spends an output as a third party, with the application's key if the script requires a signature. */
export async function spend(thing: string, script: string): Promise<void> {
  const [txid = '', vout] = thing.split('.');
  const spending: Transaction = {
    version: 1,
    inputs: [{ txid, vout: Number(vout), unlockingScript: new Uint8Array(), sequence: 0xffff_ffff }],
    outputs: [{ satoshis: 4000n, lockingScript: addressScript(someone(), 'devnet') as Uint8Array }],
    lockTime: 0,
  };
  if (script !== ANYONE) spending.inputs[0]!.unlockingScript = fromHex(signInput(spending, 0, 5000));
  const bytes = serializeTransaction(spending);
  const answer = await ownFetch(`${network.url}/devnet/arc/v1/tx`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ rawTx: toHex(bytes) }),
  });
  expect(await answer.json()).toMatchObject({ txid: txidOf(bytes) });
}
