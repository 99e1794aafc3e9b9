/** What every wallet needs to know of the network. Public, readable by pages of any site. */
import { Router } from 'express';
import type { Logger } from 'pino';
import type * as z from 'zod/mini';
import type { Network } from '../../protocol/address.ts';
import type { networkResponse, ratesResponse } from '../../protocol/api.ts';
import type { ArcClient, FeePolicy } from '../chain/arc-client.ts';
import type { Addresses } from '../config.ts';
import { describeError } from '../http/errors.ts';
import { cached } from '../network/cached.ts';
import type { RateSource } from '../network/rates.ts';

/** What these routes work with. */
export interface NetworkContext {
  network: Network;
  addresses: Addresses;
  arc: ArcClient;
  rates: RateSource;
  now: () => Date;
  log: Logger;
}

/** What miners have asked for in years: 100 satoshis for 1,000 bytes. Told while ARC cannot be asked. */
const USUAL_FEE: FeePolicy = { satoshis: 100, bytes: 1000 };

/**
 * - GET /api/v2/network: 200. The fee policy is ARC's, at most a minute old, or the usual one while ARC cannot be
 * asked.
 * - GET /api/v2/rates: 200; 503 `rate-unavailable` where none is known that is younger than 10 minutes.
 */
export function networkRoutes({ network, addresses, arc, rates, now, log }: NetworkContext): Router {
  const router = Router();
  const warn = (what: string) => (error: unknown) => log.warn({ error: describeError(error) }, what);
  const feePolicy = cached(() => arc.feePolicy(), {
    lifeMs: 60_000,
    staleMs: Number.POSITIVE_INFINITY,
    now,
    onError: warn('ARC named no fee: telling the last one known'),
  });

  router.get('/api/v2/network', async (_request, response) => {
    const fee = await feePolicy().then(
      (fetched) => fetched.value,
      (error: unknown) => {
        warn('ARC named no fee: telling the usual one')(error);
        return USUAL_FEE;
      },
    );
    const body: z.infer<typeof networkResponse> = {
      network,
      arcUrl: addresses.arcUrl,
      wocUrl: addresses.wocUrl,
      feePolicy: fee,
    };
    response.set('Cache-Control', 'public, max-age=10').json(body);
  });

  router.get('/api/v2/rates', async (_request, response) => {
    const { value, time } = await rates();
    const body: z.infer<typeof ratesResponse> = { rates: value, time: new Date(time).toISOString() };
    response.set('Cache-Control', 'public, max-age=10').json(body);
  });

  return router;
}
