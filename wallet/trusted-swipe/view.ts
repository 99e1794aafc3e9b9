/** The contents of a trusted swipe's frame. */
import { ServiceError } from '../../protocol/errors/service-error.ts';
import type { SwipeView } from '../../protocol/messages/swipe-messages.ts';
import { rateOrNull } from '../chain/rates.ts';
import type { TrustedSwipe } from '../payments/sources/page/trusted-swipe.ts';
import { recipientOf } from '../recipients/resolve.ts';
import { readSettings } from '../settings.ts';
import type { ButtonRequest } from './offers.ts';
import type { Wallet } from '../platform.ts';

/**
 * Returns a frame's contents: the wallet's own interpretation of a button's request.
 * @param planned the request's costs; null until they are known
 * @param opensWindow true if a window will open anyway
 * @throws ServiceError `internal` if the request must not be shown
 */
export async function viewOf(
  wallet: Wallet,
  { options }: ButtonRequest,
  planned: TrustedSwipe | null,
  opensWindow = false,
): Promise<SwipeView> {
  const [output] = options.outputs;
  const { type, text } = recipientOf(output ?? {});
  if (!output || type === 'SCRIPT') throw new ServiceError('internal');
  const { currency, language } = await readSettings(wallet);
  // Services can assign user IDs arbitrarily, so the account's paymail identifies the recipient.
  const named = planned?.quote.outputs[0]?.host?.paymail;
  const rate = await rateOrNull(wallet, currency);
  return {
    to: (type === 'USER' && named) || text,
    kind: type,
    amount: output.amount,
    currency: output.currency,
    totalSatoshis: planned && (planned.quote.satoshis + planned.feeSatoshis).toString(),
    feeSatoshis: planned && planned.feeSatoshis.toString(),
    opensWindow,
    own: rate?.sources === 2 ? { currency, price: rate.price } : null,
    language,
  };
}
