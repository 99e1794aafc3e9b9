/** Plans a trusted swipe's payment in advance. Stores and reserves nothing. */
import { ANY_SITE, costAt, decide } from '../../../allowances/decide.ts';
import { readAllowance } from '../../../allowances/records.ts';
import { rateOf } from '../../../chain/rates.ts';
import { ServiceError } from '../../../../protocol/errors/service-error.ts';
import { draftPayment } from '../../plan/build.ts';
import { mayPayTwice } from '../../network/replace.ts';
import { readSettings } from '../../../settings.ts';
import { shownOutputs } from './known-recipients.ts';
import { quoteOf } from './quoting.ts';
import type { PaymentRequest } from '../../record.ts';
import { maySwipe, type TrustedSwipe } from './trusted-swipe.ts';
import type { Wallet } from '../../../platform.ts';

/**
 * Returns the quote and fee of a payment that a swipe can make.
 * @throws ServiceError `not-paid` if a window is required, and any errors from quoting and planning
 */
export async function planSwipe(
  wallet: Wallet,
  request: Pick<PaymentRequest, 'options' | 'origin' | 'service'>,
): Promise<TrustedSwipe> {
  const { options, origin } = request;
  const { quote } = await quoteOf(wallet, request);
  if (!maySwipe({ options, quote })) throw new ServiceError('not-paid', { detail: 'a swipe can’t show this payment' });
  const { network } = await readSettings(wallet);
  // Only a window can name the known recipient that this one resembles.
  if ((await shownOutputs(wallet, quote.outputs, network)).some(({ resembles }) => resembles))
    throw new ServiceError('not-paid', { detail: 'the recipient resembles a known one' });
  const { plan } = await draftPayment(wallet, { origin, options, quote });
  if (await mayPayTwice(wallet, { origin, quote }, plan))
    throw new ServiceError('not-paid', { detail: 'the payment might be made twice' });
  return { quote, feeSatoshis: plan.feeSatoshis };
}

/**
 * True if a window will probably open: there is no plan, or the site has no allowance and the cost exceeds the swipe
 * limits.
 */
export async function promptsAnyway(
  wallet: Wallet,
  origin: string,
  { options }: Pick<PaymentRequest, 'options'>,
  planned: TrustedSwipe | null,
): Promise<boolean> {
  if (!planned) return true;
  if (await readAllowance(wallet, [origin, options.clientIdentifier ?? '', 'swipe'])) return false;
  const allowance = await readAllowance(wallet, ANY_SITE);
  const rate = allowance && (await rateOf(wallet, allowance.currency).catch(() => null));
  const { kind } = decide({
    allowance,
    cost: rate && costAt(planned.quote.satoshis + planned.feeSatoshis, rate),
    now: wallet.now(),
    userActivation: 'new',
    kind: 'any-site',
    site: origin,
    locked: false,
  });
  return kind === 'prompt';
}
