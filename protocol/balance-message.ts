/** Proves that a published balance is its wallet's own statement, and for whom it was meant. */

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
 * The text that the identity key signs for the assets, in the order in which they are published. It is signed apart
 * from the money, so that who may read the money alone learns nothing of them.
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
