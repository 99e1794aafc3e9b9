/** Tests upgrades while an instance of the previous version is running. */
import { expect, it } from 'vitest';
import { sql } from 'drizzle-orm';
import { until } from '../../testing/patience.ts';
import type { OpenDatabase } from './connect.ts';
import { migrate } from './migrate.ts';
import { openDatabaseBefore } from './testing.ts';

/** Starts an upgrade, and returns once it is waiting for a lock. */
async function startBlockedUpgrade(old: OpenDatabase) {
  const deadlocks: number[] = [];
  const ended = migrate(old, undefined, (count) => void deadlocks.push(count));
  ended.catch(() => undefined);
  const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await until(
    'the upgrade waits',
    async () => ((await old.db.execute(waiting)) as unknown as { rows: unknown[] }).rows.length > 0,
  );
  return { ended, deadlocks };
}

it.each([
  [
    'a claim of webhooks, which selects and then updates',
    sql`select id from webhook_events for update skip locked`,
    sql`update webhook_events set next_attempt_at = now()`,
  ],
  [
    'a delivery, which locks its destination and then reads payments',
    sql`select reference from paymail_destinations for key share`,
    sql`select id from payments`,
  ],
])('doesn’t deadlock with %s', async (_, first, second) => {
  const old = await openDatabaseBefore('0018_pending_events');
  try {
    const { ended, deadlocks } = await old.db.transaction(async (tx) => {
      await tx.execute(first);
      const upgrade = await startBlockedUpgrade(old);
      await tx.execute(second);
      return upgrade;
    });
    await ended;
    expect(deadlocks).toEqual([]);
  } finally {
    await old.close();
  }
});

it.each(['0018_pending_events', '0019_webhook_bodies'])(
  'running instances can read a table while the upgrade from before %s waits for a backup of it',
  async (tag) => {
    const old = await openDatabaseBefore(tag);
    try {
      const { ended } = await old.db.transaction(async (backup) => {
        await backup.execute(sql`select id from webhook_events`);
        const upgrade = await startBlockedUpgrade(old);
        await old.db.execute(sql`select id from webhook_events`);
        return upgrade;
      });
      await ended;
    } finally {
      await old.close();
    }
  },
);

it('an upgrade is repeated after a deadlock, up to ten times, and after each timeout of a lock', async () => {
  const old = await openDatabaseBefore('0018_pending_events');
  try {
    // A rollback doesn't reset the sequence, so only the first 14 attempts fail.
    await old.db.execute(sql`create sequence attempts`);
    await old.db.execute(sql`
      create function fail_first() returns event_trigger language plpgsql as $$ begin
        case
          when nextval('attempts') = 1 then raise 'lock timeout' using errcode = '55P03';
          when currval('attempts') <= 14 then raise 'deadlock detected' using errcode = '40P01';
          else null;
        end case;
      end $$`);
    await old.db.execute(
      sql`create event trigger fail_first on ddl_command_start when tag in ('CREATE INDEX') execute function fail_first()`,
    );
    const deadlocks: number[] = [];
    const upgrade = () => migrate(old, undefined, (count) => void deadlocks.push(count));
    await expect(upgrade()).rejects.toMatchObject({ cause: { code: '40P01' } });
    expect(deadlocks).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    await upgrade();
    expect(deadlocks.slice(10)).toEqual([1, 2]);
  } finally {
    await old.close();
  }
});
