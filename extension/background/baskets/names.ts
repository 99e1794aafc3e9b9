/** Names of baskets that no application may use. */

/**
 * Is it one of the wallet's own, or set aside by the standards? `default` is where other wallets keep their change,
 * `1sat` where BRC-147 keeps coins that may carry tokens; BRC-99 sets `admin` and `p ` aside.
 */
export function isReservedBasket(basket: string): boolean {
  return basket === 'default' || basket === '1sat' || basket.startsWith('admin') || basket.startsWith('p ');
}
