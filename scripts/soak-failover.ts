/**
 * `npm run soak:failover`: sends the traffic of `soak:service` through nginx to two instances, which use a PostgreSQL
 * server with a synchronous replica. The primary is killed (-9) and the replica is promoted. Instances are killed as
 * well. Reports lost acknowledged writes, and outage times. SOAK_SECONDS sets the duration. COMMIT sets
 * `synchronous_commit` (`on`, `remote_apply`, `local`). Requires nginx.
 */
import { soakService } from './soak-service.ts';
import { startNginx } from './soak-service/nginx.ts';
import { startReplicated } from './soak-service/replicated-postgres.ts';

const seconds = Number(process.env.SOAK_SECONDS ?? 60);
const commit = (process.env.COMMIT ?? 'on') as 'on' | 'remote_apply' | 'local';
const PROBE_MS = 50;

const postgres = await startReplicated(commit);
try {
  const gaps: Gap[] = [];
  let failedOver: { at: number; promotion: number; behind: string } | null = null;
  const result = await soakService(
    {
      url: postgres.url,
      async crash() {
        if (failedOver) return;
        const { state, sync, behind } = await postgres.replication();
        const at = performance.now();
        failedOver = { at, promotion: await postgres.failOver(), behind: `${state}, ${sync}, ${behind} bytes behind` };
      },
      async front(instances) {
        const nginx = await startNginx(instances);
        const probing = probe(`${nginx.url}/readyz`, gaps);
        return {
          url: nginx.url,
          async close() {
            await probing.stop();
            await nginx.close();
          },
        };
      },
    },
    { seconds, workers: 4, lifeMs: (seconds * 1000) / 5, kills: 3, acknowledged: 3 },
  );
  const { notes, kills, losses } = result;
  const over = failedOver as { at: number; promotion: number; behind: string } | null;
  const shown = gaps.map(({ from, until, status }) => {
    const [at, length] = [from - (over?.at ?? 0), until - from].map((ms) => (ms / 1000).toFixed(1));
    return `at ${at} s for ${length} s (${status ?? 'no connection'})`;
  });
  console.log(
    `synchronous_commit=${commit}; replica before the failover: ${over?.behind}; promotion ${over?.promotion.toFixed(0)} ms`,
  );
  console.log(`readyz through the proxy was not 200 at these times after the failover: ${shown.join('; ') || 'never'}`);
  console.log(
    `${kills} kills of an instance; ${notes.answered} requests answered, ${notes.unanswered} cut off or told to retry. Acknowledged: ${notes.users.size} accounts, ${notes.payments.size} payments, ${notes.tokens.size} tokens, ${notes.revoked.size} revocations, ${[...notes.names.values()].flat().length} reads and writes of names; ${result.delivered} events delivered.`,
  );
  for (const loss of losses.slice(0, 20)) console.log(`LOST  ${loss.slice(0, 500)}`);
  console.log(losses.length === 0 ? 'No acknowledged data was lost.' : `${losses.length} losses or inconsistencies.`);
  if (losses.length > 0) process.exitCode = 1;
} finally {
  await postgres.stop();
}

/** A period without a 200 response, and the status of its first response. */
interface Gap {
  from: number;
  until: number;
  status: number | null;
}

/** Polls a URL and records periods without a 200 response. */
function probe(url: string, gaps: Gap[]) {
  let stopped = false;
  const run = (async () => {
    let bad: Gap | null = null;
    while (!stopped) {
      const at = performance.now();
      const status = await fetch(url, { signal: AbortSignal.timeout(10_000) }).then(
        async (answer) => (await answer.text(), answer.status),
        () => null,
      );
      if (status !== 200) {
        if (!bad) gaps.push((bad = { from: at, until: at, status }));
        bad.until = performance.now();
      } else bad = null;
      await new Promise((wake) => setTimeout(wake, PROBE_MS));
    }
  })();
  return {
    async stop() {
      stopped = true;
      await run;
    },
  };
}
