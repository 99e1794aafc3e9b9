import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { codeOf } from '../../../testing/code-of.ts';
import type { ForkingNetwork } from '../../../testkit/network/forking.ts';
import { endAllWorkerRuns } from '../../../testkit/wallet/worker-run.ts';
import { testPair } from '../../../testkit/wallet/coins.ts';
import { CHAINS, type Chain } from '../../keys/keys.ts';
import { wallet as current } from '../../../testkit/wallet/current.ts';
import { addressOf, listOnly, pay, spend, startIndex, wallet, type OwnCoin } from '../testing-scan.ts';

afterEach(endAllWorkerRuns);

describe('a wallet restored from its words', () => {
  test('a restore finds every coin for any used addresses, as long as no twenty in a row are unused', async () => {
    // Distance from one used address to the next, and whether that address's coin is spent.
    const chain = fc.array(fc.record({ step: fc.integer({ min: 1, max: 20 }), spent: fc.boolean() }), { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(chain, chain, chain, async (...chains) => {
        const network = await startIndex();
        let expected = 0n;
        for (const [i, steps] of chains.entries()) {
          let at = -1;
          for (const { step, spent } of steps) {
            at += step;
            const coin = pay(network, CHAINS[i] as Chain, at, 1000 + at);
            if (spent) spend(network, [coin]);
            else expected += BigInt(coin.value);
          }
        }
        const { refreshCoins, satoshis, database } = await wallet(network, true);
        await refreshCoins(current);
        expect(await satoshis()).toBe(expected);
        expect(await database.readKey(current, 'scan')).toMatchObject({ done: true });
      }),
      {
        numRuns: 6,
        examples: [
          [
            [
              { step: 6, spent: false },
              { step: 17, spent: true },
              { step: 16, spent: true },
              { step: 17, spent: false },
            ],
            [],
            [],
          ],
        ],
      },
    );
  });

  test('a restore continues at the address that the last run of the worker reached, and continues counting', async () => {
    const network = await startIndex();
    pay(network, 'change', 2, 500);
    const { refreshCoins, satoshis, database } = await wallet(network, true);
    await database.writeKey(current, 'scan', {
      addresses: 20,
      coins: 3,
      done: false,
      next: { chain: 'change', from: 0 },
    });
    await refreshCoins(current);
    expect(await satoshis()).toBe(500n);
    expect(await database.readKey(current, 'scan')).toMatchObject({
      done: true,
      coins: 4,
      addresses: 20 + (3 + 400) + 400,
    });
    const searched = network.asked.filter(({ url }) => url.endsWith('/addresses/history/all'));
    expect(searched.length).toBeGreaterThan(0);
    expect(JSON.stringify(searched)).not.toContain(addressOf('receive', 0));
  });
});

describe('a search for coins', () => {
  test.each<[string, (network: ForkingNetwork, coin: OwnCoin) => unknown]>([
    ['with another value', (network, coin) => listOnly(network, [{ ...coin, value: coin.value + 1 }])],
    ['of another output', (network, coin) => listOnly(network, [{ ...coin, vout: 0 }])],
    ['of a missing output', (network, coin) => listOnly(network, [{ ...coin, vout: 9 }])],
    ['of a transaction that is another', ({ instead }, { txid }) => instead.set(`/tx/${txid}/hex`, { body: '00' })],
    ['of an unknown transaction', ({ instead }, { txid }) => instead.set(`/tx/${txid}/hex`, { status: 404 })],
    [
      'of a transaction with a trailing byte',
      ({ instead, known }, { txid }) => instead.set(`/tx/${txid}/hex`, { body: `${known.get(txid)?.hex}00` }),
    ],
    ["at another user's address", (network, coin) => listOnly(network, [{ ...coin, at: 1 }])],
  ])('a search accepts no coin %s', async (_, lie) => {
    const network = await startIndex();
    lie(network, pay(network, 'receive', 0));
    const { refreshCoins, coins } = await wallet(network, false);
    expect(await codeOf(refreshCoins(current))).toBe('invalid-proof');
    expect(await coins()).toEqual([]);
  });

  test.each<[string, (network: ForkingNetwork, coin: OwnCoin) => string]>([
    ["signed by another user's key", (network, coin) => spend(network, [coin], { key: testPair(5) })],
    ['signed for another value', (network, coin) => spend(network, [coin], { value: coin.value + 1 })],
  ])('a coin survives a spender %s, until a block contains the spender', async (_, lie) => {
    const network = await startIndex();
    const coin = pay(network, 'receive', 0, 700);
    const { refreshCoins, satoshis } = await wallet(network, false);
    await refreshCoins(current);
    const spender = lie(network, coin);
    for (let times = 0; times < 2; times += 1) expect(await codeOf(refreshCoins(current))).toBe('invalid-proof');
    expect(await satoshis()).toBe(700n);
    // Miners reject spends without a valid signature, so a mined one is valid even if the wallet can't verify it.
    network.mine([spender]);
    await refreshCoins(current);
    expect(await satoshis()).toBe(0n);
  });

  test('a spender of many coins is requested once, and accepted for each only with a valid signature', async () => {
    const network = await startIndex();
    const coins = Array.from({ length: 40 }, (_, i) => pay(network, 'receive', i % 10, 100 + i));
    const { refreshCoins, satoshis, coins: stored } = await wallet(network, false);
    await refreshCoins(current);
    const spender = spend(network, coins.slice(1));
    // a lie: the transaction doesn't spend that coin
    network.instead.set(`/tx/${coins[0]?.txid}/1/spent`, { body: { txid: spender } });
    listOnly(network, []);
    const asked = network.asked.length;
    await refreshCoins(current).catch(() => undefined);
    expect(await satoshis()).toBe(100n);
    expect((await stored()).filter(({ status }) => status === 'spent')).toHaveLength(39);
    // There may be more than one request, because the coin with the false spender may be checked first.
    const requests = network.asked.slice(asked).filter(({ url }) => url.endsWith(`/tx/${spender}/hex`));
    expect(requests.length).toBeLessThanOrEqual(4);
  });

  test('other coins are found in spite of an unreadable one', async () => {
    const network = await startIndex();
    const monster = pay(network, 'receive', 0, 1);
    pay(network, 'receive', 0, 5000);
    pay(network, 'change', 3, 600);
    network.instead.set(`/tx/${monster.txid}/hex`, { body: '00'.repeat(1000) });
    const { refreshCoins, satoshis } = await wallet(network, true);
    expect(await codeOf(refreshCoins(current))).toBe('invalid-proof');
    expect(await satoshis()).toBe(5600n);
  });
});
