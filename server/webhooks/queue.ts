/**
 * The outbox as a queue. Any number of instances take from it: each claims some events that are due by moving their
 * next attempt on (a lease), and a claim that is lost with its process is due again then.
 */
import { randomUUID } from 'node:crypto';
import { and, eq, inArray, sql, type SQL } from 'drizzle-orm';
import type { Application } from '../applications/store.ts';
import type { Database } from '../database/connect.ts';
import { applications, webhookDeliveries, webhookEvents } from '../database/schema.ts';
import { MAX_ATTEMPTS, type Candidate, type FairShare } from './fair-share.ts';
import { retryDelayMs } from './schedule.ts';
import type { Attempt } from './send.ts';

/** How long a claim lasts, in milliseconds: more than an attempt and its bookkeeping ever take. */
export const LEASE_MS = 30_000;
/** Most attempts that one instance makes at the same time for one application. */
const PER_APPLICATION = 4;
/** Most due events that one look chooses among. */
const MAX_CANDIDATES = 4 * MAX_ATTEMPTS;
/** Up to this many bytes a body needs no room: as many of them as there are attempts at the same time do no harm. */
const SMALL_BYTES = 100_000;
/**
 * Most bytes of larger bodies that one instance has under way, give or take one of them: they carry whole transactions,
 * up to 25 MB.
 */
export const LARGE_BYTES = 32_000_000;

/** How much room the body of an event takes up while it is under way (see {@link claimDue}). */
export function roomOf({ body }: Pick<ClaimedEvent, 'body'>): number {
  const bytes = Buffer.byteLength(body);
  return bytes > SMALL_BYTES ? bytes : 0;
}

/** An event that this process is to deliver now. */
export interface ClaimedEvent {
  id: string;
  applicationId: string;
  ownerId: number;
  type: string;
  body: string;
  attempts: number;
  /** Names the claim: whoever has another one has taken the event over. */
  lease: Date;
  receiver: Pick<
    Application,
    'webhookUrl' | 'webhookSecret' | 'previousWebhookSecret' | 'previousWebhookSecretUntil' | 'webhookBodySecret'
  >;
}

/**
 * Takes events that are due, for each application a few of the longest waiting, so that none waits for another one's
 * receiver. An event of a payment is not due while an earlier one of the same payment is open.
 * @param underWay how many attempts this process makes already, by application
 * @param most how many to take altogether
 * @param room for so many bytes of bodies that are not small; what does not fit stays due, and holds up no small one
 * @param share limits applications, owners and hosts by what they have under way; left out, all applications are alike
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
  // Steps from application to application along the index, however long their queues are; beginning somewhere else each
  // time, since one look does not reach them all.
  const begin = randomUUID();
  const walk = (name: string, bound: SQL) => sql`${sql.raw(name)} as (
      (select application_id from webhook_events where next_attempt_at is not null and application_id ${bound} order by application_id limit 1)
      union all
      select (
        select e.application_id from webhook_events e
        where e.next_attempt_at is not null and e.application_id > w.application_id and e.application_id ${bound} order by e.application_id limit 1
      ) from ${sql.raw(name)} w where w.application_id is not null
    )`;
  const candidates = sql`
    with recursive ${walk('behind', sql`>= ${begin}::uuid`)}, ${walk('before', sql`< ${begin}::uuid`)}, waiting as (
      select application_id from behind union all select application_id from before
    ), picked as materialized (
      select first.* from waiting w cross join lateral (
        select e.id, e.application_id, e.next_attempt_at, octet_length(e.body) as bytes from webhook_events e
        where e.application_id = w.application_id and e.next_attempt_at <= ${at}::timestamptz and not exists (
          select 1 from webhook_events earlier
          where earlier.application_id = e.application_id and earlier.payment_id = e.payment_id
            and earlier.sequence < e.sequence and earlier.state = 'pending'
        )
        order by e.next_attempt_at, e.id
        limit greatest(0, coalesce((${allowed}::jsonb ->> w.application_id::text)::int, ${others}))
        for update of e skip locked
      ) first limit ${share === undefined ? most : MAX_CANDIDATES}
    ) select p.id, p.bytes, p.application_id as "applicationId", a.owner_id as "ownerId", a.webhook_url as "webhookUrl"
      from picked p join applications a on a.id = p.application_id order by p.next_attempt_at, p.id`;
  return db.transaction(async (tx) => {
    const { rows } = (await tx.execute(candidates)) as unknown as { rows: DueEvent[] };
    const due = fitting(share?.select(rows, most) ?? rows, room).map(({ id }) => id);
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
        body: webhookEvents.body,
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

/** An event that could be claimed. */
interface DueEvent extends Candidate {
  id: string;
  bytes: number;
}

/** Those of them whose bodies fit: small ones, and large ones while there is room. */
function fitting(due: readonly DueEvent[], room: number): DueEvent[] {
  let before = 0;
  return due.filter(({ bytes }) => {
    if (bytes <= SMALL_BYTES) return true;
    before += bytes;
    return before - bytes < room;
  });
}

/** How an attempt went, and when it began and ended. */
export interface AttemptRecord extends Attempt {
  startedAt: Date;
  endedAt: Date;
}

/**
 * Writes an attempt into the delivery log and ends its claim: delivered, to be tried again, or given up. If another
 * instance has taken the event over meanwhile, only the log changes.
 * @param random from 0 up to 1
 */
export async function settle(db: Database, event: ClaimedEvent, attempt: AttemptRecord, random: number): Promise<void> {
  const { startedAt, endedAt, status, error, response } = attempt;
  await db.transaction(async (tx) => {
    const attempts = event.attempts + 1;
    const delay = error === null ? null : retryDelayMs(attempts, random);
    const state = error === null ? 'delivered' : delay === null ? 'given-up' : 'pending';
    await tx
      .update(webhookEvents)
      .set({ state, attempts, nextAttemptAt: delay === null ? null : new Date(endedAt.getTime() + delay) })
      .where(
        and(
          eq(webhookEvents.id, event.id),
          eq(webhookEvents.state, 'pending'),
          eq(webhookEvents.nextAttemptAt, event.lease),
        ),
      );
    await tx.insert(webhookDeliveries).values({
      id: randomUUID(),
      eventId: event.id,
      attemptedAt: startedAt,
      durationMs: endedAt.getTime() - startedAt.getTime(),
      status,
      error,
      response,
    });
  });
}
