import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { readAddress } from '../../../protocol/bitcoin/address.ts';
import { toHex } from '../../../protocol/bitcoin/bytes.ts';
import { useDatabase } from '../../../testkit/wallet/database.ts';
import { CHAINS, publicKeyHashes, publicKeysOf, type Chain } from '../../keys/keys.ts';
import type { Address } from './address.ts';
import { wallet as current } from '../../../testkit/wallet/current.ts';

const KEYS = publicKeysOf(new Uint8Array(64).fill(3));
const wallet = useDatabase(() => import('./addresses.ts'));

async function open() {
  await wallet.db.put('keyval', KEYS, 'publicKeys');
  return wallet;
}

async function change(chain: Chain, index: number, more: Partial<Address>): Promise<void> {
  const { inTransaction } = await import('../../store/database.ts');
  const { putAddress } = await import('./records.ts');
  const address = (await wallet.chainAddresses(current, chain))[index] as Address;
  await inTransaction(current, (tx) => putAddress(current, tx, { ...address, ...more }));
}

test('every chain has twenty addresses beyond its last used one, after any number of parallel calls', async () => {
  const { extendAddresses, chainAddresses, derived, nextUnused, db } = await open();
  expect(await derived(current, 'change')).toBe(0);
  await Promise.all([
    extendAddresses(current, KEYS, 'devnet'),
    extendAddresses(current, KEYS, 'devnet'),
    extendAddresses(current, KEYS, 'devnet'),
  ]);
  for (const chain of CHAINS) {
    const addresses = await chainAddresses(current, chain);
    expect(addresses.map((a) => a.index)).toEqual(Array.from({ length: 20 }, (_, i) => i));
    expect(addresses.map((a) => toHex(readAddress(a.address)?.hash as Uint8Array))).toEqual(
      publicKeyHashes(
        KEYS,
        chain,
        addresses.map((a) => a.index),
      ).map(toHex),
    );
    expect(new Set(addresses.map((a) => a.script)).size).toBe(20);
  }
  await db.put('addresses', { ...((await chainAddresses(current, 'change'))[7] as Address), used: true });
  await extendAddresses(current, KEYS, 'devnet');
  expect((await chainAddresses(current, 'change')).map((a) => [a.index, a.used])).toEqual(
    Array.from({ length: 28 }, (_, i) => [i, i === 7]),
  );
  expect(await chainAddresses(current, 'receive')).toHaveLength(20);
  expect(await derived(current, 'change')).toBe(28);
  expect(await derived(current, 'receive')).toBe(20);
  expect(await nextUnused(current, 'change')).toBe(8);
  expect(await nextUnused(current, 'receive')).toBe(0);
});

test('the end of a chain is found for any used addresses and any number of addresses before it', async () => {
  const { extendAddresses, nextUnused, recentAddresses } = await open();
  await extendAddresses(current, KEYS, 'devnet');
  let expected = 0;
  // Each step stays within the gap limit, as in a wallet. The last addresses are released afterwards.
  for (const index of [0, 1, 20, 21, 22, 42, 61]) {
    await change('receive', index, { used: true, seen: true });
    await extendAddresses(current, KEYS, 'devnet');
    expected = index + 1;
    expect(await nextUnused(current, 'receive')).toBe(expected);
    expect((await recentAddresses(current, 'receive')).map((a) => a.index)).toEqual(
      // `recentAddresses` also returns the lowest free address.
      [
        ...new Set([
          ...(index > 20 ? [2] : []),
          ...Array.from({ length: 20 + Math.min(20, expected) }, (_, i) => Math.max(0, expected - 20) + i),
        ]),
      ].sort((a, b) => a - b),
    );
  }
  for (const index of [61, 42]) await change('receive', index, { used: false, seen: false });
  expect(await nextUnused(current, 'receive')).toBe(23);
});

test('the lowest free addresses are issued, at most fifteen beyond the last one that the network has seen', async () => {
  const { freeAddresses, unusedAddress } = await open();
  const free = async (count: number) =>
    (await freeAddresses(current, KEYS, 'devnet', 'change', count)).map((a) => a.index);
  expect(await free(4)).toEqual([0, 1, 2, 3]);
  for (const index of [0, 1, 3]) await change('change', index, { used: true });
  expect(await free(4)).toEqual([2, 4, 5, 6]);
  expect(await free(100)).toEqual([2, ...Array.from({ length: 11 }, (_, i) => 4 + i)]);
  await change('change', 3, { used: true, seen: true });
  expect((await free(100)).at(-1)).toBe(18);
  await change('change', 0, { used: false });
  expect(await free(2)).toEqual([0, 2]);
  for (const index of await free(100)) await change('change', index, { used: true });
  expect(await free(1)).toEqual([]);
  expect((await unusedAddress(current, KEYS, 'devnet', 'change')).index).toBe(3);
});

test('the stored end of a chain equals that of a search with a gap of twenty, after any changes (property)', async () => {
  const { extendChain, reachOf, chainAddresses, db } = await open();
  await extendChain(current, KEYS, 'devnet', 'change', 99);
  const step = fc.record({ index: fc.nat(99), seen: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      for (const { index } of (await chainAddresses(current, 'change')).filter(({ seen }) => seen))
        await change('change', index, { used: false, seen: false });
      expect(await reachOf(current, 'change')).toBe(-1);
      for (const { index, seen } of steps) {
        await change('change', index, { used: seen, seen });
        let reach = -1;
        for (const one of await chainAddresses(current, 'change'))
          if (one.seen && one.index <= reach + 20) reach = one.index;
        expect(await reachOf(current, 'change')).toBe(reach);
      }
    }),
    { numRuns: 15 },
  );
  expect(await db.count('addresses')).toBe(100);
});

test('an address that was derived and paid in the meantime stays used', async () => {
  const { extendChain, chainAddresses, db } = await open();
  await extendChain(current, KEYS, 'devnet', 'receive');
  const paid = { ...((await chainAddresses(current, 'receive'))[5] as Address), used: true };
  await db.clear('addresses');
  const { transaction } = IDBDatabase.prototype;
  const meanwhile = vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(function (
    this: IDBDatabase,
    ...args: Parameters<typeof transaction>
  ) {
    if (args[1] === 'readwrite') {
      meanwhile.mockRestore();
      transaction.call(this, 'addresses', 'readwrite').objectStore('addresses').put(paid);
    }
    return transaction.apply(this, args);
  });
  await extendChain(current, KEYS, 'devnet', 'receive');
  const addresses = await chainAddresses(current, 'receive');
  expect(addresses).toHaveLength(20);
  expect(addresses.filter(({ used }) => used)).toEqual([paid]);
});

test('a chain is derived up to and including an index that was paid', async () => {
  const { extendChain, chainAddresses } = await open();
  await extendChain(current, KEYS, 'devnet', 'service', 30);
  expect((await chainAddresses(current, 'service')).map((a) => a.index)).toEqual(
    Array.from({ length: 31 }, (_, i) => i),
  );
  await extendChain(current, KEYS, 'devnet', 'service', 3);
  expect(await chainAddresses(current, 'service')).toHaveLength(31);
});

test('the next address to be paid is the lowest unissued one, on every network', async () => {
  const { unusedAddress, chainAddresses } = await open();
  expect((await unusedAddress(current, KEYS, 'mainnet', 'receive')).index).toBe(0);
  expect((await unusedAddress(current, KEYS, 'mainnet', 'receive')).address).toMatch(/^1/);
  await change('receive', 18, { used: true, seen: true });
  expect((await unusedAddress(current, KEYS, 'mainnet', 'receive')).index).toBe(0);
  for (let index = 0; index < 18; index += 1) await change('receive', index, { used: true, seen: true });
  expect((await unusedAddress(current, KEYS, 'mainnet', 'receive')).index).toBe(19);
  expect((await chainAddresses(current, 'receive')).length).toBeGreaterThan(33);
});

test('addresses of a wallet that was removed during their derivation are never added to the next wallet', async () => {
  const { unusedAddress, db } = await open();
  await db.delete('keyval', 'publicKeys');
  await expect(unusedAddress(current, KEYS, 'devnet', 'receive')).rejects.toMatchObject({ code: 'wallet-not-set-up' });
  const next = publicKeysOf(new Uint8Array(64).fill(4));
  await db.put('keyval', next, 'publicKeys');
  await expect(unusedAddress(current, KEYS, 'devnet', 'receive')).rejects.toMatchObject({ code: 'wallet-not-set-up' });
  expect(await db.count('addresses')).toBe(0);
  const { address } = await unusedAddress(current, next, 'devnet', 'receive');
  expect(toHex(readAddress(address)?.hash as Uint8Array)).toBe(
    toHex(publicKeyHashes(next, 'receive', [0])[0] as Uint8Array),
  );
});
