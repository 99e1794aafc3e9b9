/** The addresses that one refresh searches, its request limits, and the work left for the next refresh. */
import { afterEach, describe, expect, test } from 'vitest';
import { endAllWorkerRuns } from '../../testkit/wallet/worker-run.ts';
import { wallet as current } from '../../testkit/wallet/current.ts';
import { pay, startIndex, wallet } from './testing-scan.ts';

afterEach(endAllWorkerRuns);

describe('transactions that pay the wallet', () => {
  test('transactions hide no others if the index fails at one, and are read once it responds', async () => {
    const network = await startIndex();
    network.instead.set(`/tx/${pay(network, 'receive', 0, 500).txid}/hex`, { status: 500 });
    pay(network, 'receive', 1, 70);
    const { refreshCoins, satoshis, overview } = await wallet(network, false);
    await refreshCoins(current);
    expect(await satoshis()).toBe(70n);
    expect(await overview.overview(current)).toMatchObject({ unread: 1, problem: null });
    network.instead.clear();
    await refreshCoins(current);
    expect(await satoshis()).toBe(570n);
    expect(await overview.overview(current)).toMatchObject({ unread: 0 });
  });
});
