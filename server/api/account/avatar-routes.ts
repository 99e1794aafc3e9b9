import { avatarQuestion, avatarResponse } from '../../../protocol/http/api-v2.ts';
import type { Network } from '../../../protocol/bitcoin/address.ts';
import { ServiceError } from '../../../protocol/errors/service-error.ts';
import { readPaymail } from '../../../protocol/http/paymail.ts';
import { createAvatars } from '../../avatars/avatars.ts';
import { resolveSrv } from '../../outbound-requests/paymail-host.ts';
import { serve, type RouteFamily } from '../../routing/route.ts';
import { routeMaker, type ApiContext } from '../route.ts';

/** A strict limit, because each request can cause three requests to other hosts. */
const AVATARS = { name: 'avatars', perMinute: 30, burst: 100 };

/** The avatar route. The paymail is in the body to keep it out of proxies' access logs, which contain URLs. */
export function avatarRoutes(context: ApiContext & { network: Network }): RouteFamily {
  const { limits } = context;
  const route = routeMaker(context);
  const find = createAvatars({ ...context, resolveSrv });
  return serve([
    route(
      {
        tag: 'Wallets',
        by: 'wallet',
        id: 'readAvatar',
        method: 'post',
        path: '/api/v2/me/avatars',
        summary:
          'Returns the picture in a paymail’s public profile, fetched and checked by this service, or null without a valid one',
        body: avatarQuestion,
        answers: { 200: avatarResponse },
        errors: ['invalid-request', 'service-unavailable'],
        example: {
          body: { paymail: 'bob@other.example' },
          answer: { avatar: { type: 'image/png', image: 'iVBORw0KGgo=' } },
        },
      },
      async ({ user, body, response }) => {
        const paymail = readPaymail(body.paymail);
        if (!paymail) throw new ServiceError('invalid-request');
        await limits.take(AVATARS, String(user.id), response);
        const found = await find(paymail, user.id);
        return { avatar: found && { type: found.type, image: Buffer.from(found.image).toString('base64') } };
      },
    ),
  ]);
}
