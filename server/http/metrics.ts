/** Figures for Prometheus, of this process alone. */
import { Histogram, Registry, collectDefaultMetrics } from 'prom-client';

/** What is measured. */
export interface Metrics {
  registry: Registry;
  /** How long requests take, in seconds, by method, declared route and status. */
  requestSeconds: Histogram<'method' | 'route' | 'status'>;
}

/** A registry of its own for one app, with the process's default figures. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requestSeconds = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'How long HTTP requests took, by route template.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  return { registry, requestSeconds };
}
