/** Compares the memory database with the IndexedDB of the browser that runs this code. */
import fc from 'fast-check';
import * as idb from 'idb';
import { compare, groupsOfWorks, type Implementation } from './compare.ts';
import { MemoryDatabases } from './database.ts';
import { KeyRange } from './keys.ts';
import { ONLY_BROWSERS, SCENARIOS } from './scenarios.ts';
import { show } from './show.ts';
import type { Turns } from './turns.ts';

const { port1, port2 } = new MessageChannel();
const tasks: (() => void)[] = [];
port2.onmessage = () => tasks.shift()?.();
const turn = (task: () => void) => {
  tasks.push(task);
  port1.postMessage(null);
};
const turns: Turns = { soon: turn, step: (task) => task(), later: turn };

const real: Implementation = { openDB: idb.openDB, deleteDB: idb.deleteDB, ranges: IDBKeyRange };
const { openDB, deleteDB } = new MemoryDatabases(turns);
const ours: Implementation = { openDB, deleteDB, ranges: KeyRange as unknown as typeof IDBKeyRange };

/** @returns a description of each difference; empty if both databases behave the same */
async function differences(seed: number, numRuns: number): Promise<string[]> {
  const found: string[] = [];
  for (const [name, scenario] of Object.entries({ ...SCENARIOS, ...ONLY_BROWSERS })) {
    const [got, expected] = [show(await scenario(ours, name)), show(await scenario(real, name))];
    if (got !== expected) found.push(`${name}: ${got}\nbut the browser: ${expected}`);
  }
  const property = fc.asyncProperty(groupsOfWorks, (groups) => compare(ours, real, groups));
  const { failed, errorInstance, counterexample } = await fc.check(property, { seed, numRuns });
  if (failed) found.push(`${String(errorInstance)}\nwith seed ${seed}: ${show(counterexample)}`);
  return found;
}

Object.assign(globalThis, { differences });
