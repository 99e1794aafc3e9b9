/** Test fixture: the wallet's database without a worker, a network or a service. */
import { afterEach, beforeEach, vi } from 'vitest';
import { newDatabases, useDatabases } from './memory-database.ts';
import type { WriteTransaction } from '../../wallet/store/database.ts';
import type { Database } from '../../wallet/store/schema.ts';
import { useWallet, wallet } from './current.ts';
import { testPlatform } from './platform.ts';

/** The open database. Tests receive the database together with the modules under test. */
export interface OpenDatabase {
  db: Database;
  /** Runs a change in a write transaction. */
  write: <T>(change: (tx: WriteTransaction) => Promise<T>) => Promise<T>;
}

/**
 * Opens an empty database for each test, with a new wallet.
 * @param load imports the modules
 * @param browser the browser APIs that the wallet uses
 * @returns an object that is filled in before each test
 */
export function useDatabase<Modules extends object>(
  load: () => Promise<Modules>,
  browser?: object,
): Modules & OpenDatabase {
  const opened = {} as Modules & OpenDatabase;
  beforeEach(async () => {
    useDatabases(newDatabases());
    useWallet(testPlatform(browser));
    const { database, inTransaction } = await import('../../wallet/store/database.ts');
    Object.assign(opened, await load(), {
      db: await database(wallet),
      write: (change: never) => inTransaction(wallet, change),
    });
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  });
  return opened;
}
