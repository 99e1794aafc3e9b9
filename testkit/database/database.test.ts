/** Compares the memory database with fake-indexeddb. For Chromium's IndexedDB, see e2e/memory-database.full.test.ts. */
import 'fake-indexeddb/auto';
import fc from 'fast-check';
import * as idb from 'idb';
import { describe, expect, test } from 'vitest';
import { compare, groupsOfWorks, type Implementation } from './compare.ts';
import { MemoryDatabases } from './database.ts';
import { KeyRange } from './keys.ts';
import { nodeTurns } from './node-turns.ts';
import { SCENARIOS } from './scenarios.ts';
import type { Turns } from './turns.ts';

const real: Implementation = { openDB: idb.openDB, deleteDB: idb.deleteDB, ranges: IDBKeyRange };

/** Makes concurrent transactions take turns, one response each. */
const alternating: Turns = {
  soon: nodeTurns.soon,
  step: (task) => void setImmediate(task),
  later: (task) => void setImmediate(task),
};

describe.each([
  ['without pauses', nodeTurns],
  ['in turns', alternating],
])('transactions that run %s', (_, turns) => {
  const { openDB, deleteDB } = new MemoryDatabases(turns);
  const ours: Implementation = { openDB, deleteDB, ranges: KeyRange as unknown as typeof IDBKeyRange };

  test('the memory database answers random transactions like fake-indexeddb', async () => {
    await fc.assert(
      fc.asyncProperty(groupsOfWorks, (groups) => compare(ours, real, groups)),
      { numRuns: 60 },
    );
  });

  test.each(Object.entries(SCENARIOS))(
    'the memory database behaves like fake-indexeddb: %s',
    async (_name, scenario) => {
      const name = crypto.randomUUID();
      expect(await scenario(ours, name)).toEqual(await scenario(real, name));
    },
  );
});
