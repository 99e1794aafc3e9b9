/** Computes how much money the wallet must be able to send. */
import type { RankedCoin } from '../../wallet/coins/coin.ts';
import { isOnNetwork } from '../../wallet/payments/move.ts';
import type { PaymentRecord } from '../../wallet/payments/record.ts';
import type { Browser } from './browser.ts';

/**
 * Returns the amount that can be sent now, minus the maximum fee (satoshis). The amount includes coins reserved for
 * applications, because the user has priority. The amount excludes change that isn't on the network yet, which only its
 * transaction's site can spend.
 */
export function spendable(browser: Browser): bigint {
  const records = browser.data.all<PaymentRecord>('payments');
  const payments = new Map(records.map((one) => [one.id, one]));
  const isKnown = ({ txid }: RankedCoin) => {
    const makers = records.filter(({ signed }) => signed?.txid === txid);
    return makers.length === 0 || makers.some(isOnNetwork);
  };
  const isFree = (coin: RankedCoin) =>
    coin.satoshis > 1n &&
    (coin.status === 'available' ||
      (coin.status === 'reserved' && payments.get(coin.paymentId ?? '')?.state === 'signable' && isKnown(coin)));
  const coins = browser.data.all<RankedCoin>('coins').filter(isFree);
  const sum = coins.reduce((all, { satoshis }) => all + satoshis, 0n);
  return sum - 100n * BigInt(coins.length + 4);
}
