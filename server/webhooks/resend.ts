/** Resends events, within limits on their total size, because the webhook URL might not belong to the owner. */
import { and, eq, sql } from 'drizzle-orm';
import type { Response } from 'express';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import type { Application } from '../applications/store.ts';
import type { Database } from '../database/connect.ts';
import { webhookEvents } from '../database/schema.ts';
import type { Limit, RateLimits } from '../http/rate-limit.ts';
import { resendEvent } from './log.ts';
import { storedBody } from './outbox.ts';

/** Limit in kilobytes. An event larger than a full bucket empties the bucket. */
const BY_OWNER: Limit = { name: 'webhook-resend', perMinute: 5_000, burst: 50_000 };
/** Shared by all applications whose webhooks go to the same host. */
export const TO_HOST: Limit = { name: 'webhook-resend-to', perMinute: 20_000, burst: 200_000 };
/** Minimum cost of an event in kilobytes, which limits events to 500 per minute. */
export const MIN_EVENT_KILOBYTES = 10;

const EVENT_ID = /^msg_[A-Za-z0-9]{1,40}$/;

export interface ResendContext {
  db: Database;
  limits: RateLimits;
  now: () => Date;
}

/** Resends an application's event. @throws ServiceError `not-found`, `too-many-requests` */
export async function resend(
  { db, limits, now }: ResendContext,
  { id, ownerId, webhookUrl }: Application,
  eventId: string,
  response: Response,
): Promise<void> {
  const [event] = EVENT_ID.test(eventId)
    ? await db
        .select({ bytes: sql`octet_length(${storedBody})`.mapWith(Number) })
        .from(webhookEvents)
        .where(and(eq(webhookEvents.id, eventId), eq(webhookEvents.applicationId, id)))
    : [];
  if (!event) throw new ServiceError('not-found');
  const kilobytes = Math.max(MIN_EVENT_KILOBYTES, Math.ceil(event.bytes / 1000));
  await limits.take(BY_OWNER, String(ownerId), response, kilobytes);
  if (webhookUrl !== null) await limits.take(TO_HOST, new URL(webhookUrl).host, response, kilobytes);
  await resendEvent(db, id, eventId, now());
}
