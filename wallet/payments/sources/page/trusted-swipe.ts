/** Decides which payments a trusted swipe, in the wallet's own overlay, may make without a window. Pure. */
import { lookAlike } from '../../../../protocol/text/look-alike.ts';
import type { PaymentRecord } from '../../record.ts';

/** Maximum size of the data in the payment. Larger data requires a window, so that users can read it. */
const MAX_DATA_BYTES = 1000;

/** The quote that the user saw while swiping, which is paid, and the maximum fee, in satoshis. */
export interface TrustedSwipe {
  quote: PaymentRecord['quote'];
  feeSatoshis: bigint;
}

/** A name that resembles another, or whose key has changed or is gone, so that the window must warn of it. */
const isSuspect = ({ host }: PaymentRecord['quote']['outputs'][number]) =>
  !!host && (host.keyChangedSince !== null || host.keyUnavailable === true || lookAlike(host.paymail) !== null);

/**
 * True if a swipe may make this payment: one recipient whose name fits in a line and needs no warning, little data, no
 * token, and nothing that is signed or decrypted for the page. Anything else needs a window, because the overlay can't
 * show it.
 */
export function maySwipe({ options, quote }: Pick<PaymentRecord, 'options' | 'quote'>): boolean {
  const [output, second] = quote.outputs;
  const data = new TextEncoder().encode(options.opReturn ?? '').length;
  return (
    output !== undefined &&
    second === undefined &&
    output.type !== 'SCRIPT' &&
    !quote.asset &&
    !isSuspect(output) &&
    !options.cryptoOperations &&
    data <= MAX_DATA_BYTES
  );
}

/** True if a payment pays exactly what the user saw, to the satoshi and to the same scripts. */
export function isAsShown({ quote }: Pick<PaymentRecord, 'quote'>, { quote: shown }: TrustedSwipe): boolean {
  const paid = ({ outputs }: PaymentRecord['quote']) =>
    outputs.flatMap(({ scripts }) => scripts.map(({ script, satoshis }) => `${script} ${satoshis}`)).join();
  return quote.satoshis === shown.satoshis && paid(quote) === paid(shown);
}
