/** Routes for balances, which wallets publish while at least one application is allowed to read them. */
import { balancePublication, balanceWantedResponse } from '../../../protocol/http/api-v2.ts';
import { assetBalanceMessage, balanceMessage } from '../../../protocol/signed-messages/balance-message.ts';
import { ServiceError } from '../../../protocol/errors/service-error.ts';
import { MAX_SATOSHIS } from '../../../protocol/money/money.ts';
import { CLOCK_MS, storeBalance, wantedBalance } from '../../balances/store.ts';
import { isSignedBy } from '../../identity/signed-message.ts';
import { serve, type RouteFamily } from '../../routing/route.ts';
import { routeMaker, type ApiContext } from '../route.ts';
import { SIGNATURE, TIME, TXID } from '../openapi/samples.ts';

const shared = { tag: 'Wallets', by: 'wallet', answers: { 200: balanceWantedResponse } } as const;

/** Each route returns whether any application may read the balance, and whether any may also read the assets. */
export function balanceRoutes(context: ApiContext): RouteFamily {
  const { db, addresses, now } = context;
  const route = routeMaker(context);

  return serve([
    route(
      {
        ...shared,
        id: 'readBalanceWanted',
        method: 'get',
        path: '/api/v2/me/balance-wanted',
        summary: 'Returns whether an application may read the balance, and whether it may read the assets',
        example: { answer: { wanted: true, assets: false } },
      },
      ({ user }) => wantedBalance(db, user.id),
    ),
    route(
      {
        ...shared,
        id: 'publishBalance',
        method: 'put',
        path: '/api/v2/me/balance',
        summary: 'Publishes the balance. Stored only while an application may read it and no later balance is stored',
        body: balancePublication,
        errors: ['invalid-request', 'invalid-signature'],
        example: {
          body: {
            satoshis: '150000000',
            time: TIME,
            signature: SIGNATURE,
            assets: [{ tokenId: `${TXID}_0`, amount: '1250' }],
            assetsSignature: SIGNATURE,
          },
          answer: { wanted: true, assets: true },
        },
      },
      async ({ user, body: { satoshis, time, signature, assets = null, assetsSignature = null } }) => {
        const publishedAt = new Date(time);
        if (BigInt(satoshis) > MAX_SATOSHIS) throw new ServiceError('invalid-request');
        if (Math.abs(publishedAt.getTime() - now().getTime()) > CLOCK_MS)
          throw new ServiceError('invalid-request', {
            message: 'time must be within 10 minutes of the current time.',
          });
        const by = { origin: addresses.baseUrl, userId: String(user.id), time };
        const signed =
          isSignedBy(user.publicKey, balanceMessage({ ...by, satoshis }), signature) &&
          (assets === null ||
            isSignedBy(user.publicKey, assetBalanceMessage({ ...by, assets }), assetsSignature ?? ''));
        if (!signed) throw new ServiceError('invalid-signature');
        const wanted = await wantedBalance(db, user.id);
        const held = wanted.assets ? { assets, assetsSignature } : { assets: null, assetsSignature: null };
        if (wanted.wanted)
          await storeBalance(db, { userId: user.id, satoshis: BigInt(satoshis), signature, publishedAt, ...held });
        return wanted;
      },
    ),
  ]);
}
