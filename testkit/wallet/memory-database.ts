/** Replaces IndexedDB with the memory database. */
import { vi } from 'vitest';
import { useOpener, type Opener } from './platform.ts';
import { Cursor } from '../database/cursor.ts';
import { Connection, MemoryDatabases } from '../database/database.ts';
import { nodeTurns } from '../database/node-turns.ts';
import { ObjectStore, StoreIndex } from '../database/source.ts';
import { Transaction } from '../database/transaction.ts';

/** Creates the empty databases of a new browser. */
export const newDatabases = (): MemoryDatabases => new MemoryDatabases(nodeTurns);

/**
 * Makes wallets open these databases from now on. Also replaces the global IndexedDB classes so that tests can spy on
 * their methods.
 */
export function useDatabases(databases: MemoryDatabases): void {
  useOpener(databases as unknown as Opener);
  vi.stubGlobal('IDBDatabase', Connection);
  vi.stubGlobal('IDBTransaction', Transaction);
  vi.stubGlobal('IDBObjectStore', ObjectStore);
  vi.stubGlobal('IDBIndex', StoreIndex);
  vi.stubGlobal('IDBCursor', Cursor);
}
