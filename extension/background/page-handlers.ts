/** What a page may ask of the wallet. */
import browser from 'webextension-polyfill';
import { requestPayment } from './payment/request.ts';
import type { PageHandlers } from './router.ts';
import { readSettings } from './settings.ts';

/** One handler for every page method. */
export const pageHandlers: PageHandlers = {
  async 'wallet/hello'() {
    return { version: browser.runtime.getManifest().version, network: (await readSettings()).network };
  },
  async 'payment/request'({ id, options }, { origin, asker }) {
    return { payment: await requestPayment(origin, id, options, asker) };
  },
};
