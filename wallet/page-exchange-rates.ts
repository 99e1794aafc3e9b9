/**
 * The prices returned to a page. The prices don't depend on the user's balance, but reveal the user's currency and, to
 * some sites, the user's identity (docs/threat-model.md).
 */
import { ServiceError } from '../protocol/errors/service-error.ts';
import type { PageRates } from '../protocol/messages/page-messages.ts';
import { feeRate } from './chain/network.ts';
import { rateOf, rateOrNull } from './chain/rates.ts';
import { database, keyIn, readKey, readKeyed, readTransaction } from './store/database.ts';
import { readSettings, settingsIn } from './settings.ts';
import { hasAllowance } from './allowances/records.ts';
import { getSite, isBlocked } from './sites/store.ts';
import type { Wallet } from './platform.ts';

/**
 * Returns the prices for a button, in the page's and in the user's currency. Works while the wallet is locked. If the
 * sources disagree about the user's currency, its price is omitted.
 * @throws ServiceError `wallet-not-set-up`, `rate-unavailable`, `rates-differ`, `invalid-currency`,
 * `network-unavailable`
 */
export async function pageRates(wallet: Wallet, currency: string, origin: string): Promise<PageRates> {
  if (!(await readKey(wallet, 'vault'))) throw new ServiceError('wallet-not-set-up');
  const own = (await readSettings(wallet)).currency;
  // Sequential, because the second call reuses the prices that the first one fetched.
  const asked = await rateOf(wallet, currency);
  const rates = [asked, ...(own === currency ? [] : [await rateOrNull(wallet, own)])].filter((rate) => rate !== null);
  const fee = await currentFeeRate(wallet);
  return {
    currency: own,
    // Read after the requests, during which the user may have blocked the site or left the account.
    ...(await payerFor(wallet, origin)),
    prices: { BSV: '1', ...Object.fromEntries(rates.map((rate) => [rate.currency, rate.price])) },
    feeRate: fee,
    time: Math.min(...rates.map((rate) => rate.time)),
  };
}

/**
 * Returns the user's identity if the site has an allowance and isn't blocked, because a payment would also reveal it to
 * such a site.
 */
async function payerFor(wallet: Wallet, origin: string): Promise<Pick<PageRates, 'payer'>> {
  const keys = await readKeyed(wallet, []);
  const [account, { serviceUrl }] = await Promise.all([keyIn(keys, 'account'), settingsIn(wallet, keys)]);
  if (!account) return {};
  const tx = readTransaction(await database(wallet));
  const [isAllowed, site] = await Promise.all([hasAllowance(wallet, tx, origin), getSite(tx, origin)]);
  if (!isAllowed || isBlocked(site, wallet.now())) return {};
  const service = new URL(serviceUrl).origin;
  return { payer: { userId: account.id, paymail: account.paymail, service } };
}

async function currentFeeRate(wallet: Wallet): Promise<PageRates['feeRate']> {
  try {
    return await feeRate(wallet);
  } catch (cause) {
    throw new ServiceError('network-unavailable', { cause });
  }
}
