/**
 * Follows the operators' event streams (Arcade), one connection per operator. An event only triggers a query about its
 * payment, so false or missing events do no harm. Operators without a stream are polled.
 */
import type { Logger } from 'pino';
import { setTimeout as pause } from 'node:timers/promises';
import type { Broadcaster } from '../../protocol/network/broadcaster/broadcaster.ts';
import type { TransactionEvent } from '../../protocol/network/broadcaster/events.ts';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { describeError } from '../http/errors.ts';

export interface EventsContext {
  followed: readonly Pick<Broadcaster, 'url' | 'follow'>[];
  /** The callback token that the service sends with the transactions it submits. */
  token: string;
  /** Makes the payments with these transactions due for a check. */
  checkSoon(txids: readonly string[]): Promise<void>;
  log: Logger;
  /** Interval between calls to `checkSoon` (ms). */
  flushEveryMs?: number;
  /** Initial pause after a stream ends (ms). The pause doubles up to five minutes. */
  retryMs?: number;
}

const FLUSH_EVERY_MS = 500;
const RETRY_MS = 1_000;
const MAX_RETRY_MS = 300_000;
/** Pause before retrying an operator that didn't support streams (ms). */
const UNSUPPORTED_MS = 3_600_000;
/** Max transactions per call to `checkSoon`. Polling finds the rest. */
const MAX_PENDING = 500;
/** Number of calls to `checkSoon` before a transaction may be passed again. */
const REST_CALLS = 10;

/** Starts following the streams. `stop` closes them, and resolves once all work is done. */
export function followEvents(context: EventsContext): { stop(): Promise<void> } {
  const { followed, token, checkSoon, log, flushEveryMs = FLUSH_EVERY_MS, retryMs = RETRY_MS } = context;
  const stopping = new AbortController();
  const { signal } = stopping;
  const rest = (ms: number) => pause(ms, undefined, { signal, ref: false }).catch(() => undefined);
  const pending = new Set<string>();
  /** For each recently reported transaction, the number of the last call that included it. */
  const reported = new Map<string, number>();

  async function follow(one: EventsContext['followed'][number]): Promise<void> {
    let last: string | null = null;
    let failures = 0;
    while (!signal.aborted) {
      let isSupported = true;
      try {
        for await (const { id, transaction } of one.follow(token, last, signal) as AsyncIterable<TransactionEvent>) {
          if (signal.aborted) break;
          // A stream that only repeats the same event is treated as failing.
          if (id === null || id !== last) failures = 0;
          last = id ?? last;
          if (pending.size < MAX_PENDING) pending.add(transaction.txid);
        }
      } catch (error) {
        isSupported = !(error instanceof ServiceError && error.code === 'unsupported-method');
        if (isSupported && !signal.aborted)
          log.info({ operator: one.url, error: describeError(error) }, 'an event stream broke, will try again');
      }
      await rest(isSupported ? Math.min(retryMs * 2 ** Math.min(failures, 20), MAX_RETRY_MS) : UNSUPPORTED_MS);
      failures += 1;
    }
  }

  async function flush(): Promise<void> {
    for (let call = 0; !signal.aborted; call += 1) {
      await rest(flushEveryMs);
      for (const [txid, at] of reported) if (call - at >= REST_CALLS) reported.delete(txid);
      const due = [...pending].filter((txid) => !reported.has(txid));
      if (due.length === 0) continue;
      for (const txid of due) {
        pending.delete(txid);
        reported.set(txid, call);
      }
      await checkSoon(due).catch((error: unknown) => {
        log.warn({ error: describeError(error) }, 'events of operators could not be stored');
      });
    }
  }

  const running = Promise.all([flush(), ...followed.map(follow)]);
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
