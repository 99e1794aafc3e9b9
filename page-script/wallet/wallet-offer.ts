/**
 * Reports to the wallet's relay what a swipe would request, so that the wallet can put its own track over the button.
 */
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
    // First, because a listener may end the button. Outside the document, no one hears a withdrawal.
    offered = detail || (host.isConnected ? '' : before);
    // On a page with many buttons, needless events would be slow.
    if (detail || before) host.dispatchEvent(new CustomEvent(OFFER_EVENT, { composed: true, detail }));
  };
}
