import { expect, it } from 'vitest';
import { sql } from 'drizzle-orm';
import { migrate } from './migrate.ts';
import { openDatabaseBefore } from './testing.ts';

it('an upgrade waits for a long transaction without a limit, and reports every five seconds', async () => {
  const old = await openDatabaseBefore('0018_pending_events');
  try {
    const reported: number[] = [];
    const deadlocks: number[] = [];
    const ended = await old.db.transaction(async (backup) => {
      await backup.execute(sql`select id from payments`);
      // Waits for two reports, which takes longer than eleven attempts of 300 ms and the 250 ms pauses between them.
      return new Promise<{ migrating: Promise<void> }>((resolve, reject) => {
        const migrating = migrate(
          old,
          (seconds) => {
            reported.push(seconds);
            if (reported.length === 2) resolve({ migrating });
          },
          (count) => void deadlocks.push(count),
        );
        migrating.catch(reject);
      });
    });
    await ended.migrating;
    expect(reported.map((seconds) => Math.floor(seconds / 5))).toEqual([1, 2]);
    expect(deadlocks).toEqual([]);
  } finally {
    await old.close();
  }
});
