import { afterEach, describe, expect, test } from 'vitest';
import { codeOf } from '../../../testing/code-of.ts';
import { endAllWorkerRuns } from '../../../testkit/wallet/worker-run.ts';
import { wallet as current } from '../../../testkit/wallet/current.ts';
import { addressOf, listOnly, pay, spend, startIndex, wallet } from '../testing-scan.ts';

afterEach(endAllWorkerRuns);

describe('a wallet restored from its words', () => {
  test('coins of one satoshi are stored apart, because they may hold tokens', async () => {
    const network = await startIndex();
    for (const [at, value] of [
      [0, 1],
      [3, 1],
      [3, 2],
      [5, 700],
    ] as const)
      pay(network, 'receive', at, value);
    const { refreshCoins, overview } = await wallet(network, true);
    await refreshCoins(current);
    expect(await overview.overview(current)).toMatchObject({
      satoshis: '702',
      unconfirmedSatoshis: '702',
      keptApart: 2,
    });
  });

  test('a restore continues after an interruption', async () => {
    const network = await startIndex();
    pay(network, 'receive', 3, 500);
    network.lies = 'down';
    const { refreshCoins, satoshis } = await wallet(network, true);
    expect(await codeOf(refreshCoins(current))).toBe('network-unavailable');
    network.lies = null;
    await refreshCoins(current);
    expect(await satoshis()).toBe(500n);
  });
});

describe('a search for coins', () => {
  test('received money is found once, with the address that received it', async () => {
    const network = await startIndex();
    const { refreshCoins, satoshis, coins, overview, database } = await wallet(network, false);
    const first = (await overview.overview(current)).receiveAddress;
    expect(first).toBe(addressOf('receive', 0));
    const coin = pay(network, 'receive', 0, 700);
    await Promise.all([refreshCoins(current), refreshCoins(current), refreshCoins(current)]);
    await refreshCoins(current);
    expect(await satoshis()).toBe(700n);
    expect(await coins()).toEqual([{ outpoint: `${coin.txid}:1`, status: 'available', height: null }]);
    expect((await overview.overview(current)).receiveAddress).toBe(addressOf('receive', 1));
    expect(await (await database.database(current)).getAll('receipts')).toMatchObject([
      { txid: coin.txid, satoshis: 700n, address: first },
    ]);
    expect(network.asked.filter((a) => a.url.endsWith('/hex'))).toHaveLength(1);
  });

  test('a coin that another wallet with the same words spent is recorded only if the index reports its spender', async () => {
    const network = await startIndex();
    pay(network, 'receive', 0, 100);
    const gone = pay(network, 'receive', 1, 200);
    const { refreshCoins, satoshis } = await wallet(network, false);
    await refreshCoins(current);
    listOnly(network, []); // the index temporarily omits both coins
    await refreshCoins(current);
    expect(await satoshis()).toBe(300n);
    network.instead.clear();
    spend(network, [gone]);
    await refreshCoins(current);
    expect(await satoshis()).toBe(100n);
  });

  test('a coin is kept if its reported spender doesn’t spend it, and one that returns is restored', async () => {
    const network = await startIndex();
    const [kept, gone] = [pay(network, 'receive', 0, 100), pay(network, 'receive', 1, 200)];
    const { refreshCoins, satoshis } = await wallet(network, false);
    await refreshCoins(current);
    const spender = spend(network, [gone]);
    // a lie: that transaction spends a different output
    network.instead.set(`/tx/${kept.txid}/1/spent`, { body: { txid: kept.txid } });
    listOnly(network, []);
    expect(await codeOf(refreshCoins(current))).toBe('invalid-proof');
    expect(await satoshis()).toBe(100n);
    network.forget(spender);
    network.instead.clear();
    await refreshCoins(current);
    expect(await satoshis()).toBe(300n);
  });

  test('a spender signed for only one coin spends no other', async () => {
    const network = await startIndex();
    const [one, other] = [pay(network, 'receive', 0, 100), pay(network, 'receive', 0, 200)];
    const { refreshCoins, satoshis } = await wallet(network, false);
    await refreshCoins(current);
    spend(network, [one, other], { value: 100 }); // the signature assumes the same amount for both
    await refreshCoins(current).catch(() => undefined);
    await refreshCoins(current).catch(() => undefined);
    expect(await satoshis()).toBe(200n);
  });

  test('a coin is confirmed only by a valid proof', async () => {
    const network = await startIndex();
    const coin = pay(network, 'receive', 0, 100);
    network.mine(['ee'.repeat(32), coin.txid, 'ff'.repeat(32)]);
    const proof = `/tx/${coin.txid}/proof/tsc`;
    network.instead.set(proof, { status: 404 });
    const { refreshCoins, coins, store, overview, poll, database } = await wallet(network, false);
    await refreshCoins(current); // reported as confirmed, without a proof
    expect((await coins())[0]?.height).toBeNull();
    network.instead.set(proof, { body: [{ ...network.chain.proof(coin.txid), index: 0 }] });
    expect(await codeOf(refreshCoins(current))).toBe('invalid-proof');
    await poll.refresh(current);
    expect((await overview.overview(current)).problem?.code).toBe('invalid-proof');
    expect((await coins())[0]?.height).toBeNull();
    expect((await store.balance(current)).unconfirmed).toBe(100n);
    network.instead.clear();
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
    const network = await startIndex();
    const coin = pay(network, 'receive', 0, 100);
    const { refreshCoins, satoshis } = await wallet(network, false);
    await refreshCoins(current);
    for (const at of [20, 40]) pay(network, 'receive', at, 10);
    await refreshCoins(current);
    expect(await satoshis()).toBe(120n);
    spend(network, [coin]);
    await refreshCoins(current);
    expect(await satoshis()).toBe(20n);
  });

  test('twenty addresses beyond the last used one are searched, on every chain', async () => {
    const network = await startIndex();
    const { refreshCoins, satoshis } = await wallet(network, false);
    await refreshCoins(current);
    for (const at of [19, 39, 59]) pay(network, 'service', at, 10);
    pay(network, 'change', 19, 10);
    pay(network, 'receive', 20, 10); // beyond the gap limit
    await refreshCoins(current);
    expect(await satoshis()).toBe(40n);
  });

  test('coins are requested from the wallet’s network, regardless of the selected service', async () => {
    const network = await startIndex();
    const { overview } = await wallet(network, false);
    expect(await overview.requestFaucetCoins(current, 500)).toEqual({ txid: [...network.known.keys()][0] });
    expect(
      network.asked.filter(({ url }) => url.includes('faucet')).map(({ url, body }) => [url, JSON.parse(body)]),
    ).toEqual([['/faucet', { address: addressOf('receive', 0), satoshis: 500 }]]);
  });

  test('nothing is searched without a wallet', async () => {
    const network = await startIndex();
    const { refreshCoins, database } = await wallet(network, false);
    await database.deleteKey(current, 'publicKeys');
    expect(await codeOf(refreshCoins(current))).toBe('wallet-not-set-up');
  });
});
