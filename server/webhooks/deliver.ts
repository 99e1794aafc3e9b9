/** Delivers due webhook events in the background. */
import type { Logger } from 'pino';
import { signingSecrets } from '../applications/store.ts';
import type { Database } from '../database/connect.ts';
import { describeError } from '../http/errors.ts';
import type { DeliveryProgress } from '../http/metrics.ts';
import { FairShare, MAX_ATTEMPTS } from './fair-share.ts';
import { claimDue, LARGE_BYTES, queuedBytes, settle, type ClaimedEvent } from './queue.ts';
import { bodyWithSecret, inOlderForm } from './secret-body.ts';
import { send, type Attempt } from './send.ts';
import { signedHeaders } from './signature.ts';

export interface DeliveryContext {
  db: Database;
  now: () => Date;
  log: Logger;
  /** True if webhooks may use http URLs, and private and loopback addresses. */
  allowPrivate: boolean;
  /** Timeout for a receiver's response (ms). */
  timeoutMs?: number;
}

const TIMEOUT_MS = 10_000;
const LOOK_EVERY_MS = 1_000;

/** Makes one attempt to deliver a claimed event. @returns the response time (ms), or null if there was none */
export async function attempt(context: DeliveryContext, event: ClaimedEvent): Promise<number | null> {
  const { db, now, log } = context;
  const startedAt = now();
  const begun = performance.now();
  const result = await attemptOnce(event, startedAt, context);
  const tookMs = performance.now() - begun;
  await settle(db, event, { ...result, startedAt, endedAt: now() }, Math.random());
  log.debug(
    { event: event.id, application: event.applicationId, status: result.status, error: result.error },
    'webhook attempted',
  );
  return result.status === null ? null : tookMs;
}

async function attemptOnce(
  { id, type, body: signed, receiver }: ClaimedEvent,
  startedAt: Date,
  { allowPrivate, timeoutMs = TIMEOUT_MS }: DeliveryContext,
): Promise<Attempt> {
  const { webhookUrl, webhookBodySecret } = receiver;
  if (webhookUrl === null) return { status: null, error: 'The application has no webhook URL.', response: null };
  // The application has switched to the older format since the event was stored (see enqueueRefundEvent).
  if (webhookBodySecret !== null && !inOlderForm(type))
    return {
      status: null,
      error: null,
      response: 'Not sent: webhooks in the older format don’t include this event.',
    };
  const body = webhookBodySecret === null ? signed : bodyWithSecret(signed, webhookBodySecret);
  return send(webhookUrl, signedHeaders(id, body, signingSecrets(receiver, startedAt), startedAt), body, {
    allowPrivate,
    timeoutMs,
  });
}

export interface Delivery {
  /** Starts no new attempts, and resolves when the results of those in progress are stored. */
  stop(): Promise<void>;
}

/** Starts delivering. Each completed attempt triggers a check, because the payment's next event waits for it. */
export function startDelivery(context: DeliveryContext & { progress: DeliveryProgress }): Delivery {
  const { db, now, log, progress } = context;
  const share = new FairShare();
  const attempts = new Set<Promise<void>>();
  let room = LARGE_BYTES;
  let stopped = false;
  let wake = () => {};

  function begin(event: ClaimedEvent): void {
    const end = share.begin({ ...event, webhookUrl: event.receiver.webhookUrl });
    const taken = queuedBytes(event);
    room -= taken;
    const running = attempt(context, event)
      .then(end, (error: unknown) => {
        end();
        log.error(
          { event: event.id, error: describeError(error) },
          'the result of a webhook could not be stored, it will be sent again',
        );
      })
      .finally(() => {
        attempts.delete(running);
        room += taken;
        wake();
      });
    attempts.add(running);
  }

  async function take(): Promise<void> {
    const most = MAX_ATTEMPTS - attempts.size;
    if (most <= 0) return;
    try {
      const claimed = await claimDue(db, new Map(), most, now(), room, share);
      for (const event of claimed) begin(event);
      if (claimed.length < most && room > 0) progress.caughtUpAt = now();
    } catch (error) {
      log.error({ error: describeError(error) }, 'webhooks could not be claimed');
    }
  }

  async function loop(): Promise<void> {
    while (!stopped) {
      let timer: NodeJS.Timeout | undefined;
      // Created before the check so that attempts that end during the check also wake the loop.
      const woken = new Promise<void>((resolve) => {
        wake = resolve;
        timer = setTimeout(resolve, LOOK_EVERY_MS);
        timer.unref();
      });
      await take();
      await woken;
      clearTimeout(timer);
    }
  }

  const looping = loop();
  return {
    async stop() {
      stopped = true;
      wake();
      await looping;
      await Promise.all(attempts);
    },
  };
}
