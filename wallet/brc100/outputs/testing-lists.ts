import { p2pkhScript } from '../../../protocol/bitcoin/address.ts';
import { toHex } from '../../../protocol/bitcoin/bytes.ts';
import { APP, appScript, called, output } from '../../../testkit/wallet/applications.ts';
import { useNetwork } from '../../../testkit/network/network.ts';
import { give, openWallet } from '../../../testkit/wallet/wallet.ts';
import type { WorkerRun } from '../../../testkit/wallet/worker-run.ts';

export const network = useNetwork();
export const SOMEBODY = toHex(p2pkhScript(new Uint8Array(20).fill(9)));
export const OTHER = { origin: 'https://other.example' };

export async function allowed(): Promise<WorkerRun> {
  const workerRun = await openWallet(network, [1_000_000]);
  await give(workerRun, { origin: APP, currency: 'BSV', limit: 1_000_000n });
  return workerRun;
}

export const options = { randomizeOutputs: false, acceptDelayedBroadcast: false };
/** Returns basket outputs of `first`, `first + 1`, … satoshis, each with its own tags. */
export const things = (first: number, ...tags: string[][]) =>
  tags.map((some, i) =>
    output(first + i, appScript(0), { basket: 'things', tags: some, customInstructions: `key ${first + i}` }),
  );

/** Starts a wallet with two transactions and six outputs of 1000 to 1005 satoshis. */
export async function keeping() {
  const workerRun = await allowed();
  const make = (labels: string[], outputs: object[]) =>
    called(workerRun, 'createAction', { description: 'keep things', labels, outputs, options });
  const [first, second] = [
    await make(['red shop'], things(1000, ['a'], ['a', 'b'], ['b'])),
    await make(['Blue shop'], [...things(1003, [], ['c', 'a'], ['a', 'b', 'c']), output(500, SOMEBODY)]),
  ];
  return {
    workerRun,
    txids: [first.txid!, second.txid!] as const,
    async listed(args: object = {}, origin = APP) {
      const answer = await called(workerRun, 'listOutputs', { basket: 'things', ...args }, { origin });
      return [answer.totalOutputs, ...answer.outputs.map(({ satoshis }) => satoshis)];
    },
  };
}

export async function acting() {
  const workerRun = await allowed();
  const make = (description: string, labels: string[], more: object = {}) =>
    called(workerRun, 'createAction', { description, labels, outputs: [output(700, SOMEBODY)], options, ...more });
  const { txid } = await make('the first', ['red', 'shop'], {
    outputs: things(1000, ['a']),
    version: 2,
    lockTime: 5,
  });
  await make('the second', ['Blue ', 'shop']);
  await make('the third', ['red']);
  await make('the fourth', []);
  return {
    workerRun,
    txid: txid!,
    async listed(args: object = {}, origin = APP) {
      const answer = await called(workerRun, 'listActions', { labels: [], ...args }, { origin });
      return [answer.totalActions, ...answer.actions.map(({ description }) => description.slice(4))];
    },
  };
}
