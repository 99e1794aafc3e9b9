import { PrivateKey } from '@bsv/sdk';
import { APP, appScript, called, output } from '../../testkit/wallet/applications.ts';
import { useNetwork } from '../../testkit/network/network.ts';
import { give, openWallet, stored } from '../../testkit/wallet/wallet.ts';
import type { WorkerRun } from '../../testkit/wallet/worker-run.ts';
import { wallet } from '../../testkit/wallet/current.ts';

export const network = useNetwork();

/** Contents of the used wallet that any page could name, because they are public on the chain. */
export interface Known {
  /** Outpoints of the user's coin, of another application's basket output, and of an output unknown to the wallet. */
  outpoints: string[];
  /** Another application's transaction, as Atomic BEEF. */
  beef: number[];
  txid: string;
  /** The reference of another application's unsigned action. */
  reference: string;
}
export const stranger = PrivateKey.fromHex('05'.repeat(32)).toPublicKey().toString();

/** Returns level 0 keys for every counterparty. Levels 1 and 2 have their own permissions. */
export const keys = (more: object): object[] =>
  [...[undefined, 'anyone', stranger].map((counterparty) => [0, counterparty]), [1, 'self'], [2, 'anyone']].flatMap(
    ([level, counterparty]) =>
      [undefined, false].map((seekPermission) => ({
        protocolID: [level, 'tests of strangers'],
        keyID: '1',
        counterparty,
        seekPermission,
        ...more,
      })),
  );

/** Returns all of the wallet's records, by store and key. */
export async function dump({ modules }: WorkerRun): Promise<Map<string, string>> {
  const db = await modules.database.database(wallet);
  const kept = new Map<string, string>();
  for (const name of db.objectStoreNames) {
    const store = db.transaction(name).store;
    const [keys, values] = await Promise.all([store.getAllKeys(), store.getAll()]);
    for (const [i, key] of keys.entries())
      kept.set(
        `${name} ${JSON.stringify(key)}`,
        JSON.stringify(values[i], (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value)),
      );
  }
  return kept;
}

/**
 * Starts a used wallet: it has money, and another application has an allowance, basket outputs and an unsigned action.
 */
export async function usedWallet(): Promise<{ run: WorkerRun; known: Known }> {
  const run = await openWallet(network, [1_000_000, 500_000]);
  await give(run, { origin: APP, currency: 'BSV', limit: 900_000n });
  const outputs = [output(1000, appScript(0), { basket: 'things' })];
  const options = { acceptDelayedBroadcast: false, randomizeOutputs: false };
  const { txid = '', tx } = await called(run, 'createAction', {
    description: 'a thing',
    labels: ['shop'],
    outputs,
    options,
  });
  const { signableTransaction } = await called(run, 'createAction', {
    description: 'another thing',
    outputs: [output(1000, appScript(1))],
    options: { signAndProcess: false },
  });
  const mine = (await stored(run)).coins.find(({ status }) => status === 'available')!;
  const outpoints = [`${txid}.0`, `${mine.txid}.${mine.vout}`, `${'ab'.repeat(32)}.0`];
  await network.mine();
  return { run, known: { outpoints, txid, beef: tx!, reference: signableTransaction!.reference } };
}
