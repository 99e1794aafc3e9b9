/** Test fixture: the wallet's database without a worker, a network or a service. */
import { afterEach, beforeEach, vi } from 'vitest';
import { freshModules } from '../../testing/fresh-modules.ts';
import { newDatabases, useDatabases } from './memory-database.ts';
import type { WriteTransaction } from '../../wallet/store/database.ts';
import type { Database } from '../../wallet/store/schema.ts';
import { wallet } from './current.ts';

/** The open database. Tests receive the database together with the modules under test. */
export interface OpenDatabase {
  db: Database;
  /** Runs a change in a write transaction. */
  write: <T>(change: (tx: WriteTransaction) => Promise<T>) => Promise<T>;
}

/**
 * Opens an empty database for each test, with fresh instances of the modules that use it.
 * @param load imports the modules
 * @returns an object that is filled in before each test
 */
export function useDatabase<Modules extends object>(load: () => Promise<Modules>): Modules & OpenDatabase {
  const opened = {} as Modules & OpenDatabase;
  beforeEach(async () => {
    freshModules();
    useDatabases(newDatabases());
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
