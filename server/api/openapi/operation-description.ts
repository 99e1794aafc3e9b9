/** Operation descriptions for OpenAPI: accepted callers, and how to retry. Pure. */
import { PRODUCT_NAME } from '../../../protocol/text/product.ts';
import type { Caller, Route } from '../../routing/route.ts';

const CALLERS: Record<Extract<Caller, string>, string> = {
  anybody: 'Needs no token.',
  wallet: 'Needs the token that the user’s wallet got by signing in.',
  'any-wallet': 'Takes the token that a wallet got by signing in; wallets without an account here send none.',
  owner: 'Needs the token that the user’s wallet got by signing in, or a session of this service’s own pages.',
  client:
    'Authenticated by client identifier and client secret (HTTP Basic). An application without a secret sends `client_id`.',
  person: 'Opened in the user’s browser: it shows a page, or redirects to the application.',
  gateway: `Needs the token that this ${PRODUCT_NAME} service gave to ARC.`,
};

export function describeOperation({ by, once }: Pick<Route, 'by' | 'once'>): string {
  const caller =
    typeof by === 'string'
      ? CALLERS[by]
      : `Needs a token with the scope ${by.map((scope) => `\`${scope}\``).join(' or ')}, or the wallet’s own token.`;
  return once ? `${caller} Takes \`Idempotency-Key\`, so that it can be repeated safely.` : caller;
}
