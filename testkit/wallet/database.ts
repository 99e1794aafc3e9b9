/** Only the wallet's database, without a worker, network or service. */
import { afterEach, beforeEach, vi } from 'vitest';
import { freshModules } from '../../testing/fresh-modules.ts';
import { newDatabases, useDatabases } from './memory-database.ts';
import type { WriteTransaction } from '../../wallet/store/database.ts';
import type { Database } from '../../wallet/store/schema.ts';
import { wallet } from './current.ts';

/** Helpers for tests of stored records, in addition to the modules that they name. */
export interface OpenDatabase {
  db: Database;
  /** Runs a change in a transaction, as the wallet does. */
  write: <T>(change: (tx: WriteTransaction) => Promise<T>) => Promise<T>;
}

/**
 * An empty database for each test, with fresh copies of the modules that read and write it.
 * @param load imports them
 * @returns filled in before each test
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
