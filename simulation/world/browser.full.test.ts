/** Tests that the worker can be killed between any two tasks. */
import { afterAll, expect, test } from 'vitest';
import { nodeTurns } from '../../testkit/database/node-turns.ts';
import { restoreGlobals } from '../globals.ts';
import { DATABASE_NAME } from '../../wallet/store/database.ts';
import { World } from '../world.ts';
import type { Deal } from './deals.ts';

const prepared = new World(0);
await prepared.prepare([50_000]);

afterAll(restoreGlobals);

/** Returns a world in which a payment by the user is in progress. */
function sending(): World {
  const world = new World(1, prepared);
  const deal = { to: world.receiveAddress, requestId: 'a-request-of-the-user' } as Deal;
  void world.user.send(deal, { do: 'send', satoshis: 5_000, windows: 1 }).catch(() => undefined);
  return world;
}

/** Returns all records that the next worker reads. */
async function storedIn({ data }: World['browser']) {
  const db = await data.databases.share(nodeTurns).openDB(DATABASE_NAME);
  const names = [...db.objectStoreNames];
  const stored = await Promise.all(names.map(async (name) => [name, await db.getAll(name as never)] as const));
  db.close();
  return Object.fromEntries(stored);
}

test('a killed worker writes nothing to the disk and sends nothing to the network', async () => {
  const commits = new Set<number>();
  for (let steps = 1; steps < 250; steps += 1) {
    const { scheduler, network, browser } = sending();
    let happened = 0;
    for (let i = 0; i < steps; i += 1) await scheduler.step(scheduler.now + 1000);
    browser.kill();
    const stored = await storedIn(browser);
    for (const [name, records] of Object.entries(stored))
      expect(records, `${name} after ${steps}`).toStrictEqual(browser.data.all(name));
    commits.add(browser.data.all('payments').length);
    network.send = () => void (happened += 1);
    browser.data.onCommit = () => void (happened += 1);
    await scheduler.pass(300);
    expect([happened, browser.isAlive], `after ${steps}`).toStrictEqual([0, false]);
    expect(await storedIn(browser)).toStrictEqual(stored);
  }
  expect([...commits]).toStrictEqual([0, 1]);
});
