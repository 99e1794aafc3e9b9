/** What is kept for applications and was spent without this wallet: noticed by the network, and noticed to be back. */
import { describe, expect, test } from 'vitest';
import type { AppOutput } from '../baskets/app-output.ts';
import { APP, appScript, called } from '../testing/applications.ts';
import type { ScanProgress } from './progress.ts';
import { network, ANYONE, keeping, spend } from './testing-kept.ts';

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
