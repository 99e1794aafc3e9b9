/** Network data for wallets. Public, with CORS for all sites. */
import type { Logger } from 'pino';
import type { Network } from '../../../protocol/bitcoin/address.ts';
import { networkResponse, ratesResponse } from '../../../protocol/http/api.ts';
import type { FeePolicy } from '../../../protocol/network/broadcaster/broadcaster.ts';
import type { ArcClient } from '../../chain/arc-client.ts';
import { describeError } from '../../http/errors.ts';
import { cached } from '../../rates/cached.ts';
import { serve, type RouteFamily } from '../../routing/route.ts';
import { routeMaker, type ApiContext } from '../route.ts';
import { TIME } from '../openapi/samples.ts';

/** Default if ARC is unavailable: the miners' long-standing fee rate of 100 satoshis per 1,000 bytes. */
const USUAL_FEE: FeePolicy = { satoshis: 100, bytes: 1000 };

export function networkRoutes(context: ApiContext & { network: Network; arc: ArcClient; log: Logger }): RouteFamily {
  const { network, addresses, arc, rates, now, log } = context;
  const route = routeMaker(context);
  const warn = (what: string) => (error: unknown) => log.warn({ error: describeError(error) }, what);
  const feePolicy = cached(() => arc.feePolicy(), {
    lifeMs: 60_000,
    staleMs: Number.POSITIVE_INFINITY,
    now,
    onError: warn('ARC returned no fee: using the last known one'),
  });

  return serve([
    route(
      {
        id: 'readNetwork',
        method: 'get',
        path: '/api/v2/network',
        tag: 'API v2',
        summary: 'Returns the network, the URLs of its ARC and index, and ARC’s fee policy, at most a minute old',
        by: 'anybody',
        answers: { 200: networkResponse },
        example: {
          answer: {
            network: 'mainnet',
            arcUrl: 'https://arc.example',
            wocUrl: 'https://woc.example/v1/bsv/main',
            headersUrl: 'https://arcade.example/chaintracks',
            feePolicy: USUAL_FEE,
          },
        },
      },
      async ({ response }) => {
        const fee = await feePolicy().then(
          (fetched) => fetched.value,
          (error: unknown) => {
            warn('ARC returned no fee: using the usual one')(error);
            return USUAL_FEE;
          },
        );
        response.set('Cache-Control', 'public, max-age=10');
        const { arcUrl, wocUrl, headersUrl } = addresses;
        return { network, arcUrl, wocUrl, headersUrl, feePolicy: fee };
      },
    ),
    route(
      {
        id: 'readRates',
        method: 'get',
        path: '/api/v2/rates',
        tag: 'API v2',
        summary: 'Returns the price of one BSV in each currency, at most 10 minutes old',
        by: 'anybody',
        answers: { 200: ratesResponse },
        errors: ['rate-unavailable'],
        example: { answer: { rates: { USD: '50.00', EUR: '46.00' }, time: TIME } },
      },
      async ({ response }) => {
        const { value, time } = await rates();
        response.set('Cache-Control', 'public, max-age=10');
        return { rates: value, time: new Date(time).toISOString() };
      },
    ),
  ]);
}
