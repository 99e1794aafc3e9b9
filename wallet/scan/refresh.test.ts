/** The addresses that one refresh searches, its request limits, and the work left for the next refresh. */
import { afterEach, describe, expect, test } from 'vitest';
import { endAllWorkerRuns } from '../../testkit/wallet/worker-run.ts';
import { index, wallet } from '../../testkit/network/scripted-index.ts';
import { wallet as current } from '../../testkit/wallet/current.ts';

afterEach(endAllWorkerRuns);

describe('transactions that pay the wallet', () => {
  test('transactions hide no others if the index fails at one, and are read once it responds', async () => {
    const network = await index();
    const [failing] = [network.pay('receive', 0, 500), network.pay('receive', 1, 70)] as const;
    network.state.failing.add(failing.txid);
    const { refreshCoins, satoshis, overview } = await wallet(network.url, false);
    await refreshCoins(current);
    expect(await satoshis()).toBe(70n);
    expect(await overview.overview(current)).toMatchObject({ unread: 1, problem: null });
    network.state.failing.clear();
    await refreshCoins(current);
    expect(await satoshis()).toBe(570n);
    expect(await overview.overview(current)).toMatchObject({ unread: 0 });
  });
});
