/** Proves which wallet published a balance, and for which service. */

export interface BalanceFields {
  /** The service's origin (scheme, host, port). */
  origin: string;
  userId: string;
  satoshis: string;
  /** ISO 8601 UTC. */
  time: string;
}

/** Returns the text about the money that is signed with the identity key (Bitcoin signed message). */
export function balanceMessage({ origin, userId, satoshis, time }: BalanceFields): string {
  return `Service Button balance\nService: ${origin}\nUser: ${userId}\nBalance: ${satoshis} satoshis\nTime: ${time}`;
}

export const MAX_PUBLISHED_ASSETS = 200;

/** A wallet's balance of a token: its ID, and its units as an integer string. */
export interface AssetBalance {
  tokenId: string;
  amount: string;
}

/**
 * Returns the text about the assets, in published order, that is signed with the identity key. Separate from the
 * money's text, so that applications without access to assets can verify the money.
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
