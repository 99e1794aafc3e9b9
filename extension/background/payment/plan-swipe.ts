/** Works out what a trusted swipe would pay, before the hand comes: nothing of it is stored or reserved. */
import { ANY_SITE } from '../allowances/any-site.ts';
import { costAt, decide } from '../allowances/decide.ts';
import { readAllowance } from '../allowances/store.ts';
import { rateOf } from '../chain/rates.ts';
import { ServiceError } from '../../../protocol/errors.ts';
import { draftPayment } from './build.ts';
import { mayPayTwice } from './pay-twice.ts';
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
  const { options, origin } = request;
  const { quote } = await quoteOf(request);
  if (!maySwipe({ options, quote })) throw new ServiceError('not-paid', { detail: 'more than a swipe can show' });
  const { plan } = await draftPayment({ origin, options, quote });
  if (await mayPayTwice({ origin, quote }, plan))
    throw new ServiceError('not-paid', { detail: 'it may be paid twice' });
  return { quote, feeSatoshis: plan.feeSatoshis };
}

/**
 * Will a window ask all the same, as far as is known before? It does where there is no plan, and above the user's limits,
 * unless the site has an allowance of its own.
 */
export async function asksAnyway(
  origin: string,
  { options }: Pick<PaymentRequest, 'options'>,
  planned: TrustedSwipe | null,
): Promise<boolean> {
  if (!planned) return true;
  if (await readAllowance([origin, options.clientIdentifier ?? '', 'swipe'])) return false;
  const allowance = await readAllowance(ANY_SITE);
  const rate = allowance && (await rateOf(allowance.currency).catch(() => null));
  const { kind } = decide({
    allowance,
    cost: rate && costAt(planned.quote.satoshis + planned.feeSatoshis, rate),
    now: Date.now(),
    userActivation: 'new',
    kind: 'any-site',
    site: origin,
    locked: false,
  });
  return kind === 'ask';
}
