/** Tests the storage limit for a site's internalized actions: newer ones replace the oldest, and no money is lost. */
import { expect, test } from 'vitest';
import { p2pkhScript } from '../../../protocol/bitcoin/address.ts';
import { toHex } from '../../../protocol/bitcoin/bytes.ts';
import { call, called, APP, output } from '../../../testkit/wallet/applications.ts';
import { copyOf } from '../../../testkit/wallet/copies.ts';
import { give, openWallet } from '../../../testkit/wallet/wallet.ts';
import type { WorkerRun } from '../../../testkit/wallet/worker-run.ts';
import { bringing, insertion, network, payment, received } from './internalize/testing-internalize-action.ts';
import { wallet as current } from '../../../testkit/wallet/current.ts';

const SOMEBODY = toHex(p2pkhScript(new Uint8Array(20).fill(9)));
const [OTHER, THIRD] = ['https://other.example', 'https://third.example'] as const;
const [MAX_BYTES_PER_SITE, MAX_TOTAL_BYTES] = [4_000_000, 16_000_000];

const dbOf = ({ modules }: WorkerRun) => modules.database.database(current);
const bytesOf = async (workerRun: WorkerRun, name: string) =>
  ((await (await dbOf(workerRun)).get('totals', name)) as { bytes: number } | undefined)?.bytes ?? 0;
/** Sets the stored total of a site's internalized actions (bytes). */
const setBrought = async (workerRun: WorkerRun, bytes: number, origin: string) =>
  (await dbOf(workerRun)).put('totals', { bytes }, `brought ${origin}`);
const broughtBy = async (workerRun: WorkerRun, origin: string) =>
  (await (await dbOf(workerRun)).getAll('appActions'))
    .filter((one) => one.origin === origin && one.incoming)
    .map(({ txid }) => txid);

async function wallet(): Promise<WorkerRun> {
  const workerRun = await openWallet(network, [500_000]);
  for (const origin of [APP, OTHER, THIRD]) await give(workerRun, { origin, currency: 'BSV', limit: 1_000_000n });
  return workerRun;
}

/** Internalizes another site's transaction. @returns its ID */
async function bringIn(workerRun: WorkerRun, origin: string = OTHER): Promise<string> {
  const { tx, txid } = await called(workerRun, 'createAction', {
    description: 'send a thing',
    outputs: [output(5000, SOMEBODY)],
    options: { randomizeOutputs: false, acceptDelayedBroadcast: false },
  });
  await called(workerRun, 'internalizeAction', bringing(tx!, insertion(0)), { origin });
  return txid!;
}

test('a site’s oldest internalized actions are removed from the wallet and its log to make room for new ones', async () => {
  const workerRun = await wallet();
  const [first, second] = [await bringIn(workerRun), await bringIn(workerRun)];
  const each = (await bytesOf(workerRun, `brought ${OTHER}`)) / 2;
  expect(await broughtBy(workerRun, OTHER)).toEqual([first, second]);
  const kept = await bytesOf(workerRun, `kept ${OTHER}`);
  await setBrought(workerRun, MAX_BYTES_PER_SITE, OTHER);
  const third = await bringIn(workerRun);
  expect(await broughtBy(workerRun, OTHER)).toEqual([second, third]);
  expect(await bytesOf(workerRun, `brought ${OTHER}`)).toBe(MAX_BYTES_PER_SITE);
  expect(await bytesOf(workerRun, `kept ${OTHER}`)).toBe((kept / 2) * 3 - each);
  const logged = await (await dbOf(workerRun)).getAllKeys('appLog');
  expect(logged.filter((key) => key.includes(`action ${OTHER}`)).sort()).toEqual(
    [second, third].map((txid) => `${txid} action ${OTHER}`).sort(),
  );
  const { actions } = await called(workerRun, 'listActions', { labels: ['inbox'] }, { origin: OTHER });
  expect(actions.map(({ txid }) => txid)).toEqual([second, third]);
  // The transaction's outputs remain in the basket, and actions created by the wallet remain in the list.
  const { outputs } = await called(workerRun, 'listOutputs', { basket: 'things' }, { origin: OTHER });
  expect(outputs.map(({ outpoint }) => outpoint)).toEqual([first, second, third].map((txid) => `${txid}.0`));
  expect(await (await dbOf(workerRun)).countFromIndex('appActions', 'origin', APP)).toBe(3);
});

test('the site with the most data loses its oldest action if all sites together exceed the limit', async () => {
  const workerRun = await wallet();
  const [first, own] = [await bringIn(workerRun), await bringIn(workerRun, THIRD)];
  for (let n = 0; n < 4; n += 1) await setBrought(workerRun, MAX_TOTAL_BYTES / 5, `https://${n}.other.example`);
  await setBrought(workerRun, MAX_TOTAL_BYTES / 5 + 100, OTHER);
  const next = await bringIn(workerRun, THIRD);
  expect(await broughtBy(workerRun, OTHER)).not.toContain(first);
  expect(await broughtBy(workerRun, THIRD)).toEqual([own, next]);
});

test('removing an internalized action keeps its money, and a copy of its transaction is still rejected', async () => {
  const { workerRun, arrived } = await received([
    [70_000, 'payment'],
    [700, 'thing'],
  ]);
  await give(workerRun, { origin: APP, currency: 'BSV', limit: 1_000_000n });
  await called(workerRun, 'internalizeAction', bringing(arrived.tx, payment(0)));
  const { satoshis } = await workerRun.modules.store.balance(current);
  expect(satoshis).toBeGreaterThan(69_000n);
  await setBrought(workerRun, MAX_BYTES_PER_SITE + 1, APP);
  const { countInternalized } = await import('../../baskets/brought.ts');
  const [row] = await (await dbOf(workerRun)).getAll('appActions');
  await workerRun.modules.database.inTransaction(current, (tx) => countInternalized(current, tx, row!));
  expect(await broughtBy(workerRun, APP)).toEqual([]);
  expect((await workerRun.modules.store.balance(current)).satoshis).toBe(satoshis);
  expect(await (await dbOf(workerRun)).getAllKeys('appLog')).toEqual([`${arrived.txid}:0 payment`]);
  const hex = await (await fetch(`${network.url}/devnet/woc/v1/bsv/test/tx/${arrived.txid}/hex`)).text();
  expect(await call(workerRun, 'createAction', copyOf(hex))).toHaveProperty('parameter');
});
