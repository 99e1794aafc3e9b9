/** An application's webhooks for its owner: events, attempts, and resending. */
import { and, asc, desc, eq, gt, inArray, lt, notExists, or, sql } from 'drizzle-orm';
import type { Database } from '../database/connect.ts';
import { webhookBodies, webhookDeliveries, webhookEvents } from '../database/schema.ts';
import { KEPT_MS, storedBody, type EventType } from './outbox.ts';
import { KEPT_ATTEMPTS, LEASE_MS } from './queue.ts';

export interface DeliveryView {
  attemptedAt: string;
  durationMs: number;
  /** The receiver's HTTP status; null if there was no response. */
  status: number | null;
  /** Error message, or null after success. */
  error: string | null;
  /** The beginning of the receiver's response, or null. */
  response: string | null;
}

export interface EventView {
  id: string;
  type: EventType;
  paymentId: string | null;
  state: 'pending' | 'delivered' | 'given-up';
  createdAt: string;
  nextAttemptAt: string | null;
  deliveries: DeliveryView[];
}

/** The beginning of an event's signed body. `cut` is true if the body is incomplete. */
export interface SentBody {
  text: string;
  cut: boolean;
}

/** A page of an application's events, newest first, and the next page's cursor; null on the last page. */
export interface EventPage {
  events: EventView[];
  nextCursor: string | null;
}

function readCursor(cursor: string): { createdAt: Date; id: string } | null {
  // 14 digits limit the year to four digits. PostgreSQL can't parse longer years as formatted by `Date`.
  const [, ms, id] = /^(\d{1,14})_(msg_[A-Za-z0-9]{1,40})$/.exec(cursor) ?? [];
  return ms === undefined || id === undefined ? null : { createdAt: new Date(Number(ms)), id };
}

/**
 * Returns an application's events, newest first, or null if the cursor is invalid.
 * @param cursor a `nextCursor`; null for the first page
 */
export async function listEvents(
  db: Database,
  applicationId: string,
  { limit = 20, cursor = null }: { limit?: number; cursor?: string | null } = {},
): Promise<EventPage | null> {
  const after = cursor === null ? null : readCursor(cursor);
  if (cursor !== null && !after) return null;
  // A row comparison, so the scan starts at this position in the index.
  const before =
    after &&
    sql`(${webhookEvents.createdAt}, ${webhookEvents.id}) < (${after.createdAt.toISOString()}::timestamptz, ${after.id})`;
  const found = await db
    .select({
      id: webhookEvents.id,
      type: webhookEvents.type,
      paymentId: webhookEvents.paymentId,
      state: webhookEvents.state,
      createdAt: webhookEvents.createdAt,
      nextAttemptAt: webhookEvents.nextAttemptAt,
    })
    .from(webhookEvents)
    .where(and(eq(webhookEvents.applicationId, applicationId), before ?? undefined))
    .orderBy(desc(webhookEvents.createdAt), desc(webhookEvents.id))
    .limit(limit + 1);
  const shown = found.slice(0, limit);
  const deliveries = await deliveriesOf(
    db,
    shown.map(({ id }) => id),
  );
  const last = found.length > limit ? shown.at(-1) : undefined;
  return {
    events: shown.map((event) => ({
      ...event,
      createdAt: event.createdAt.toISOString(),
      nextAttemptAt: event.nextAttemptAt?.toISOString() ?? null,
      deliveries: deliveries.get(event.id) ?? [],
    })),
    nextCursor: last ? `${last.createdAt.getTime()}_${last.id}` : null,
  };
}

/** Max characters of a body shown in the log. */
const MAX_SHOWN = 4_000;

export async function sentBodiesOf(db: Database, eventIds: readonly string[]): Promise<Map<string, SentBody>> {
  if (eventIds.length === 0) return new Map();
  const rows = await db
    .select({
      id: webhookEvents.id,
      text: sql<string>`left(${storedBody}, ${MAX_SHOWN})`,
      // Without `left`, PostgreSQL would decompress and count the whole body.
      cut: sql<boolean>`length(left(${storedBody}, ${MAX_SHOWN + 1})) > ${MAX_SHOWN}`,
    })
    .from(webhookEvents)
    .where(inArray(webhookEvents.id, [...eventIds]));
  return new Map(rows.map(({ id, text, cut }) => [id, { text, cut }]));
}

/** Returns each event's newest {@link KEPT_ATTEMPTS} attempts, oldest first. */
async function deliveriesOf(db: Database, eventIds: readonly string[]): Promise<Map<string, DeliveryView[]>> {
  const byEvent = new Map<string, DeliveryView[]>(eventIds.map((id) => [id, []]));
  if (eventIds.length === 0) return byEvent;
  const newest = db
    .select()
    .from(webhookDeliveries)
    .where(eq(webhookDeliveries.eventId, webhookEvents.id))
    .orderBy(desc(webhookDeliveries.attemptedAt), desc(webhookDeliveries.id))
    .limit(KEPT_ATTEMPTS)
    .as('newest');
  const rows = await db
    .select({
      eventId: newest.eventId,
      attemptedAt: newest.attemptedAt,
      durationMs: newest.durationMs,
      status: newest.status,
      error: newest.error,
      response: newest.response,
    })
    .from(webhookEvents)
    .crossJoinLateral(newest)
    .where(inArray(webhookEvents.id, [...eventIds]))
    .orderBy(asc(newest.attemptedAt), asc(newest.id));
  for (const { eventId, attemptedAt, ...result } of rows)
    byEvent.get(eventId)?.push({ attemptedAt: attemptedAt.toISOString(), ...result });
  return byEvent;
}

/**
 * Resends an application's event under the same ID, and restarts its retry schedule. An event that is being sent or is
 * due soon is left unchanged.
 * @returns false if the application has no such event
 */
export async function resendEvent(db: Database, applicationId: string, eventId: string, now: Date): Promise<boolean> {
  const own = and(eq(webhookEvents.id, eventId), eq(webhookEvents.applicationId, applicationId));
  const soon = new Date(now.getTime() + LEASE_MS);
  await db
    .update(webhookEvents)
    .set({ state: 'pending', attempts: 0, nextAttemptAt: now })
    .where(and(own, or(sql`${webhookEvents.nextAttemptAt} is null`, gt(webhookEvents.nextAttemptAt, soon))));
  const found = await db.select({ id: webhookEvents.id }).from(webhookEvents).where(own);
  return found.length > 0;
}

/** Deletes bodies that no event refers to, and old delivered or abandoned events with their attempts. */
export async function deleteOldEvents(db: Database, now: Date): Promise<void> {
  await db
    .delete(webhookEvents)
    .where(
      and(sql`${webhookEvents.nextAttemptAt} is null`, lt(webhookEvents.createdAt, new Date(now.getTime() - KEPT_MS))),
    );
  // Also finds the bodies of events that were deleted with their application. New bodies are safe, because each is
  // committed with its events.
  await db
    .delete(webhookBodies)
    .where(notExists(db.select().from(webhookEvents).where(eq(webhookEvents.bodyId, webhookBodies.id))));
}
