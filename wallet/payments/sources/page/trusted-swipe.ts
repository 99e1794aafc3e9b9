/** Decides which payments a trusted swipe, made in the wallet's own overlay, can make without a window. Pure. */
import { lookAlike } from '../../../../protocol/text/look-alike.ts';
import type { PaymentRecord } from '../../record.ts';

/** Maximum size of the payment's data in bytes. Larger data requires a window in which users can read it. */
const MAX_DATA_BYTES = 1000;

/** The quote that the user saw while swiping, and the maximum fee, in satoshis. Exactly this quote is paid. */
export interface TrustedSwipe {
  quote: PaymentRecord['quote'];
  feeSatoshis: bigint;
}

/**
 * True if a window must warn about the recipient, because its paymail has unusual characters, or its key has changed or
 * is unavailable.
 */
const isSuspect = ({ host }: PaymentRecord['quote']['outputs'][number]) =>
  !!host && (host.keyChangedSince !== null || host.keyUnavailable === true || lookAlike(host.paymail) !== null);

/**
 * True if a swipe can make this payment: it has one recipient, which isn't a script and needs no warning, little data,
 * no token, and no signing or decryption for the page. Anything else needs a window, because the overlay can't show it.
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

/** True if a payment's scripts and amounts are exactly those that the user saw. */
export function isAsShown({ quote }: Pick<PaymentRecord, 'quote'>, { quote: shown }: TrustedSwipe): boolean {
  const paid = ({ outputs }: PaymentRecord['quote']) =>
    outputs.flatMap(({ scripts }) => scripts.map(({ script, satoshis }) => `${script} ${satoshis}`)).join();
  return quote.satoshis === shown.satoshis && paid(quote) === paid(shown);
}
