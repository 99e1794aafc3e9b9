/** For tests: what lists.test.ts and lists.full.test.ts share. */
import { p2pkhScript } from '../../../../protocol/address.ts';
import { toHex } from '../../../../protocol/bytes.ts';
import { APP, appScript, output } from '../../testing/applications.ts';
import { useNetwork } from '../../testing/network.ts';
import { give, openWallet } from '../../testing/wallet.ts';
import type { WorkerRun } from '../../testing/worker-run.ts';

export const network = useNetwork();
export const SOMEBODY = toHex(p2pkhScript(new Uint8Array(20).fill(9)));
export const OTHER = { origin: 'https://other.example' };

export async function allowed(): Promise<WorkerRun> {
  const workerRun = await openWallet(network, [1_000_000]);
  await give(workerRun, { origin: APP, currency: 'BSV', limit: 1_000_000n });
  return workerRun;
}

export const options = { randomizeOutputs: false, acceptDelayedBroadcast: false };
/** Outputs of 1000 satoshis, 1001 and so on in the basket, each with its own tags. */
export const things = (first: number, ...tags: string[][]) =>
  tags.map((some, i) =>
    output(first + i, appScript(0), { basket: 'things', tags: some, customInstructions: `key ${first + i}` }),
  );
