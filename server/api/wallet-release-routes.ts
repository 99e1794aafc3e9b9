/** The wallet version that this service offers. Wallets that weren't installed from a store check it once a day. */
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { walletReleaseResponse } from '../../protocol/http/wallet-release.ts';
import { serve, type RouteFamily } from '../routing/route.ts';
import type { WalletPackages } from '../wallet-packages.ts';
import { routeMaker, type ApiContext } from './route.ts';

export function walletReleaseRoutes(context: ApiContext & { wallet: WalletPackages }): RouteFamily {
  const route = routeMaker(context);
  return serve([
    route(
      {
        id: 'readWalletRelease',
        method: 'get',
        path: '/api/v2/wallet-release',
        tag: 'Wallets',
        summary: 'Returns the version of the wallet that this service offers for download',
        by: 'anybody',
        answers: { 200: walletReleaseResponse },
        errors: ['not-found'],
        example: { answer: { version: '0.2.0' } },
      },
      async ({ response }) => {
        const version = await context.wallet.version();
        if (version === null) throw new ServiceError('not-found');
        response.set('Cache-Control', 'public, max-age=300');
        return { version };
      },
    ),
  ]);
}
