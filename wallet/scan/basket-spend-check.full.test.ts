import { describe, expect, test, vi } from 'vitest';
import { appScript, called } from '../../testkit/wallet/applications.ts';
import { PASSWORD } from '../../testkit/wallet/wallet.ts';
import { keeping, spend } from './testing-basket-spends.ts';
import { wallet } from '../../testkit/wallet/current.ts';

describe('an output kept for an application', () => {
  test('an output is watched until a block contains the spender, regardless of the time', async () => {
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
    await workerRun.modules.vault.unlock(wallet, PASSWORD); // the wallet locked itself during that day
    expect(await listed()).toEqual(things);
  });

  test('kept outputs are checked in rotation, and immediately if an application was just shown one', async () => {
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
});
