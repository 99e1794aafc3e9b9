import { afterEach, describe, expect, test } from 'vitest';
import { codeOf } from '../../../testing/code-of.ts';
import { index, wallet } from '../../../testkit/network/scripted-index.ts';
import { endAllWorkerRuns } from '../../../testkit/wallet/worker-run.ts';
import { wallet as current } from '../../../testkit/wallet/current.ts';

afterEach(endAllWorkerRuns);

describe('a wallet restored from its words', () => {
  test('coins of one satoshi are stored apart, because they may hold tokens', async () => {
    const network = await index();
    for (const [at, value] of [
      [0, 1],
      [3, 1],
      [3, 2],
      [5, 700],
    ] as const)
      network.pay('receive', at, value);
    const { refreshCoins, overview } = await wallet(network.url, true);
    await refreshCoins(current);
    expect(await overview.overview(current)).toMatchObject({
      satoshis: '702',
      unconfirmedSatoshis: '702',
      keptApart: 2,
    });
  });

  test('a restore continues after an interruption', async () => {
    const network = await index();
    network.pay('receive', 3, 500);
    network.state.down = true;
    const { refreshCoins, satoshis } = await wallet(network.url, true);
    expect(await codeOf(refreshCoins(current))).toBe('network-unavailable');
    network.state.down = false;
    await refreshCoins(current);
    expect(await satoshis()).toBe(500n);
  });
});

describe('a search for coins', () => {
  test('received money is found once, with the address that received it', async () => {
    const network = await index();
    const { refreshCoins, satoshis, coins, overview, database } = await wallet(network.url, false);
    const first = (await overview.overview(current)).receiveAddress;
    expect(first).toBe(network.addressOf('receive', 0));
    const coin = network.pay('receive', 0, 700);
    await Promise.all([refreshCoins(current), refreshCoins(current), refreshCoins(current)]);
    await refreshCoins(current);
    expect(await satoshis()).toBe(700n);
    expect(await coins()).toEqual([{ outpoint: `${coin.txid}:1`, status: 'available', height: null }]);
    expect((await overview.overview(current)).receiveAddress).toBe(network.addressOf('receive', 1));
    expect(await (await database.database(current)).getAll('receipts')).toMatchObject([
      { txid: coin.txid, satoshis: 700n, address: first },
    ]);
    expect(network.asked.filter((a) => a.url.endsWith('/hex'))).toHaveLength(1);
  });

  test('a coin that another wallet with the same words spent is recorded only if the index reports its spender', async () => {
    const network = await index();
    const [kept, gone] = [network.pay('receive', 0, 100), network.pay('receive', 1, 200)];
    const { refreshCoins, satoshis } = await wallet(network.url, false);
    await refreshCoins(current);
    network.state.coins.length = 0; // the index temporarily omits both coins
    await refreshCoins(current);
    expect(await satoshis()).toBe(300n);
    network.state.coins.push(kept, gone);
    network.spend(gone);
    await refreshCoins(current);
    expect(await satoshis()).toBe(100n);
  });

  test('a coin is kept if its reported spender doesn’t spend it, and one that returns is restored', async () => {
    const network = await index();
    const [kept, gone] = [network.pay('receive', 0, 100), network.pay('receive', 1, 200)];
    const { refreshCoins, satoshis } = await wallet(network.url, false);
    await refreshCoins(current);
    network.spend(gone);
    network.state.spent.set(`${kept.txid}:1`, kept.txid); // a lie: that transaction spends a different output
    network.state.coins.length = 0;
    expect(await codeOf(refreshCoins(current))).toBe('invalid-proof');
    expect(await satoshis()).toBe(100n);
    network.state.coins.push(kept, gone); // the network dropped the spend
    await refreshCoins(current);
    expect(await satoshis()).toBe(300n);
  });

  test('a spender signed for only one coin spends no other', async () => {
    const network = await index();
    const [one, other] = [network.pay('receive', 0, 100), network.pay('receive', 0, 200)];
    const { refreshCoins, satoshis } = await wallet(network.url, false);
    await refreshCoins(current);
    network.spendAll([one, other], undefined, 100); // the signature assumes the same amount for both
    network.state.coins.length = 0;
    await refreshCoins(current).catch(() => undefined);
    await refreshCoins(current).catch(() => undefined);
    expect(await satoshis()).toBe(200n);
  });

  test('a coin is confirmed only by a valid proof', async () => {
    const network = await index();
    const coin = network.pay('receive', 0, 100, 30);
    const { refreshCoins, coins, store, overview, poll, database } = await wallet(network.url, false);
    await refreshCoins(current); // reported as confirmed, without a proof
    expect((await coins())[0]?.height).toBeNull();
    network.chain.mine(['ee'.repeat(32), coin.txid, 'ff'.repeat(32)]);
    network.proofs.set(coin.txid, { ...network.chain.proof(coin.txid), index: 0 });
    expect(await codeOf(refreshCoins(current))).toBe('invalid-proof');
    await poll.refresh(current);
    expect((await overview.overview(current)).problem?.code).toBe('invalid-proof');
    expect((await coins())[0]?.height).toBeNull();
    expect((await store.balance(current)).unconfirmed).toBe(100n);
    network.proofs.clear();
    await refreshCoins(current);
    await poll.refresh(current);
    expect((await overview.overview(current)).problem).toBeNull();
    expect((await coins())[0]?.height).toBe(30);
    expect((await store.balance(current)).unconfirmed).toBe(0n);
    // The receipt shows when the coin was received, not when the wallet found it.
    expect(await (await database.database(current)).getAll('receipts')).toMatchObject([
      { txid: coin.txid, createdAt: network.chain.blocks[30]!.header.time * 1000 },
    ]);
  });

  test('an unconfirmed coin is watched, regardless of how many addresses were used since', async () => {
    const network = await index();
    const coin = network.pay('receive', 0, 100);
    const { refreshCoins, satoshis } = await wallet(network.url, false);
    await refreshCoins(current);
    for (const at of [20, 40]) network.pay('receive', at, 10);
    await refreshCoins(current);
    expect(await satoshis()).toBe(120n);
    network.spend(coin);
    await refreshCoins(current);
    expect(await satoshis()).toBe(20n);
  });

  test('twenty addresses beyond the last used one are searched, on every chain', async () => {
    const network = await index();
    const { refreshCoins, satoshis } = await wallet(network.url, false);
    await refreshCoins(current);
    for (const at of [19, 39, 59]) network.pay('service', at, 10);
    network.pay('change', 19, 10);
    network.pay('receive', 20, 10); // beyond the gap limit
    await refreshCoins(current);
    expect(await satoshis()).toBe(40n);
  });

  test('coins are requested from the wallet’s network, regardless of the selected service', async () => {
    const network = await index();
    const { overview } = await wallet(network.url, false);
    expect(await overview.requestFaucetCoins(current, 500)).toEqual({ txid: 'fa'.repeat(32) });
    expect(
      network.asked.filter(({ url }) => url.includes('faucet')).map(({ url, body }) => [url, JSON.parse(body)]),
    ).toEqual([['/faucet', { address: network.addressOf('receive', 0), satoshis: 500 }]]);
  });

  test('nothing is searched without a wallet', async () => {
    const network = await index();
    const { refreshCoins, database } = await wallet(network.url, false);
    await database.deleteKey(current, 'publicKeys');
    expect(await codeOf(refreshCoins(current))).toBe('wallet-not-set-up');
  });
});
