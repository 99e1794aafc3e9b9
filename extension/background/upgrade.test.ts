/** A database of version 1, as the first release made it, opened by this one. */
import { afterEach, expect, test, vi } from 'vitest';
import type { IDBPDatabase, openDB as OpenDB } from 'idb';
import { endAllLives, Profile } from './testing/life.ts';
import { sealQuickly } from './testing/wallet.ts';

afterEach(endAllLives);

/** The stores of version 1, written out: what the code makes today must not change what this test starts from. */
async function firstVersion(profile: Profile): Promise<IDBPDatabase> {
  vi.stubGlobal('indexedDB', profile.indexedDB);
  const { openDB } = await vi.importActual<{ openDB: typeof OpenDB }>('idb');
  return openDB('service-button', 1, {
    upgrade(db) {
      db.createObjectStore('keyval');
      db.createObjectStore('addresses', { keyPath: 'script' }).createIndex('chain', ['chain', 'index'], {
        unique: true,
      });
      const coins = db.createObjectStore('coins', { keyPath: 'outpoint' });
      for (const name of ['status', 'txid', 'script']) coins.createIndex(name, name);
      const payments = db.createObjectStore('payments', { keyPath: 'id' });
      payments.createIndex('request', ['origin', 'requestId'], { unique: true });
      for (const name of ['state', 'unfinished', 'createdAt']) payments.createIndex(name, name);
      const receipts = db.createObjectStore('receipts', { keyPath: 'txid' });
      for (const name of ['createdAt', 'unconfirmed']) receipts.createIndex(name, name);
    },
  });
}

const payment = (id: string, state: string) => ({
  id,
  requestId: `request-${id}`,
  origin: 'https://shop.example',
  options: { outputs: [] },
  state,
  createdAt: 1_790_000_000_000,
  updatedAt: 1_790_000_000_000,
  quote: null,
  approval: null,
  approvedAt: null,
  error: null,
  delivery: { attempts: 0, nextAt: 0, problem: null },
  report: 'done',
  height: 5,
  unfinished: 0,
  signed: state === 'settled' ? { rawtx: '00', txid: 'ab', feeSatoshis: 12n, inputs: [], ownOutputs: [] } : null,
});

test('keeps everything, and gives payments what they lack', async () => {
  const profile = new Profile('http://localhost:1');
  const before = await firstVersion(profile);
  const kept = {
    addresses: { script: '76a9', chain: 'receive', index: 0, address: 'm', used: true },
    coins: {
      outpoint: 'ab:0',
      txid: 'ab',
      vout: 0,
      satoshis: 5n,
      script: '76a9',
      status: 'available',
      chain: 'receive',
      index: 0,
      paymentId: null,
      height: 3,
      seen: true,
    },
    receipts: { txid: 'ab', satoshis: 5n, address: 'm', createdAt: 1, height: 3, unconfirmed: 0 },
  };
  for (const [store, value] of Object.entries(kept)) await before.put(store, value);
  const token = { ...kept.coins, outpoint: 'cd:1', txid: 'cd', vout: 1, satoshis: 1n };
  await before.put('coins', token);
  await before.put('keyval', { currency: 'EUR', network: 'devnet' }, 'settings');
  await before.put('payments', payment('a', 'settled'));
  await before.put('payments', payment('b', 'requested'));
  before.close();

  sealQuickly();
  const {
    modules: { database },
  } = await profile.start();
  const db = await database.database();
  expect(db.version).toBe(5);
  const ranks = { depth: 0, tier: 0, value: 5 };
  for (const [store, value] of Object.entries(kept))
    expect(await db.getAll(store as 'coins')).toEqual(
      store === 'coins'
        ? [
            { ...value, ...ranks },
            { ...token, depth: 0, tier: 3, value: 1 },
          ]
        : [value],
    );
  expect(await db.get('totals', 'coins')).toEqual({ satoshis: 5n, unconfirmed: 0n, available: 1 });
  expect(await database.readKey('settings')).toEqual({ currency: 'EUR', network: 'devnet' });
  const added = { automatic: false, allowance: null, grant: null, token: null };
  expect(await db.get('payments', 'a')).toEqual({ ...payment('a', 'settled'), ...added, asking: false });
  expect(await db.get('payments', 'b')).toEqual({ ...payment('b', 'requested'), ...added, asking: true });
  expect(await db.getAllKeysFromIndex('payments', 'site', ['https://shop.example', 'settled'])).toEqual(['a']);
  for (const store of ['allowances', 'asks', 'sites', 'paymails'] as const) expect(await db.count(store)).toBe(0);
});
