/** Works out what a trusted swipe would pay, before the hand comes: nothing of it is stored or reserved. */
import { ServiceError } from '../../../protocol/errors.ts';
import { draftPayment } from './build.ts';
import { quoteOf } from './quoting.ts';
import type { PaymentRequest } from './record.ts';
import { maySwipe, type TrustedSwipe } from './trusted-swipe.ts';

/**
 * The quote and the fee of a payment that a swipe may make.
 * @throws ServiceError `not-paid` (it takes a window), and what keeps it from being quoted or planned
 */
export async function planSwipe(
  request: Pick<PaymentRequest, 'options' | 'origin' | 'service'>,
): Promise<TrustedSwipe> {
  const { options } = request;
  const { quote } = await quoteOf(request);
  if (!maySwipe({ options, quote })) throw new ServiceError('not-paid', { detail: 'more than a swipe can show' });
  return { quote, feeSatoshis: (await draftPayment({ options, quote })).plan.feeSatoshis };
}
