/** Operation descriptions for OpenAPI: who may call an operation, and how to retry it. Pure. */
import { PRODUCT_NAME } from '../../../protocol/text/product.ts';
import type { Caller, Route } from '../../routing/route.ts';

const CALLERS: Record<Extract<Caller, string>, string> = {
  anybody: 'Requires no token.',
  wallet: 'Requires the token that the user’s wallet received at sign-in.',
  'any-wallet':
    'Accepts the token that a wallet received at sign-in. Wallets without an account at this service send none.',
  owner: 'Requires the token that the user’s wallet received at sign-in, or a session of this service’s own pages.',
  client:
    'Authenticated by client identifier and client secret (HTTP Basic). An application without a secret sends `client_id`.',
  person: 'Opened in the user’s browser. It shows a page or redirects to the application.',
  gateway: `Requires the callback token that this ${PRODUCT_NAME} service sent to ARC.`,
};

export function describeOperation({ by, once }: Pick<Route, 'by' | 'once'>): string {
  const caller =
    typeof by === 'string'
      ? CALLERS[by]
      : `Requires a token with the scope ${by.map((scope) => `\`${scope}\``).join(' or ')}, or the wallet’s own token.`;
  return once ? `${caller} Accepts \`Idempotency-Key\`, so it can be repeated safely.` : caller;
}
