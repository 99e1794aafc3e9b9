/** Databases of all versions that may exist in browsers, opened by the current code. */
import { afterEach, expect, test } from 'vitest';
import type { IDBPDatabase } from 'idb';
import { SAMPLES, VERSIONS, type Sample, type StoreShape } from '../../testkit/wallet/database-versions.ts';
import { createVersion } from '../../testkit/wallet/recorded-profile.ts';
import { endAllWorkerRuns, Profile } from '../../testkit/wallet/worker-run.ts';
import { wallet } from '../../testkit/wallet/current.ts';

const NAME = 'service-button';
const versions = Object.keys(VERSIONS).map(Number);

afterEach(endAllWorkerRuns);

async function databaseOf(profile: Profile, version: number): Promise<void> {
  const db = await createVersion(profile.databases, version);
  const { records, values } = SAMPLES[version] as Sample;
  for (const [store, list] of Object.entries(records)) for (const record of list) await db.put(store, record);
  for (const [store, named] of Object.entries(values))
    for (const [key, value] of Object.entries(named)) await db.put(store, value, key);
  db.close();
}

/** Returns the stores of an open database in the format of {@link VERSIONS}. */
function shapesOf(db: IDBPDatabase): Record<string, StoreShape> {
  const tx = db.transaction([...db.objectStoreNames]);
  return Object.fromEntries(
    [...db.objectStoreNames].map((name) => {
      const { keyPath, indexNames } = tx.objectStore(name);
      const indexes = [...indexNames].map((index) => {
        const { unique, multiEntry, keyPath: path } = tx.objectStore(name).index(index);
        return [`${index}${unique ? '!' : ''}${multiEntry ? '*' : ''}`, path];
      });
      return [name, { keyPath, indexes: Object.fromEntries(indexes) }];
    }),
  );
}

async function opened(profile: Profile): Promise<IDBPDatabase> {
  const { modules } = await profile.start();
  return (await modules.database.database(wallet)) as unknown as IDBPDatabase;
}

test('the current stores equal those recorded for their version', async () => {
  const db = await opened(new Profile('http://localhost:1'));
  expect(db.version).toBe(Math.max(...versions));
  expect(shapesOf(db)).toEqual(VERSIONS[db.version]);
});

test.each(versions)('a database of version %d is upgraded, and keeps its contents', async (version) => {
  const profile = new Profile('http://localhost:1');
  await databaseOf(profile, version);
  const db = await opened(profile);
  expect(db.version).toBe(Math.max(...versions));
  expect(shapesOf(db)).toEqual(VERSIONS[db.version]);
  const { records, values, becomes } = SAMPLES[version] as Sample;
  for (const [store, list] of Object.entries({ ...records, ...becomes }))
    expect(await db.getAll(store), store).toEqual(list.map((one) => expect.objectContaining(one as object)));
  for (const [store, named] of Object.entries(values))
    for (const [key, value] of Object.entries(named))
      expect(await db.get(store, key), `${store} ${key}`).toEqual(value);
});

test('version 4 empties the pages of the search, whose text has changed since', async () => {
  const profile = new Profile('http://localhost:1');
  await databaseOf(profile, 3);
  const old = await profile.databases.openDB(NAME, 3);
  await old.put('searchPages', 'ab\treceived COMPLETED\tab', ['receipts', 2, '', 1, 'ab']);
  old.close();
  expect(await (await opened(profile)).getAllKeys('searchPages')).toEqual([]);
});

test('version 6 determines which addresses the network has seen, and which are free', async () => {
  const profile = new Profile('http://localhost:1');
  await databaseOf(profile, 4);
  const old = await profile.databases.openDB(NAME, 4);
  await old.clear('addresses');
  const address = (index: number, used: boolean, chain = 'change') => ({
    script: `${chain} ${index}`,
    address: `m${index}`,
    chain,
    index,
    used,
  });
  const coin = (index: number, more: object, chain = 'change') => ({
    outpoint: `${chain}${index}:0`,
    txid: `${chain}${index}`,
    vout: 0,
    satoshis: 5n,
    script: `${chain} ${index}`,
    chain,
    index,
    status: 'available',
    paymentId: null,
    height: null,
    depth: 1,
    seen: false,
    ...more,
  });
  const payment = (txid: string, state: string, more: object = {}) => ({
    id: txid,
    origin: 'own',
    requestId: txid,
    createdAt: 1,
    state,
    signed: { txid },
    ...more,
  });
  for (let index = 0; index < 8; index += 1) await old.put('addresses', address(index, index < 7 && index !== 5));
  for (const index of [0, 27, 30]) await old.put('addresses', address(index, true, 'service'));
  for (const one of [
    coin(0, { status: 'spent', height: 7 }), // confirmed
    coin(1, { status: 'spent' }), // created by the wallet, on the network
    coin(2, { status: 'reserved' }), // created by the wallet, reserved by a site's payment
    coin(3, { status: 'pending' }),
    coin(5, { status: 'void' }), // replaced, but could still be mined
    coin(27, {}, 'service'), // beyond the gap limit
  ])
    await old.put('coins', one);
  for (const one of [
    payment('change1', 'settled'),
    payment('change2', 'signed'),
    payment('change3', 'signed'),
    payment('change5', 'signed'),
    payment('waits', 'signable', { action: { unsigned: { change: ['change 6'] } } }),
  ])
    await old.put('payments', one);
  old.close();
  const db = await opened(profile);
  const told = (await db.getAll('addresses')) as { chain: string; index: number; used: boolean; seen?: true }[];
  const where = (is: (one: (typeof told)[number]) => unknown, chain: string) =>
    told
      .filter((one) => one.chain === chain && is(one))
      .map(({ index }) => index)
      .sort((a, b) => a - b);
  // The index reported address 4 as used. That address has no coin, and no pending transaction pays it.
  expect(where(({ seen }) => seen, 'change')).toEqual([0, 1, 4]);
  expect(where(({ used }) => used, 'change')).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(where(({ seen }) => seen, 'service')).toEqual([0, 27, 30]);
  expect(await db.getAllKeysFromIndex('addresses', 'free')).toEqual(['change 7']);
  expect(await db.get('totals', 'reach')).toEqual({ receive: -1, change: 4, service: 0 });
});

test('version 7 creates copies of the payments with large transactions, without the transactions', async () => {
  const profile = new Profile('http://localhost:1');
  await databaseOf(profile, 6);
  const old = await profile.databases.openDB(NAME, 6);
  const payment = (id: string, more: object) => ({
    ...{ id, origin: 'https://app.example', requestId: id, createdAt: 1, updatedAt: 1, state: 'signed' },
    quote: { outputs: [{ to: 'a text', satoshis: '0', scripts: [] }], satoshis: 0n },
    signed: { rawtx: '00', txid: id, feeSatoshis: 12n, inputs: ['ab:0'], inputSatoshis: [5n], ownOutputs: [] },
    ...more,
  });
  const rawtx = 'ab'.repeat(20_000);
  const large = payment('large', { signed: { ...payment('large', {}).signed, rawtx } });
  for (const one of [payment('small', {}), large]) await old.put('payments', one);
  old.close();
  const db = await opened(profile);
  expect(await db.getAll('lightPayments')).toEqual([
    { ...large, signed: { ...large.signed, rawtx: '', inputs: [], inputSatoshis: [] } },
  ]);
  expect(await db.get('payments', 'large')).toEqual(large);
});

/** An output in a site's basket, and its log entry, as stored by version 4. */
const OUTPOINT = `${'ab'.repeat(32)}:0`;
const keptBy = (id: number, origin: string, outpoint: string, status = 'available') => ({
  ...{ id, outpoint, satoshis: 700n, script: '51', basket: 'things', tags: ['red'], customInstructions: null },
  ...{ description: 'a thing', origin, status, madeBy: null, spentBy: null, listing: 'things' },
});
const outputEntry = (origin: string, outpoint: string) => ({
  ...{ kind: 'output', outpoint, satoshis: '700', basket: 'things', tags: ['red'], customInstructions: null },
  ...{ origin, description: 'a thing' },
});
const actionBy = (id: number, origin: string, txid: string) => ({
  ...{ id, origin, txid, paymentId: null, description: 'move', labels: ['game'], outputs: [], at: 5 },
  labelKeys: [[origin, 'game']],
});
const actionEntry = (origin: string, txid: string) => ({
  ...{ kind: 'action', txid, origin, description: 'move', labels: ['game'], outputs: [], at: 5 },
});

async function upgraded(records: Record<string, unknown[]>, totals: Record<string, unknown> = {}) {
  const profile = new Profile('http://localhost:1');
  await databaseOf(profile, 4);
  const old = await profile.databases.openDB(NAME, 4);
  await old.clear('appLog');
  for (const [store, list] of Object.entries(records)) for (const record of list) await old.put(store, record);
  for (const [key, value] of Object.entries(totals)) await old.put('totals', value, key);
  old.close();
  return opened(profile);
}

test('version 5 adds site and kind to each entry of the log, and omits none', async () => {
  const [a, b] = ['https://a.example', 'https://b.example'];
  const payment = { kind: 'wallet-payment', outpoint: 'cd:1', derivationPrefix: 'p', derivationSuffix: 's' };
  const db = await upgraded({
    appLog: [
      { key: OUTPOINT, entry: outputEntry(a, OUTPOINT), version: 3, at: 1 },
      { key: 'cd:1', entry: payment, version: 1, at: 2, unapplied: 7 },
      { key: 'ef:0', entry: { kind: 'output-gone', outpoint: 'ef:0' }, version: 4, at: 3, unsent: 1 },
      { key: 'ab', entry: actionEntry(b, 'ab'), version: 2, at: 4 },
    ],
  });
  expect(await db.getAll('appLog')).toEqual([
    { key: `ab action ${b}`, entry: actionEntry(b, 'ab'), version: 2, at: 4 },
    { key: `${OUTPOINT} output ${a}`, entry: outputEntry(a, OUTPOINT), version: 3, at: 1 },
    { key: 'cd:1 payment', entry: payment, version: 1, at: 2, unapplied: 7 },
    { key: 'ef:0 gone', entry: { kind: 'outpoint-gone', outpoint: 'ef:0' }, version: 4, at: 3, unsent: 1 },
  ]);
});

test('version 5 logs kept outputs whose entry another site or a payment had replaced', async () => {
  const [a, b] = ['https://a.example', 'https://b.example'];
  const payment = { kind: 'wallet-payment', outpoint: OUTPOINT, derivationPrefix: 'p', derivationSuffix: 's' };
  const db = await upgraded({
    appOutputs: [keptBy(1, a, OUTPOINT), keptBy(2, a, 'cd:0', 'spent')],
    appActions: [actionBy(1, a, 'ab'), actionBy(2, b, 'ab')],
    appLog: [
      { key: OUTPOINT, entry: payment, version: 2, at: 1 },
      { key: 'ab', entry: actionEntry(b, 'ab'), version: 2, at: 4 },
    ],
  });
  const logged = await db.getAll('appLog');
  expect(logged.map(({ entry }) => entry)).toEqual([
    actionEntry(a, 'ab'),
    actionEntry(b, 'ab'),
    outputEntry(a, OUTPOINT),
    payment,
  ]);
  expect(logged.map(({ unsent }) => unsent)).toEqual([1, undefined, 1, undefined]);
});

test('version 5 lets two sites keep one output, and recounts the outputs of each', async () => {
  const [a, b] = ['https://a.example', 'https://b.example'];
  const db = await upgraded({ appOutputs: [keptBy(1, a, OUTPOINT)] }, { [`kept ${a}`]: { bytes: 5 } });
  expect(await db.get('totals', `kept ${a}`)).toBeUndefined();
  expect(await db.get('totals', 'coins')).toBeDefined();
  await db.add('appOutputs', keptBy(2, b, OUTPOINT));
  await expect(db.add('appOutputs', keptBy(3, b, OUTPOINT))).rejects.toMatchObject({ name: 'ConstraintError' });
});
