/** The wallet's methods for pages. */
import { promptForAllowance } from './allowances/allowance-prompt.ts';
import { allowanceLeft } from './allowances/allowance-store.ts';
import { readSuggestion } from './allowances/wanted.ts';
import { handleCall } from './brc100/call.ts';
import { requestOperations } from './crypto-operations/operations-prompt.ts';
import { pageRates } from './page-exchange-rates.ts';
import { requestMint } from './payments/sources/mint/mint.ts';
import { paymentOutcome, requestPayment, type PaymentResponse } from './payments/sources/page/request.ts';
import { readSettings } from './settings.ts';
import { promptSignIn } from './sign-in/sign-in-prompt.ts';
import { consumeSwipe } from './trusted-swipe/relays.ts';
import type { PageMethod, PageParams, PageResults, UserActivation } from '../protocol/messages/page-messages.ts';
import { part } from './platform.ts';

export const pageHandlers = part((wallet): PageHandlers => ({
  async 'wallet/hello'() {
    return { version: wallet.runtime.getManifest().version, network: (await readSettings(wallet)).network };
  },
  'rates/read': ({ currency }, { origin }) => pageRates(wallet, currency, origin),
  async 'payment/request'({ id, options, automatic = false, permission, service, ...asked }, sender) {
    if (options.outputs.length === 0)
      return { payment: null, cryptoOperations: await requestOperations(wallet, id, options, sender) };
    const { origin, client } = sender;
    const swiped = automatic ? null : consumeSwipe(wallet, client, options, service ?? null);
    const wanted = automatic
      ? { wanted: { ...(await readSuggestion(wallet, asked)), hadOne: permission !== undefined } }
      : {};
    const { payment, token } = await requestPayment(wallet, origin, id, options, client, {
      automatic,
      // The user swiped in the wallet's own frame, so the page saw no user gesture.
      userActivation: swiped ? 'new' : sender.userActivation,
      ...(swiped && { swiped: swiped.swipe }),
      ...(service !== undefined && { service }),
      ...wanted,
    });
    swiped?.answered(payment.id);
    return resultOf({ payment, token });
  },
  'payment/outcome': async ({ id, known }, { origin, client }) =>
    resultOf(await paymentOutcome(wallet, origin, id, client, known)),
  'allowance/left': ({ clientIdentifier }, { origin }) => allowanceLeft(wallet, origin, clientIdentifier),
  'allowance/ask': (params, sender) => promptForAllowance(wallet, params, sender),
  'identity/sign-in': (params, sender) => promptSignIn(wallet, params, sender),
  'asset/mint': (params, sender) => requestMint(wallet, params, sender),
  'brc100/call': (params, sender) => handleCall(wallet, params, sender),
}));

function resultOf({ payment, token }: PaymentResponse): PageResults['payment/request'] {
  return { payment, cryptoOperations: payment.cryptoOperations, ...(token !== null && { token }) };
}

/**
 * The page that called a method. `client` identifies the document, and `message` is the page's ID for its message. The
 * relay sets `userActivation` and rebuilds every message, so a page can't forge the value. `isTop` is true if the
 * browser reports that the page isn't framed.
 */
export interface PageSender {
  origin: string;
  client: object;
  message: string;
  userActivation: UserActivation;
  isTop: boolean;
}

export type PageHandlers = {
  [M in PageMethod]: (params: PageParams<M>, sender: PageSender) => Promise<PageResults[M]>;
};
