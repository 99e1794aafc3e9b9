/**
 * The outbox as a queue. Each instance claims due events by postponing their next attempt (a lease). If an instance is
 * killed, its events become due again.
 */
import { randomUUID } from 'node:crypto';
import { and, desc, eq, gt, inArray, sql, type SQL } from 'drizzle-orm';
import type { Application } from '../applications/store.ts';
import type { Database } from '../database/connect.ts';
import { applications, webhookDeliveries, webhookEvents } from '../database/schema.ts';
import { MAX_ATTEMPTS, type Candidate, type FairShare } from './fair-share.ts';
import { storedBody } from './outbox.ts';
import { retryDelayMs } from './schedule.ts';
import type { Attempt } from './send.ts';

/** Duration of a claim (ms): longer than any attempt and its bookkeeping, plus a minute, as clocks can differ. */
export const LEASE_MS = 90_000;
const PER_APPLICATION = 4;
/** Maximum number of due events that a query selects from. */
const MAX_CANDIDATES = 4 * MAX_ATTEMPTS;
/**
 * Max due events that a query reads per application. Events that wait for an earlier one are postponed, so the next
 * query reads different events.
 */
const MAX_SCANNED = 100;
/**
 * Max applications whose waiting events a query postpones, even if other applications have enough events to claim.
 * Otherwise, a few accounts with hanging receivers could prevent the postponement.
 */
const MAX_STUCK = 64;
/** Bodies up to this size (bytes) don't count toward the limit, because even one per attempt takes little memory. */
const SMALL_BYTES = 100_000;
/** Max total bytes of larger bodies in progress per instance. Each can contain a transaction of up to 25 MB. */
export const LARGE_BYTES = 32_000_000;
/** Number of newest attempts kept per event. A schedule has ten, but an event can be resent any number of times. */
export const KEPT_ATTEMPTS = 20;
/** Max old attempts deleted when a new one is stored. Earlier versions kept all attempts, so there can be many. */
const MAX_DELETED = 100;

/** Returns the number of bytes of an event's body that count toward {@link LARGE_BYTES} while it is being sent. */
export function queuedBytes({ body }: Pick<ClaimedEvent, 'body'>): number {
  const bytes = Buffer.byteLength(body);
  return bytes > SMALL_BYTES ? bytes : 0;
}

export interface ClaimedEvent {
  id: string;
  applicationId: string;
  ownerId: number;
  type: string;
  body: string;
  attempts: number;
  /** Identifies the claim. A different value means that another instance has claimed the event. */
  lease: Date;
  receiver: Pick<
    Application,
    'webhookUrl' | 'webhookSecret' | 'previousWebhookSecret' | 'previousWebhookSecretUntil' | 'webhookBodySecret'
  >;
}

/**
 * Claims due events: for each application, the few that have waited longest, so no application waits for another's
 * receiver. An event waits while an earlier event for the same payment is pending.
 * @param underWay this process's attempts in progress, by application
 * @param room max bytes of large bodies; further events stay due
 * @param share limits attempts per application, owner and host; without it, all applications get the same limit
 */
export async function claimDue(
  db: Database,
  underWay: ReadonlyMap<string, number>,
  most: number,
  now: Date,
  room = LARGE_BYTES,
  share?: FairShare,
): Promise<ClaimedEvent[]> {
  const lease = new Date(now.getTime() + LEASE_MS);
  const { named, others } = share?.allowances() ?? {
    named: Object.fromEntries([...underWay].map(([id, count]) => [id, PER_APPLICATION - count])),
    others: PER_APPLICATION,
  };
  const allowed = JSON.stringify(named);
  const at = now.toISOString();
  // Walks the applications in index order, starting at a random one, because a query might not reach all of them.
  const begin = randomUUID();
  const walk = (name: string, bound: SQL) => sql`${sql.raw(name)} as (
      (select application_id from webhook_events where next_attempt_at is not null and application_id ${bound} order by application_id limit 1)
      union all
      select (
        select e.application_id from webhook_events e
        where e.next_attempt_at is not null and e.application_id > w.application_id and e.application_id ${bound} order by e.application_id limit 1
      ) from ${sql.raw(name)} w where w.application_id is not null
    )`;
  const limit = share === undefined ? most : MAX_CANDIDATES;
  const allowance = sql`coalesce((${allowed}::jsonb ->> w.application_id::text)::int, ${others})`;
  // Ordered only by the index, because a second key would require sorting all events that became due at the same time.
  // Queries that use it repeat the time condition for `e`, because PostgreSQL rechecks only conditions on locked rows.
  const scanned = sql`(
      select s.id, s.next_attempt_at from webhook_events s
      where s.application_id = w.application_id and s.next_attempt_at <= ${at}::timestamptz
      order by s.next_attempt_at limit ${MAX_SCANNED}
    ) s join webhook_events e on e.id = s.id`;
  const candidates = sql`
    with recursive ${walk('behind', sql`>= ${begin}::uuid`)}, ${walk('before', sql`< ${begin}::uuid`)}, waiting as (
      select application_id from behind union all select application_id from before
    ), picked as materialized (
      select first.* from waiting w cross join lateral (
        select e.id, e.application_id, e.next_attempt_at, octet_length(coalesce(e.body, b.body)) as bytes
        from ${scanned} left join webhook_bodies b on b.id = e.body_id
        where e.next_attempt_at <= ${at}::timestamptz and not exists (${EARLIER})
        order by s.next_attempt_at
        limit greatest(0, ${allowance})
        for update of e skip locked
      ) first limit ${limit}
    ), stuck as materialized (
      select w.application_id from waiting w
      where ${allowance} > 0 and not exists (select 1 from picked p where p.application_id = w.application_id)
        and exists (select 1 from webhook_events d where d.application_id = w.application_id and d.next_attempt_at <= ${at}::timestamptz)
      limit ${MAX_STUCK}
    ), blocked as materialized (
      select first.* from stuck w cross join lateral (
        select e.id, e.application_id, e.next_attempt_at from ${scanned}
        where e.next_attempt_at <= ${at}::timestamptz and exists (${EARLIER})
        for update of e skip locked
      ) first limit ${MAX_CANDIDATES}
    ) select f.id, f.bytes, f.application_id as "applicationId", a.owner_id as "ownerId", a.webhook_url as "webhookUrl"
      from (
        select * from picked union all select id, application_id, next_attempt_at, null from blocked
      ) f join applications a on a.id = f.application_id order by f.next_attempt_at, f.id`;
  return db.transaction(async (tx) => {
    const { rows } = (await tx.execute(candidates)) as unknown as { rows: (DueEvent | BlockedEvent)[] };
    const blocked = rows.filter((row) => row.bytes === null);
    await postpone(
      tx,
      blocked.map(({ id }) => id),
      lease,
    );
    const ready = rows.filter((row) => row.bytes !== null);
    const due = fitting(share?.select(ready, most) ?? ready, room).map(({ id }) => id);
    if (due.length === 0) return [];
    const claimed = await tx
      .update(webhookEvents)
      .set({ nextAttemptAt: lease })
      .where(inArray(webhookEvents.id, due))
      .returning({ id: webhookEvents.id });
    const events = await tx
      .select({
        id: webhookEvents.id,
        applicationId: webhookEvents.applicationId,
        ownerId: applications.ownerId,
        type: webhookEvents.type,
        body: storedBody,
        attempts: webhookEvents.attempts,
        receiver: {
          webhookUrl: applications.webhookUrl,
          webhookSecret: applications.webhookSecret,
          previousWebhookSecret: applications.previousWebhookSecret,
          previousWebhookSecretUntil: applications.previousWebhookSecretUntil,
          webhookBodySecret: applications.webhookBodySecret,
        },
      })
      .from(webhookEvents)
      .innerJoin(applications, eq(applications.id, webhookEvents.applicationId))
      .where(
        inArray(
          webhookEvents.id,
          claimed.map(({ id }) => id),
        ),
      );
    return events.map((event) => ({ ...event, lease }));
  });
}

interface DueEvent extends Candidate {
  id: string;
  bytes: number;
}

/** An event that waits for an earlier one. */
interface BlockedEvent extends Candidate {
  id: string;
  bytes: null;
}

/** Selects the pending event of the same payment that `e` waits for. */
const EARLIER = sql`
  select earlier.next_attempt_at from webhook_events earlier
  where earlier.application_id = e.application_id and earlier.payment_id = e.payment_id
    and earlier.sequence < e.sequence and earlier.state = 'pending'`;

/**
 * Postpones each event until the next attempt of the event that it waits for, unless that one has ended in the
 * meantime. After the last attempt, {@link settle} makes the next event due immediately.
 * @param tx the transaction that has locked the events
 */
async function postpone(tx: Database, eventIds: string[], lease: Date): Promise<void> {
  if (eventIds.length === 0) return;
  await tx.execute(sql`
    update webhook_events e set (next_attempt_at, postponed_until) = (
      select at, at from (select greatest(${lease.toISOString()}::timestamptz, (${EARLIER} order by earlier.sequence limit 1)) as at) t
    )
    where ${inArray(sql`e.id`, eventIds)} and exists (${EARLIER})`);
}

/** Selects events whose bodies fit: all small ones, and large ones while there is room. */
function fitting(due: readonly DueEvent[], room: number): DueEvent[] {
  let before = 0;
  return due.filter(({ bytes }) => {
    if (bytes <= SMALL_BYTES) return true;
    before += bytes;
    return before - bytes < room;
  });
}

/**
 * Makes the payment's next event due if it was postponed and not claimed or resent since. Skips a locked event, because
 * an unresponsive instance can hold its lock, and deleting the application would deadlock. If a claim holds the lock,
 * the event becomes due by itself within {@link LEASE_MS}.
 */
async function releaseNext(
  tx: Database,
  { applicationId, paymentId, sequence }: { applicationId: string; paymentId: string | null; sequence: number },
  now: Date,
): Promise<void> {
  if (paymentId === null) return;
  // Locked by a separate statement so that the update sees a concurrent postponement.
  const [next] = await tx
    .select({ id: webhookEvents.id })
    .from(webhookEvents)
    .where(
      and(
        eq(webhookEvents.applicationId, applicationId),
        eq(webhookEvents.paymentId, paymentId),
        gt(webhookEvents.sequence, sequence),
        eq(webhookEvents.state, 'pending'),
      ),
    )
    .orderBy(webhookEvents.sequence)
    .limit(1)
    .for('update', { skipLocked: true });
  if (!next) return;
  await tx
    .update(webhookEvents)
    .set({ nextAttemptAt: now })
    .where(
      and(
        eq(webhookEvents.id, next.id),
        eq(webhookEvents.nextAttemptAt, webhookEvents.postponedUntil),
        gt(webhookEvents.nextAttemptAt, now),
      ),
    );
}

export interface AttemptRecord extends Attempt {
  startedAt: Date;
  endedAt: Date;
}

/**
 * Adds an attempt to the delivery log, which keeps the newest {@link KEPT_ATTEMPTS}, and ends the event's claim: the
 * event is delivered, retried later, or abandoned. If another instance has claimed the event, only the log changes.
 * @param random in [0, 1)
 */
export async function settle(db: Database, event: ClaimedEvent, attempt: AttemptRecord, random: number): Promise<void> {
  const { startedAt, endedAt, status, error, response } = attempt;
  await db.transaction(async (tx) => {
    const attempts = event.attempts + 1;
    const delay = error === null ? null : retryDelayMs(attempts, random);
    const state = error === null ? 'delivered' : delay === null ? 'given-up' : 'pending';
    const [settled] = await tx
      .update(webhookEvents)
      .set({ state, attempts, nextAttemptAt: delay === null ? null : new Date(endedAt.getTime() + delay) })
      .where(
        and(
          eq(webhookEvents.id, event.id),
          eq(webhookEvents.state, 'pending'),
          eq(webhookEvents.nextAttemptAt, event.lease),
        ),
      )
      .returning({ paymentId: webhookEvents.paymentId, sequence: webhookEvents.sequence });
    await tx.insert(webhookDeliveries).values({
      id: randomUUID(),
      eventId: event.id,
      attemptedAt: startedAt,
      durationMs: endedAt.getTime() - startedAt.getTime(),
      status,
      error,
      response,
    });
    const older = tx
      .select({ id: webhookDeliveries.id })
      .from(webhookDeliveries)
      .where(eq(webhookDeliveries.eventId, event.id))
      .orderBy(desc(webhookDeliveries.attemptedAt), desc(webhookDeliveries.id))
      .offset(KEPT_ATTEMPTS)
      .limit(MAX_DELETED);
    await tx.delete(webhookDeliveries).where(inArray(webhookDeliveries.id, older));
    // Runs last, to undo postponements of the next event by concurrent claims that still see this event as pending.
    if (settled && delay === null) await releaseNext(tx, { ...event, ...settled }, endedAt);
  });
}
