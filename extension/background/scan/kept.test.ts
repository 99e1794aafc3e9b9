/** What is kept for applications and was spent without this wallet: noticed by the network, and noticed to be back. */
import { describe, expect, test, vi } from 'vitest';
import { addressScript } from '../../../protocol/address.ts';
import { fromHex, toHex } from '../../../protocol/bytes.ts';
import { serializeTransaction, txidOf, type Transaction } from '../../../protocol/transaction.ts';
import type { AppOutput } from '../baskets/app-output.ts';
import { APP, appScript, called, output, signInput, transactionIn } from '../testing/applications.ts';
import { useNetwork } from '../testing/network.ts';
import { give, openWallet, PASSWORD, someone } from '../testing/wallet.ts';
import type { WorkerRun } from '../testing/worker-run.ts';
import type { ScanProgress } from './progress.ts';

const network = useNetwork();
const ownFetch = globalThis.fetch;
const ANYONE = '51';

interface Kept {
  workerRun: WorkerRun;
  /** Their outpoints, as the interface writes them. */
  things: string[];
  refresh: () => Promise<void>;
  listed: () => Promise<string[]>;
}

/** A wallet that keeps outputs with these scripts, each of 5,000 satoshis, in a block. */
async function keeping(...scripts: string[]): Promise<Kept> {
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
      await workerRun.modules.poll.refresh();
      expect(workerRun.modules.poll.lastProblem()).toBeNull();
    },
    listed: async () =>
      (await called(workerRun, 'listOutputs', { basket: 'things' })).outputs.map(({ outpoint }) => outpoint),
  };
}

/** Somebody spends one, with the application's key where it takes one. */
async function spend(thing: string, script: string): Promise<void> {
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

describe('what is kept for an application', () => {
  test('and is spent elsewhere is not offered any more after the next look, and is gone for restoring', async () => {
    const { workerRun, things, refresh, listed } = await keeping(appScript(0), appScript(0));
    await refresh();
    expect(await listed()).toEqual(things);
    await spend(things[0]!, appScript(0));
    await refresh();
    expect(await listed()).toEqual([things[1]]);
    const db = await workerRun.modules.database.database();
    expect(await db.get('appLog', `${things[0]!.replace('.', ':')} output ${APP}`)).toMatchObject({
      entry: { kind: 'output-gone' },
    });
    expect(await db.getAll('appOutputs')).toMatchObject([{ status: 'spent', spentBy: null }, { status: 'available' }]);
  });

  test('and has a script that the wallet cannot read is spent once a block holds what spends it', async () => {
    const { things, refresh, listed } = await keeping(ANYONE);
    await spend(things[0]!, ANYONE);
    await refresh();
    expect(await listed()).toEqual(things);
    await network.mine();
    await refresh();
    expect(await listed()).toEqual([]);
  });

  test('is offered again once nothing spends it after all, whatever its own transaction does meanwhile', async () => {
    const { workerRun, things, refresh, listed } = await keeping(appScript(0));
    await spend(things[0]!, appScript(0));
    await refresh();
    expect(await listed()).toEqual([]);
    // The index forgets the spender, as it does with what the network drops.
    const { fetch: worker } = globalThis;
    globalThis.fetch = (url, init) =>
      String(url).endsWith('/spent') ? Promise.resolve(new Response('', { status: 404 })) : worker(url, init);
    await refresh();
    globalThis.fetch = worker;
    expect(await listed()).toEqual(things);
    const db = await workerRun.modules.database.database();
    expect(await db.get('appLog', `${things[0]!.replace('.', ':')} output ${APP}`)).toMatchObject({
      entry: { kind: 'output' },
    });
    await refresh();
    expect(await listed()).toEqual([]);
  });

  test('is watched until a block holds what spends it, however long that takes', async () => {
    const { workerRun, things, refresh, listed } = await keeping(appScript(0));
    await spend(things[0]!, appScript(0));
    await refresh();
    expect(await listed()).toEqual([]);
    const now = Date.now();
    vi.spyOn(Date, 'now').mockImplementation(() => now + 25 * 3600_000);
    await refresh();
    await refresh();
    const { fetch: worker } = globalThis;
    globalThis.fetch = (url, init) =>
      String(url).endsWith('/spent') ? Promise.resolve(new Response('', { status: 404 })) : worker(url, init);
    await refresh();
    globalThis.fetch = worker;
    vi.restoreAllMocks();
    await workerRun.modules.vault.unlock(PASSWORD); // a day later it was locked
    expect(await listed()).toEqual(things);
  });

  test('is looked at in turn, however much there is, and at once where an application was just shown it', async () => {
    const { workerRun, things, refresh, listed } = await keeping(...Array.from({ length: 35 }, () => appScript(0)));
    const questions = () =>
      workerRun.crashPoints.filter((name) => name.startsWith('before') && name.endsWith('/spent')).length;
    workerRun.dieAt(Number.POSITIVE_INFINITY);
    await refresh();
    expect(questions()).toBe(10);
    await spend(things[34]!, appScript(0));
    for (let i = 0; i < 3; i += 1) await refresh();
    expect(questions()).toBe(35);
    await called(workerRun, 'listOutputs', { basket: 'things', limit: 1, offset: 20 });
    await spend(things[20]!, appScript(0));
    await refresh();
    expect((await called(workerRun, 'listOutputs', { basket: 'things' })).totalOutputs).toBe(33);
    expect(await listed()).not.toContain(things[34]);
  });

  test('is watched for each site, however many another site has: a greedy one loses its own alone', async () => {
    const { workerRun, things, refresh, listed } = await keeping(appScript(0));
    await spend(things[0]!, appScript(0));
    await refresh();
    // Somebody else's, all of them found later; each as if it had been found spent.
    const db = await workerRun.modules.database.database();
    const progress = (await db.get('keyval', 'scan')) as ScanProgress;
    const [mine] = progress.kept!.spent;
    expect(mine).toMatchObject({ origin: APP });
    const greedy = Array.from({ length: 300 }, (_, n) => ({
      outpoint: `${n.toString(16).padStart(64, '0')}:0`,
      origin: 'https://greedy.example',
      until: mine!.until,
    }));
    const { id: _, ...kept } = (await db.getFromIndex('appOutputs', 'outpoint', mine!.outpoint))!;
    for (const { outpoint, origin } of greedy) await db.add('appOutputs', { ...kept, outpoint, origin } as AppOutput);
    await db.put('keyval', { ...progress, kept: { spent: [mine!, ...greedy] } }, 'scan');
    const { fetch: worker } = globalThis;
    globalThis.fetch = (url, init) =>
      String(url).endsWith('/spent') ? Promise.resolve(new Response('', { status: 404 })) : worker(url, init);
    await refresh();
    globalThis.fetch = worker;
    const { spent } = ((await db.get('keyval', 'scan')) as ScanProgress).kept!;
    expect(spent).toHaveLength(200);
    expect(spent).toContainEqual(expect.objectContaining({ outpoint: mine!.outpoint }));
    expect(await listed()).toContain(things[0]);
  });

  test('and was just shown is looked at soon, whatever other sites were shown before', async () => {
    const { workerRun, things, refresh, listed } = await keeping(...Array.from({ length: 12 }, () => appScript(0)));
    const { lookSoon } = await import('./kept.ts');
    lookSoon(
      'https://greedy.example',
      Array.from({ length: 300 }, (_, n) => `${n.toString(16).padStart(64, '0')}:0`),
    );
    await spend(things[11]!, appScript(0));
    await called(workerRun, 'listOutputs', { basket: 'things', limit: 1, offset: 11 });
    await refresh();
    expect(await listed()).not.toContain(things[11]);
  });
});
