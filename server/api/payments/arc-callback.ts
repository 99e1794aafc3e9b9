/** ARC's callback route. Callbacks only make the service query ARC about the payment, so forged ones change nothing. */
import { timingSafeEqual } from 'node:crypto';
import type { RequestHandler } from 'express';
import { eq } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Network } from '../../../protocol/bitcoin/address.ts';
import { ServiceError } from '../../../protocol/errors/service-error.ts';
import { isLoopbackHost } from '../../../protocol/text/web-address.ts';
import type { Database } from '../../database/connect.ts';
import { instanceSecrets } from '../../database/schema.ts';
import { jsonBody } from '../../http/body.ts';
import { noStore } from '../../http/headers.ts';
import { hashSecret, randomSecret } from '../../secrets.ts';
import { serve, type RouteFamily } from '../../routing/route.ts';
import { checkSoon } from '../../settlement/payment-status.ts';
import { TXID } from '../openapi/samples.ts';

const PATH = '/api/v2/network/callbacks/arc';
const SECRET = 'arc-callback';

/** Returns the callback URL for ARC, or null if a public network's ARC can't reach this service. */
export function arcCallbackUrl(baseUrl: string, network: Network): string | null {
  return network !== 'devnet' && isLoopbackHost(new URL(baseUrl).hostname) ? null : baseUrl + PATH;
}

/** Returns the token that ARC must send. All instances that use the same database share the token. */
export async function arcCallbackToken(db: Database, now: Date): Promise<string> {
  await db
    .insert(instanceSecrets)
    .values({ name: SECRET, value: randomSecret(), createdAt: now })
    .onConflictDoNothing();
  const [found] = await db
    .select({ value: instanceSecrets.value })
    .from(instanceSecrets)
    .where(eq(instanceSecrets.name, SECRET));
  if (!found) throw new ServiceError('internal', { detail: 'the callback secret is missing' });
  return found.value;
}

const callback = z.object({ txid: z.string().check(z.regex(/^[0-9a-f]{64}$/)) });

/** ARC's callback route. Responds with 204 even for an unknown transaction. */
export function arcCallbackRoutes({ db, now }: { db: Database; now: () => Date }): RouteFamily {
  let expected: Promise<string> | null = null;
  const handlers: RequestHandler[] = [
    noStore,
    async (request, _response, next) => {
      // The token never changes, so the lookup is cached unless it fails.
      expected ??= arcCallbackToken(db, now()).catch((error: unknown) => {
        expected = null;
        throw error;
      });
      const given = /^bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
      // `timingSafeEqual` requires equal lengths, so hashes are compared.
      const [theirs, ours] = [given, await expected].map((token) => Buffer.from(hashSecret(token)));
      if (!theirs || !ours || !timingSafeEqual(theirs, ours)) throw new ServiceError('unauthenticated');
      next();
    },
    jsonBody('1mb'),
    async (request, response) => {
      const read = callback.safeParse(request.body);
      if (!read.success) throw new ServiceError('invalid-request');
      await checkSoon(db, [read.data.txid], now());
      response.status(204).end();
    },
  ];
  return serve([
    {
      id: 'receiveArcCallback',
      method: 'post',
      path: PATH,
      tag: 'Network',
      summary: 'Announces a changed status of a transaction. The service then queries it from ARC',
      by: 'gateway',
      body: callback,
      answers: { 204: null },
      errors: ['invalid-request'],
      example: { body: { txid: TXID } },
      handlers,
    },
  ]);
}
