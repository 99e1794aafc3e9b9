import { expect, test, vi } from 'vitest';
import { readAddress } from '../../../protocol/address.ts';
import { toHex } from '../../../protocol/bytes.ts';
import { useDatabase } from '../testing/database.ts';
import { CHAINS, publicKeyHashes, publicKeysOf } from '../vault/keys.ts';
import type { Address } from './address.ts';

const KEYS = publicKeysOf(new Uint8Array(64).fill(3));
const wallet = useDatabase(() => import('./addresses.ts'));

async function open() {
  await wallet.db.put('keyval', KEYS, 'publicKeys');
  return wallet;
}

test('every chain has twenty addresses beyond its last used one, however often and at once it is asked for', async () => {
  const { extendAddresses, chainAddresses, derived, nextUnused, db } = await open();
  expect(await derived('change')).toBe(0);
  await Promise.all([
    extendAddresses(KEYS, 'devnet'),
    extendAddresses(KEYS, 'devnet'),
    extendAddresses(KEYS, 'devnet'),
  ]);
  for (const chain of CHAINS) {
    const addresses = await chainAddresses(chain);
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
  await db.put('addresses', { ...((await chainAddresses('change'))[7] as Address), used: true });
  await extendAddresses(KEYS, 'devnet');
  expect((await chainAddresses('change')).map((a) => [a.index, a.used])).toEqual(
    Array.from({ length: 28 }, (_, i) => [i, i === 7]),
  );
  expect(await chainAddresses('receive')).toHaveLength(20);
  expect(await derived('change')).toBe(28);
  expect(await derived('receive')).toBe(20);
  expect(await nextUnused('change')).toBe(8);
  expect(await nextUnused('receive')).toBe(0);
});

test('the end of a chain is found whatever of it is used, and however many addresses stand before it', async () => {
  const { extendAddresses, chainAddresses, nextUnused, recentAddresses, db } = await open();
  await extendAddresses(KEYS, 'devnet');
  let expected = 0;
  // Steps of up to twenty, as a wallet makes them; then the last ones are given back.
  for (const index of [0, 1, 20, 21, 22, 42, 61]) {
    await db.put('addresses', { ...((await chainAddresses('receive'))[index] as Address), used: true });
    await extendAddresses(KEYS, 'devnet');
    expected = index + 1;
    expect(await nextUnused('receive')).toBe(expected);
    expect((await recentAddresses('receive')).map((a) => a.index)).toEqual(
      Array.from({ length: 20 + Math.min(20, expected) }, (_, i) => Math.max(0, expected - 20) + i),
    );
  }
  for (const index of [61, 42])
    await db.put('addresses', { ...((await chainAddresses('receive'))[index] as Address), used: false });
  expect(await nextUnused('receive')).toBe(23);
});

test('several next addresses follow one another without a gap', async () => {
  const { unusedAddresses, chainAddresses, db } = await open();
  expect((await unusedAddresses(KEYS, 'devnet', 'change', 4)).map((a) => a.index)).toEqual([0, 1, 2, 3]);
  for (const index of [3, 18])
    await db.put('addresses', { ...((await chainAddresses('change'))[index] as Address), used: true });
  expect((await unusedAddresses(KEYS, 'devnet', 'change', 4)).map((a) => a.index)).toEqual([19, 20, 21, 22]);
});

test('an address that was derived and paid meanwhile stays used', async () => {
  const { extendChain, chainAddresses, db } = await open();
  await extendChain(KEYS, 'devnet', 'receive');
  const paid = { ...((await chainAddresses('receive'))[5] as Address), used: true };
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
  await extendChain(KEYS, 'devnet', 'receive');
  const addresses = await chainAddresses('receive');
  expect(addresses).toHaveLength(20);
  expect(addresses.filter(({ used }) => used)).toEqual([paid]);
});

test('a chain is derived as far as an index that something was paid to, that one counted in', async () => {
  const { extendChain, chainAddresses } = await open();
  await extendChain(KEYS, 'devnet', 'service', 30);
  expect((await chainAddresses('service')).map((a) => a.index)).toEqual(Array.from({ length: 31 }, (_, i) => i));
  await extendChain(KEYS, 'devnet', 'service', 3);
  expect(await chainAddresses('service')).toHaveLength(31);
});

test('the next address is the one after the last used one, so that no gap is used again', async () => {
  const { unusedAddress, chainAddresses, db } = await open();
  expect((await unusedAddress(KEYS, 'mainnet', 'receive')).index).toBe(0);
  expect((await unusedAddress(KEYS, 'mainnet', 'receive')).address).toMatch(/^1/);
  await db.put('addresses', { ...((await chainAddresses('receive'))[18] as Address), used: true });
  expect((await unusedAddress(KEYS, 'mainnet', 'receive')).index).toBe(19);
  // A payment waits for no more to be derived than it takes.
  expect(await chainAddresses('receive')).toHaveLength(20);
  await db.put('addresses', { ...((await chainAddresses('receive'))[19] as Address), used: true });
  expect((await unusedAddress(KEYS, 'mainnet', 'receive')).index).toBe(20);
});

test('addresses of a wallet that was removed while they were derived never become those of the next one', async () => {
  const { unusedAddress, db } = await open();
  await db.delete('keyval', 'publicKeys');
  await expect(unusedAddress(KEYS, 'devnet', 'receive')).rejects.toMatchObject({ code: 'wallet-not-set-up' });
  const next = publicKeysOf(new Uint8Array(64).fill(4));
  await db.put('keyval', next, 'publicKeys');
  await expect(unusedAddress(KEYS, 'devnet', 'receive')).rejects.toMatchObject({ code: 'wallet-not-set-up' });
  expect(await db.count('addresses')).toBe(0);
  const { address } = await unusedAddress(next, 'devnet', 'receive');
  expect(toHex(readAddress(address)?.hash as Uint8Array)).toBe(
    toHex(publicKeyHashes(next, 'receive', [0])[0] as Uint8Array),
  );
});
