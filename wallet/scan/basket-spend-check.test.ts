/** Tests how the wallet detects that outputs in applications' baskets were spent elsewhere, or are available again. */
import { describe, expect, test, vi } from 'vitest';
import type { AppOutput } from '../baskets/app-output.ts';
import { APP, appScript, called } from '../../testkit/wallet/applications.ts';
import { WATCHED_MS } from './basket-spend-check.ts';
import type { ScanProgress } from './history/progress.ts';
import { network, ANYONE, keeping, spend } from './testing-basket-spends.ts';
import { wallet } from '../../testkit/wallet/current.ts';

describe('an output kept for an application', () => {
  test('an output spent elsewhere is not offered after the next check, and is gone once a block contains the spender', async () => {
    const { workerRun, things, refresh, listed } = await keeping(appScript(0), appScript(0));
    await refresh();
    expect(await listed()).toEqual(things);
    await spend(things[0]!, appScript(0));
    await refresh();
    expect(await listed()).toEqual([things[1]]);
    const db = await workerRun.modules.database.database(wallet);
    const kindLogged = async () =>
      (await db.get('appLog', `${things[0]!.replace('.', ':')} output ${APP}`))?.entry.kind;
    expect(await kindLogged()).toBe('output');
    expect(await db.getAll('appOutputs')).toMatchObject([{ status: 'spent', spentBy: null }, { status: 'available' }]);
    const now = Date.now();
    vi.spyOn(Date, 'now').mockImplementation(() => now + WATCHED_MS + 1000);
    await refresh();
    expect(await kindLogged()).toBe('output');
    await network.mine();
    vi.spyOn(Date, 'now').mockImplementation(() => now + 2 * WATCHED_MS + 2000);
    await refresh();
    vi.restoreAllMocks();
    expect(await kindLogged()).toBe('output-gone');
  });

  test('an output with an unreadable script is spent once a block contains the spender', async () => {
    const { things, refresh, listed } = await keeping(ANYONE);
    await spend(things[0]!, ANYONE);
    await refresh();
    expect(await listed()).toEqual(things);
    await network.mine();
    await refresh();
    expect(await listed()).toEqual([]);
  });

  test('an output is offered again once nothing spends it, regardless of its own transaction', async () => {
    const { workerRun, things, refresh, listed } = await keeping(appScript(0));
    await spend(things[0]!, appScript(0));
    await refresh();
    expect(await listed()).toEqual([]);
    // The index drops the spender, as it does for transactions that the network drops.
    const { fetch: worker } = globalThis;
    globalThis.fetch = (url, init) =>
      String(url).endsWith('/spent') ? Promise.resolve(new Response('', { status: 404 })) : worker(url, init);
    await refresh();
    globalThis.fetch = worker;
    expect(await listed()).toEqual(things);
    const db = await workerRun.modules.database.database(wallet);
    expect(await db.get('appLog', `${things[0]!.replace('.', ':')} output ${APP}`)).toMatchObject({
      entry: { kind: 'output' },
    });
    await refresh();
    expect(await listed()).toEqual([]);
  });

  test('an output is offered again once nothing spends it, even if the user has chosen another index since', async () => {
    const { workerRun, things, refresh, listed } = await keeping(appScript(0));
    await spend(things[0]!, appScript(0));
    await refresh();
    expect(await listed()).toEqual([]);
    const { 'network/read': read, 'network/choose': choose } = workerRun.modules.handlers.walletHandlers(wallet);
    const { network: chain, arcUrl, wocUrl } = await read({});
    await choose({ network: chain, arcUrl, wocUrl });
    const { fetch: worker } = globalThis;
    globalThis.fetch = (url, init) =>
      String(url).endsWith('/spent') ? Promise.resolve(new Response('', { status: 404 })) : worker(url, init);
    for (let i = 0; i < 4; i += 1) await refresh();
    globalThis.fetch = worker;
    expect(await listed()).toEqual(things);
  });

  test('an output is watched for each site, so a greedy site loses only its own', async () => {
    const { workerRun, things, refresh, listed } = await keeping(appScript(0));
    await spend(things[0]!, appScript(0));
    await refresh();
    // Adds many outputs for a greedy site, all recorded as spent.
    const db = await workerRun.modules.database.database(wallet);
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

  test('an output that was just shown is checked soon, regardless of those shown to other sites', async () => {
    const { workerRun, things, refresh, listed } = await keeping(...Array.from({ length: 12 }, () => appScript(0)));
    const { checkSoon } = await import('./basket-spend-check.ts');
    checkSoon(
      wallet,
      'https://greedy.example',
      Array.from({ length: 300 }, (_, n) => `${n.toString(16).padStart(64, '0')}:0`),
    );
    await spend(things[11]!, appScript(0));
    await called(workerRun, 'listOutputs', { basket: 'things', limit: 1, offset: 11 });
    await refresh();
    expect(await listed()).not.toContain(things[11]);
  });
});
