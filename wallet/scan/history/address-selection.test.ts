import { afterEach, describe, expect, test } from 'vitest';
import { toHex } from '../../../protocol/bitcoin/bytes.ts';
import { ranked } from '../../coins/coin.ts';
import { NO_REACH } from '../../coins/addresses/address.ts';
import { testCoin, testScript } from '../../../testkit/wallet/coins.ts';
import { useDatabase } from '../../../testkit/wallet/database.ts';
import type { Chain } from '../../keys/keys.ts';
import { wallet } from '../../../testkit/wallet/current.ts';

const scan = useDatabase(() => import('./address-selection.ts'));

const scriptOf = (chain: Chain, index: number) =>
  `76a914${['receive', 'change', 'service'].indexOf(chain)}${String(index).padStart(39, '0')}88ac`;
const nameOf = ({ chain, index }: { chain: Chain; index: number }) => `${chain} ${index}`;

const reach = { ...NO_REACH };
afterEach(() => Object.assign(reach, NO_REACH));

/** Derives `count` addresses on a chain and marks some as used. A restore would find all of them. */
async function derive(chain: Chain, count: number, ...used: number[]): Promise<void> {
  for (let index = 0; index < count; index += 1)
    await scan.db.put('addresses', {
      script: scriptOf(chain, index),
      address: nameOf({ chain, index }),
      chain,
      index,
      used: used.includes(index),
    });
  reach[chain] = Math.max(-1, ...used);
  await scan.db.put('totals', reach, 'reach');
}

const names = (chain: Chain, from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => nameOf({ chain, index: from + i }));

describe('likely addresses', () => {
  const likely = async (...scripts: string[]) =>
    (
      await scan.likelyAddresses(wallet, {
        addresses: 0,
        coins: 0,
        done: true,
        ...(scripts.length > 0 && { unread: { count: 1, scripts, failed: [], waiting: false } }),
      })
    ).map(nameOf);

  test('the latest address of each chain and those that unread transactions pay are likely, each once', async () => {
    await derive('receive', 50, 3, 29);
    await derive('change', 20);
    await derive('service', 21, 0);
    const latest = [...names('receive', 10, 49), ...names('change', 0, 19), ...names('service', 0, 20)];
    expect(await likely()).toEqual(latest);
    const unread = [scriptOf('receive', 4), scriptOf('receive', 30), scriptOf('change', 99)];
    expect(await likely(...unread)).toEqual([nameOf({ chain: 'receive', index: 4 }), ...latest]);
  });

  test('the addresses to which the twenty latest payments may be refunded are likely', async () => {
    await derive('receive', 60, 59);
    for (let n = 0; n < 30; n += 1) {
      const coin = testCoin(9n, { vout: n, status: 'spent', script: scriptOf('receive', n) });
      await scan.db.put('coins', ranked(coin));
      await scan.db.put('payments', {
        id: `${n}`,
        origin: '',
        requestId: `${n}`,
        createdAt: n,
        // An unsigned payment doesn't count.
        signed: n === 25 ? null : { inputs: [coin.outpoint, testCoin(9n, { vout: 0 }).outpoint] },
      } as never);
    }
    // A payment with an unknown coin counts.
    await scan.db.delete('coins', testCoin(9n, { vout: 20 }).outpoint);
    const expected = [...names('receive', 9, 19), ...names('receive', 21, 24), ...names('receive', 26, 29)];
    expect((await likely()).slice(0, -20).toSorted()).toEqual(expected.toSorted());
  });
});

describe('addresses that hold coins', () => {
  const held = async (after: string | undefined, most: number) =>
    (await scan.holdingAddresses(wallet, after, most)).map(({ index }) => index);
  const put = (index: number, more: Parameters<typeof testCoin>[1] = {}) =>
    scan.db.put('coins', ranked(testCoin(9n, { vout: index, script: scriptOf('receive', index), ...more })));

  test('each address is listed once, for any coins, by script and from a position on', async () => {
    await derive('receive', 10);
    for (const index of [1, 2, 5, 7]) await put(index);
    await put(2, { vout: 90 });
    expect(await held(undefined, 10)).toEqual([1, 2, 5, 7]);
    expect(await held(undefined, 3)).toEqual([1, 2, 5]);
    expect(await held(scriptOf('receive', 2), 10)).toEqual([5, 7]);
    expect(await held(scriptOf('receive', 3), 1)).toEqual([5]);
    expect(await held(scriptOf('receive', 7), 10)).toEqual([]);
  });

  test('addresses whose coins are spent, hold an inscription, or are at no address are not listed', async () => {
    await derive('receive', 10);
    for (const [index, status] of (['void', 'pending', 'reserved', 'spent', 'gone', 'available'] as const).entries())
      await put(index, { status });
    await put(8, { script: `0063036f7264${scriptOf('receive', 8)}` });
    await put(9, { script: toHex(testScript(4)) });
    expect(await held(undefined, 10)).toEqual([5]);
    // The other addresses don't count toward the limit either.
    expect(await held(undefined, 1)).toEqual([5]);
  });
});

test('all addresses are searched in rotation, chain by chain', async () => {
  await derive('receive', 5);
  await derive('change', 4);
  await derive('service', 1);
  const turns: string[][] = [];
  let place: Parameters<typeof scan.addressesFrom>[1];
  for (let turn = 0; turn < 8; turn += 1) {
    const { addresses, next } = await scan.addressesFrom(wallet, place, 2);
    turns.push(addresses.map(nameOf));
    place = next;
  }
  expect(turns).toEqual([
    names('receive', 0, 1),
    names('receive', 2, 3),
    names('receive', 4, 4),
    names('change', 0, 1),
    names('change', 2, 3),
    [],
    names('service', 0, 0),
    names('receive', 0, 1),
  ]);
});
