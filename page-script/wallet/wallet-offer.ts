/** Notifies the wallet's relay of the request that a swipe would make. The wallet can then overlay the button. */
import { OFFER_EVENT } from '../../protocol/messages/wire.ts';
import type { Configuration } from '../options/plain.ts';

/** True if the overlay can show the request (a single recipient) and the request doesn't always need a window. */
export function isOfferable({ payment, special, options }: Configuration): boolean {
  return !options.devMode && payment.outputs.length === 1 && !payment.cryptoOperations && !special?.paysAsset;
}

/** Returns a function that announces a request as JSON, or withdraws it with ''. */
export function createOffer(host: HTMLElement): (detail: string) => void {
  let offered = '';
  return (detail) => {
    const before = offered;
    // Assigned before the event, because a listener might destroy the button. Outside the document, the offer is kept,
    // because the event that withdraws it would be lost.
    offered = detail || (host.isConnected ? '' : before);
    // Unnecessary events would slow down a page with many buttons.
    if (detail || before) host.dispatchEvent(new CustomEvent(OFFER_EVENT, { composed: true, detail }));
  };
}
