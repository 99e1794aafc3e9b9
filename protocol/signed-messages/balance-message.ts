/** Proves that a balance was published by its wallet, and for which service. */

export interface BalanceFields {
  /** The service's origin: scheme, host, port. */
  origin: string;
  userId: string;
  satoshis: string;
  /** ISO 8601 UTC. */
  time: string;
}

/** The text that the identity key signs (Bitcoin signed message). */
export function balanceMessage({ origin, userId, satoshis, time }: BalanceFields): string {
  return `Service Button balance\nService: ${origin}\nUser: ${userId}\nBalance: ${satoshis} satoshis\nTime: ${time}`;
}

export const MAX_PUBLISHED_ASSETS = 200;

/** How much of one token a wallet holds: its id, and units as text. */
export interface AssetBalance {
  tokenId: string;
  amount: string;
}

/**
 * The text that the identity key signs for the assets, in published order. Separate from the money's, so that readers
 * of only the money don't learn them.
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
