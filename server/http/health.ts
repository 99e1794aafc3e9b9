/** What operators and load balancers ask. */
import { Router } from 'express';
import { sql } from 'drizzle-orm';
import type { Database } from '../database/connect.ts';
import { hashSecret } from '../secrets.ts';
import type { Metrics } from './metrics.ts';

/** Shared with whoever shuts the service down. */
export interface Lifecycle {
  stopping: boolean;
}

const DATABASE_TIMEOUT_MS = 2_000;

async function answers(db: Database): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, DATABASE_TIMEOUT_MS, false);
  });
  try {
    return await Promise.race([db.execute(sql`select 1`).then(() => true), timeout]);
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * - GET /healthz: 200 while the process runs.
 * - GET /readyz: 200 once requests can be served (the app is made after the migrations), 503 while the database does
 * not
 *   answer within 2 s and from the moment that a shutdown begins.
 * - GET /metrics: Prometheus text format 0.0.4, for the bearer of `metricsToken`; 404 for everyone else.
 */
export function healthRoutes({
  db,
  lifecycle,
  metrics,
  metricsToken,
}: {
  db: Database;
  lifecycle: Lifecycle;
  metrics: Metrics;
  metricsToken: string | null;
}): Router {
  // Hashes are compared, so that the time reveals nothing about the token.
  const expected = metricsToken === null ? null : hashSecret(`Bearer ${metricsToken}`);
  const router = Router();
  router.get('/healthz', (_request, response) => {
    response.set('Cache-Control', 'no-store').json({ status: 'alive' });
  });
  router.get('/readyz', async (_request, response) => {
    const status = lifecycle.stopping ? 'stopping' : (await answers(db)) ? 'ready' : 'database-unavailable';
    response
      .set('Cache-Control', 'no-store')
      .status(status === 'ready' ? 200 : 503)
      .json({ status });
  });
  router.get('/metrics', async (request, response, next) => {
    if (expected === null || hashSecret(request.headers.authorization ?? '') !== expected) {
      next();
      return;
    }
    response
      .set('Cache-Control', 'no-store')
      .type(metrics.registry.contentType)
      .send(await metrics.registry.metrics());
  });
  return router;
}
