/** A wallet with a database that the browser has lost or can't open. */
import { afterEach, expect, test, vi } from 'vitest';
import { newDatabases } from '../../testkit/wallet/memory-database.ts';
import { endAllWorkerRuns, type WorkerRun } from '../../testkit/wallet/worker-run.ts';
import { openWallet, PASSWORD } from '../../testkit/wallet/wallet.ts';
import { wallet } from '../../testkit/wallet/current.ts';

const WORDS = 'remind subject simple name truck symbol inject eager erase million puzzle scout';
const NETWORK = { url: 'http://localhost:1', faucet: async () => '' };

afterEach(endAllWorkerRuns);

const handlersOf = ({ modules }: WorkerRun) => modules.handlers.walletHandlers(wallet);
const status = (workerRun: WorkerRun) => handlersOf(workerRun)['vault/status']({});
const restore = (workerRun: WorkerRun) => workerRun.modules.vault.createVault(wallet, WORDS, PASSWORD, true);

/** Starts the next worker, after the browser has deleted the database. */
async function withoutDatabase({ profile }: WorkerRun): Promise<WorkerRun> {
  profile.databases = newDatabases();
  return profile.start();
}

/** Makes the database fail to open until it is deleted, as Chromium does with a damaged folder. */
function damage(profile: WorkerRun['profile']): void {
  const { openDB, deleteDB, keyRange } = newDatabases();
  const unreadable = new DOMException('Internal error opening backing store for indexedDB.open.', 'UnknownError');
  let isDamaged = true;
  Object.assign(profile, {
    databases: {
      share: () => ({
        keyRange,
        openDB: (...args: Parameters<typeof openDB>) => (isDamaged ? Promise.reject(unreadable) : openDB(...args)),
        deleteDB: (name: string) => {
          isDamaged = false;
          return deleteDB(name);
        },
        end: () => undefined,
      }),
    },
  });
}

test('a browser that never had a wallet reports none as lost', async () => {
  const workerRun = await openWallet(NETWORK, []);
  expect(await status(workerRun)).toMatchObject({ exists: true, locked: false });
  await handlersOf(workerRun)['vault/remove']({ password: PASSWORD, leaving: 0 });
  expect(await status(workerRun)).toEqual({ exists: false, locked: true, lockAt: null });
  expect(await status(await withoutDatabase(workerRun))).not.toHaveProperty('lost');
});

test('a wallet whose database is gone is reported as lost until it is restored', async () => {
  const workerRun = await withoutDatabase(await openWallet(NETWORK, []));
  expect(await status(workerRun)).toEqual({ exists: false, locked: true, lockAt: null, lost: true });
  await restore(workerRun);
  // A browser that has deleted a wallet may do so again.
  expect(await status(workerRun)).toMatchObject({ exists: true, locked: false, mayVanish: true });
});

test('a page of the extension can delete the database, and the wallet is reported as lost', async () => {
  const workerRun = await openWallet(NETWORK, []);
  expect(await status(workerRun)).toMatchObject({ exists: true });
  const blocked = vi.fn();
  await workerRun.profile.databases.deleteDB('service-button', { blocked });
  expect(blocked).not.toHaveBeenCalled();
  expect(await status(workerRun)).toEqual({ exists: false, locked: true, lockAt: null, lost: true });
});

test('a wallet from an earlier version is marked once its status is read', async () => {
  const before = await openWallet(NETWORK, []);
  before.profile.browser.local.clear();
  const workerRun = await before.profile.start();
  expect(await status(workerRun)).toMatchObject({ exists: true });
  expect(await status(await withoutDatabase(workerRun))).toMatchObject({ exists: false, lost: true });
});

test('a database that fails to open is reported as lost, and is replaced only for valid words', async () => {
  const before = await openWallet(NETWORK, []);
  damage(before.profile);
  const workerRun = await before.profile.start();
  expect(await status(workerRun)).toEqual({ exists: false, locked: true, lockAt: null, lost: true });
  await expect(workerRun.modules.overview.overview(wallet)).rejects.toMatchObject({ code: 'wallet-unreadable' });
  await expect(handlersOf(workerRun)['vault/replace-unreadable']({ words: 'abandon abandon' })).rejects.toMatchObject({
    code: 'invalid-words',
  });
  expect(await status(workerRun)).toMatchObject({ lost: true });
  await handlersOf(workerRun)['vault/replace-unreadable']({ words: WORDS });
  await restore(workerRun);
  expect(await status(workerRun)).toMatchObject({ exists: true, locked: false });
});

test('words never replace a database that opens', async () => {
  const workerRun = await openWallet(NETWORK, []);
  await handlersOf(workerRun)['vault/replace-unreadable']({ words: WORDS });
  expect(await status(workerRun)).toMatchObject({ exists: true, locked: false });
});

test.each(['before storage.local.remove', 'after storage.local.remove'])(
  'removing a wallet never makes it look lost if the worker is stopped %s',
  async (crashPoint) => {
    const before = await openWallet(NETWORK, []);
    before.dieAt(crashPoint);
    const removed = await before.untilDeath(() =>
      handlersOf(before)['vault/remove']({ password: PASSWORD, leaving: 0 }),
    );
    expect([removed, before.dead]).toEqual([null, true]);
    const workerRun = await before.profile.start();
    expect(await status(workerRun)).toMatchObject({ exists: true });
    expect(await status(await withoutDatabase(workerRun))).toMatchObject({ lost: true });
  },
);

test('a browser that refuses to keep the data is reported before the wallet is created', async () => {
  const { profile } = await openWallet(NETWORK, []);
  const answers = { persist: async () => false, persisted: async () => false };
  vi.stubGlobal('navigator', { storage: answers, languages: ['en'] });
  expect(await status(await profile.start())).toMatchObject({ mayVanish: true });
  answers.persisted = async () => true;
  expect(await status(await profile.start())).not.toHaveProperty('mayVanish');
});
