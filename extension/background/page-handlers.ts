/** Methods of the wallet for pages. */
import browser from 'webextension-polyfill';
import { askForAllowance } from './allowances/prompt.ts';
import { allowanceLeft } from './allowances/store.ts';
import { readWanted } from './allowances/wanted.ts';
import { answerCall } from './brc100/call.ts';
import { requestOperations } from './crypto-operations/prompt.ts';
import { pageRates } from './page-exchange-rates.ts';
import { requestMint } from './payment/mint.ts';
import { paymentOutcome, requestPayment, type Answer } from './payment/request.ts';
import { readSettings } from './settings.ts';
import { askToSignIn } from './sign-in/prompt.ts';
import { takeSwipe } from './trusted-swipe/relays.ts';
import type { PageMethod, PageParams, PageResults, UserActivation } from '../../protocol/page-messages.ts';

/** One handler for every page method. */
export const pageHandlers: PageHandlers = {
  async 'wallet/hello'() {
    return { version: browser.runtime.getManifest().version, network: (await readSettings()).network };
  },
  'rates/read': ({ currency }, { origin }) => pageRates(currency, origin),
  async 'payment/request'({ id, options, automatic = false, permission, service, ...asked }, sender) {
    if (options.outputs.length === 0)
      return { payment: null, cryptoOperations: await requestOperations(id, options, sender) };
    const { origin, client } = sender;
    const swiped = automatic ? null : takeSwipe(client, options, service ?? null);
    const wanted = automatic ? { wanted: { ...(await readWanted(asked)), hadOne: permission !== undefined } } : {};
    const { payment, token } = await requestPayment(origin, id, options, client, {
      automatic,
      // The pointer was in the wallet's own frame, which isn't a user gesture in the page.
      userActivation: swiped ? 'new' : sender.userActivation,
      ...(swiped && { swiped: swiped.swipe }),
      ...(service !== undefined && { service }),
      ...wanted,
    });
    swiped?.answered(payment.id);
    return resultOf({ payment, token });
  },
  'payment/outcome': async ({ id, known }, { origin, client }) =>
    resultOf(await paymentOutcome(origin, id, client, known)),
  'allowance/left': ({ clientIdentifier }, { origin }) => allowanceLeft(origin, clientIdentifier),
  'allowance/ask': (params, sender) => askForAllowance(params, sender),
  'identity/sign-in': (params, sender) => askToSignIn(params, sender),
  'asset/mint': (params, sender) => requestMint(params, sender),
  'brc100/call': (params, sender) => answerCall(params, sender),
};

function resultOf({ payment, token }: Answer): PageResults['payment/request'] {
  return { payment, cryptoOperations: payment.cryptoOperations, ...(token !== null && { token }) };
}

/**
 * A page method handler's data about the page. `client` identifies the requesting document, `message` is the page's own
 * name for its message, `userActivation` is the relay's report of the user activation in that frame, which a page can't
 * write, because the relay rebuilds every message. `isTop`: it isn't framed, as reported by the browser.
 */
export interface PageSender {
  origin: string;
  client: object;
  message: string;
  userActivation: UserActivation;
  isTop: boolean;
}

/** One handler for every page method. */
export type PageHandlers = {
  [M in PageMethod]: (params: PageParams<M>, sender: PageSender) => Promise<PageResults[M]>;
};
