/** Prometheus metrics for this process, and for the queues in the database, which all instances share. */
import { and, count, eq, isNotNull, isNull, min } from 'drizzle-orm';
import { Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import type { Database, OpenDatabase } from '../database/connect.ts';
import { payments, receivedTransactions, webhookEvents } from '../database/schema.ts';

export interface Metrics {
  registry: Registry;
  /** Request durations in seconds, by method, declared route, and status (HTTP status, `unanswered` or `cut-off`). */
  requestSeconds: Histogram<'method' | 'route' | 'status'>;
}

export interface MetricsContext {
  db: Database;
  connections: OpenDatabase['connections'];
  now: () => Date;
  /** Time of the current exchange rates, in ms since 1970; null before the first update. */
  ratesKnownAt: () => number | null;
  deliveryProgress: DeliveryProgress;
}

/** This instance's progress in delivering due webhooks, for the metrics. */
export interface DeliveryProgress {
  /** The most recent time when no due event was waiting because of the database or this instance's capacity. */
  caughtUpAt: Date;
}

/** A queue in the database: the number of waiting entries, and the time of the oldest one. */
interface Queue {
  waiting: number;
  since: Date | null;
}

/** Creates an app's own registry, with the process's default metrics. */
export function createMetrics({ db, connections, now, ratesKnownAt, deliveryProgress }: MetricsContext): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requestSeconds = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Duration of HTTP requests, by route template.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  registry.registerMetric(
    new Gauge({
      name: 'database_pool',
      help: 'Database connections of this process, and queries that wait for one.',
      labelNames: ['state'] as const,
      registers: [],
      collect() {
        for (const [state, value] of Object.entries(connections())) this.set({ state }, value);
      },
    }),
  );
  registry.registerMetric(
    new Gauge({
      name: 'exchange_rates_age_seconds',
      help: 'Age of the exchange rates last used, or NaN before the first request for them.',
      registers: [],
      collect() {
        const knownAt = ratesKnownAt();
        this.set(knownAt === null ? Number.NaN : (now().getTime() - knownAt) / 1000);
      },
    }),
  );
  registry.registerMetric(
    new Gauge({
      name: 'webhooks_behind_seconds',
      help: 'Delay of due webhooks caused by this instance, not by receivers.',
      registers: [],
      collect() {
        this.set(Math.max(0, (now().getTime() - deliveryProgress.caughtUpAt.getTime()) / 1000));
      },
    }),
  );
  measureQueue(
    'payments_open',
    'payments that the network has neither mined nor rejected',
    async () =>
      (
        await db
          .select({ waiting: count(), since: min(payments.createdAt) })
          .from(payments)
          .where(and(eq(payments.status, 'RECEIVED'), isNotNull(payments.nextCheckAt)))
      )[0],
  );
  measureQueue(
    'webhooks_pending',
    'webhook events that are neither delivered nor given up',
    async () =>
      (
        await db
          .select({ waiting: count(), since: min(webhookEvents.createdAt) })
          .from(webhookEvents)
          .where(isNotNull(webhookEvents.nextAttemptAt))
      )[0],
  );
  measureQueue(
    'received_waiting',
    'transactions received by paymail that no wallet has acknowledged yet',
    async () =>
      (
        await db
          .select({ waiting: count(), since: min(receivedTransactions.createdAt) })
          .from(receivedTransactions)
          .where(isNull(receivedTransactions.acknowledgedAt))
      )[0],
  );
  return { registry, requestSeconds };

  /** Registers two gauges fed by one query per scrape. The gauges are NaN if the database doesn't respond. */
  function measureQueue(name: string, what: string, read: () => Promise<Queue | undefined>): void {
    let reading: Promise<Queue | undefined>;
    registry.registerMetric(
      new Gauge({
        name,
        help: `Number of ${what}.`,
        registers: [],
        async collect() {
          // Also starts the query for the second gauge, because gauges are collected in order of registration.
          reading = read().catch(() => undefined);
          this.set((await reading)?.waiting ?? Number.NaN);
        },
      }),
    );
    registry.registerMetric(
      new Gauge({
        name: `${name}_oldest_seconds`,
        help: `Age of the oldest of the ${what}.`,
        registers: [],
        async collect() {
          const queue = await reading;
          this.set(
            queue === undefined
              ? Number.NaN
              : queue.since === null
                ? 0
                : (now().getTime() - queue.since.getTime()) / 1000,
          );
        },
      }),
    );
  }
}
