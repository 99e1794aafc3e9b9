/** What a trusted swipe, one in a surface of the wallet itself, may pay without a window. Pure. */
import { lookAlike } from '../../../protocol/look-alike.ts';
import type { PaymentRecord } from './record.ts';

/** Most data that goes with it: more is nothing to write without having read it. */
const MAX_DATA_BYTES = 1000;

/** What the user saw under the hand: the quote that is paid, and the most that its fee may be, in satoshis. */
export interface TrustedSwipe {
  quote: PaymentRecord['quote'];
  feeSatoshis: bigint;
}

/** A name that can be mistaken for another, or one whose key is not what it was, or is gone: the window warns of that. */
const isSuspect = ({ host }: PaymentRecord['quote']['outputs'][number]) =>
  !!host && (host.keyChangedSince !== null || host.keyUnavailable === true || lookAlike(host.paymail) !== null);

/**
 * May a swipe make this payment? One recipient, of a kind that can be named in a line, of whom there is nothing to warn;
 * little data, no token, and nothing that is signed or decrypted for the page. All else has more to it than the surface can show:
 * that takes a window.
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

/** Does a payment pay exactly what the user saw, to the satoshi and to the same scripts? */
export function isAsShown({ quote }: Pick<PaymentRecord, 'quote'>, { quote: shown }: TrustedSwipe): boolean {
  const paid = ({ outputs }: PaymentRecord['quote']) =>
    outputs.flatMap(({ scripts }) => scripts.map(({ script, satoshis }) => `${script} ${satoshis}`)).join();
  return quote.satoshis === shown.satoshis && paid(quote) === paid(shown);
}
