import { Router } from 'express';
import { sql } from 'drizzle-orm';
import type { Database, OpenDatabase } from '../database/connect.ts';
import { instanceFacts } from '../database/schema.ts';
import { hashSecret } from '../secrets.ts';
import type { Metrics } from './metrics.ts';

/** State shared with the shutdown code. */
export interface Lifecycle {
  stopping: boolean;
}

const DATABASE_TIMEOUT_MS = 2_000;

async function acceptsWrites(db: Database): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, DATABASE_TIMEOUT_MS, false);
  });
  try {
    // Locks no rows. If the server is read-only, the statement fails, and all connections to the server are discarded.
    const asked = db.execute(sql`select 1 from ${instanceFacts} where false for update`);
    return await Promise.race([asked.then(() => true), timeout]);
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * - GET /healthz: 200 while the process runs.
 * - GET /readyz: 200 if requests can be served; 503 if the database doesn't respond within 2 s or rejects writes, and
 *   during shutdown.
 * - GET /metrics: Prometheus text format 0.0.4, with `metricsToken` as bearer token; otherwise 404.
 */
export function healthRoutes({
  db,
  fault,
  lifecycle,
  metrics,
  metricsToken,
}: {
  db: Database;
  fault: OpenDatabase['fault'];
  lifecycle: Lifecycle;
  metrics: Metrics;
  metricsToken: string | null;
}): Router {
  // Comparing hashes keeps timing from revealing the token.
  const expected = metricsToken === null ? null : hashSecret(`Bearer ${metricsToken}`);
  const router = Router();
  router.get('/healthz', (_request, response) => {
    response.set('Cache-Control', 'no-store').json({ status: 'alive' });
  });
  router.get('/readyz', async (_request, response) => {
    const isUsable = async () => fault() === null && (await acceptsWrites(db)) && fault() === null;
    const status = lifecycle.stopping ? 'stopping' : (await isUsable()) ? 'ready' : 'database-unavailable';
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
