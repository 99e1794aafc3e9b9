/** Proves which wallet published a balance, and for which service. */

export interface BalanceFields {
  /** The service's origin (scheme, host, port). */
  origin: string;
  userId: string;
  satoshis: string;
  /** ISO 8601 UTC. */
  time: string;
}

/** Returns the text that states the balance, for signing with the identity key (Bitcoin signed message). */
export function balanceMessage({ origin, userId, satoshis, time }: BalanceFields): string {
  return `Service Button balance\nService: ${origin}\nUser: ${userId}\nBalance: ${satoshis} satoshis\nTime: ${time}`;
}

export const MAX_PUBLISHED_ASSETS = 200;

/** A wallet's token balance: the token's ID, and its units as an integer string. */
export interface AssetBalance {
  tokenId: string;
  amount: string;
}

/**
 * Returns the text that lists the assets in published order, for signing with the identity key. Separate from
 * {@link balanceMessage} so that applications without access to the assets can verify the balance.
 */
export function assetBalanceMessage({
  origin,
  userId,
  assets,
  time,
}: Omit<BalanceFields, 'satoshis'> & { assets: readonly AssetBalance[] }): string {
  const lines = assets.map(({ tokenId, amount }) => `Asset: ${amount} of ${tokenId}\n`).join('');
  return `Service Button assets\nService: ${origin}\nUser: ${userId}\n${lines}Time: ${time}`;
}
