/** The token balances that the wallet publishes to its service while the user lets an application read them. */
import { MAX_PUBLISHED_ASSETS, type AssetBalance } from '../../protocol/signed-messages/balance-message.ts';
import { MAX_TOKEN_AMOUNT } from '../../protocol/assets/bsv21/token.ts';
import { heldAssets } from './held.ts';
import type { Wallet } from '../platform.ts';

/**
 * Returns each token with the amount that the wallet has verified itself (smallest units). If there are too many
 * tokens, those received first are published, so dust can't hide them.
 */
export async function publishedTokens(wallet: Wallet): Promise<AssetBalance[]> {
  const held = new Map<string, { units: bigint; since: number }>();
  for (const { id, amt, coin, record } of (await heldAssets(wallet)).tokens) {
    if (record?.verdict?.state !== 'valid' || record.verdict.word !== 'chain') continue;
    const { units, since } = held.get(id) ?? { units: 0n, since: Number.POSITIVE_INFINITY };
    held.set(id, { units: units + amt, since: Math.min(since, coin.height ?? Number.POSITIVE_INFINITY) });
  }
  return [...held]
    .filter(([, { units }]) => units <= MAX_TOKEN_AMOUNT)
    .sort(([a, one], [b, other]) => (one.since === other.since ? (a < b ? -1 : 1) : one.since < other.since ? -1 : 1))
    .slice(0, MAX_PUBLISHED_ASSETS)
    .map(([tokenId, { units }]) => ({ tokenId, amount: units.toString() }));
}
