import { afterEach, expect, test } from 'vitest';
import { endAllWorkerRuns, Profile } from '../../testkit/wallet/worker-run.ts';
import { wallet } from '../../testkit/wallet/current.ts';

afterEach(endAllWorkerRuns);

const account = (handle: string) => ({ id: 'u', handle, paymail: `${handle}@localhost`, name: handle });

test('a single record is read as last written, even by concurrent readers', async () => {
  const { database, deleteKey, keyTransaction, readKey, writeKey } = (await new Profile('http://localhost:1').start())
    .modules.database;
  expect(await readKey(wallet, 'account')).toBeUndefined();
  await writeKey(wallet, 'account', account('alice'));
  expect((await readKey(wallet, 'account'))?.handle).toBe('alice');
  // The value is now cached, so the wallet doesn't notice a change that bypasses it.
  await (await database(wallet)).put('keyval', account('mallory'), 'account');
  expect((await readKey(wallet, 'account'))?.handle).toBe('alice');
  await deleteKey(wallet, 'account');
  expect(await readKey(wallet, 'account')).toBeUndefined();

  const before = readKey(wallet, 'account');
  const tx = await keyTransaction(wallet);
  const writing = tx.store.put(account('bob'), 'account');
  const within = readKey(wallet, 'account');
  await Promise.all([writing, tx.done, before, within]);
  expect((await readKey(wallet, 'account'))?.handle).toBe('bob');

  const undone = await keyTransaction(wallet);
  await undone.store.put(account('carol'), 'account');
  undone.abort();
  await undone.done.catch(() => undefined);
  expect((await readKey(wallet, 'account'))?.handle).toBe('bob');
});

test('a cached record cannot be changed by its reader', async () => {
  const { readKey, writeKey } = (await new Profile('http://localhost:1').start()).modules.database;
  await writeKey(wallet, 'account', account('alice'));
  await readKey(wallet, 'account');
  const read = await readKey(wallet, 'account');
  expect(() => Object.assign(read ?? {}, { handle: 'mallory' })).toThrow(TypeError);
});

test('two concurrent changes of one record are both applied', async () => {
  const { changeKey, readKey } = (await new Profile('http://localhost:1').start()).modules.database;
  const speaks = (url: string) =>
    changeKey(wallet, 'network', (stored) => ({ ...stored, dialects: { ...stored?.dialects, [url]: 'arc' } }));
  await Promise.all([speaks('https://one.example'), speaks('https://two.example')]);
  expect((await readKey(wallet, 'network'))?.dialects).toEqual({
    'https://one.example': 'arc',
    'https://two.example': 'arc',
  });
});
