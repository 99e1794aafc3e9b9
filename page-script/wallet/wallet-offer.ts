/** Reports to the wallet's relay what a swipe would request, so that the wallet can lay its own track over the button. */
import { OFFER_EVENT } from '../../protocol/messages/wire.ts';
import type { Configuration } from '../options/plain.ts';

/** True for one recipient, which a track can name, and nothing that needs a window anyway. */
export function isOfferable({ payment, special, options }: Configuration): boolean {
  return !options.devMode && payment.outputs.length === 1 && !payment.cryptoOperations && !special?.paysAsset;
}

/** Returns a function that reports a request as text; '' withdraws it. */
export function createOffer(host: HTMLElement): (detail: string) => void {
  let offered = '';
  return (detail) => {
    const before = offered;
    // First, because a listener may end the button. No one hears a withdrawal outside the document.
    offered = detail || (host.isConnected ? '' : before);
    // Without an offer there is nothing to withdraw: a page with many buttons would feel the event.
    if (detail || before) host.dispatchEvent(new CustomEvent(OFFER_EVENT, { composed: true, detail }));
  };
}
