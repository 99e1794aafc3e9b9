/** What came in with a transaction that brought no money: some of a token that its coins were found to hold, or an ordinal. */
import type { HeldAsset } from '../../../protocol/wallet-messages.ts';
import { carriedBy, mintOf } from '../assets/held.ts';
import { isOrdinal, shownSymbol } from '../assets/list.ts';
import { isKeptApart } from '../coins/coin.ts';
import type { Receipt } from '../coins/receipt.ts';
import { database } from '../database.ts';

/** Most coins of one transaction that are read for its row. */
const MOST_COINS = 100n;

/** Null where it brought money, too, or several things; and of a token that no coin of it was found to hold. */
export async function assetIn({ txid, satoshis, spent, reading }: Receipt): Promise<HeldAsset | null> {
  if (spent || reading === 'waiting' || reading === 'unverified' || satoshis > MOST_COINS) return null;
  const coins = await (await database()).getAllFromIndex('coins', 'txid', txid);
  // Their sum is the receipt's only where nothing but coins of one satoshi came.
  if (coins.length === 0 || BigInt(coins.length) !== satoshis || !coins.every(isKeptApart)) return null;
  const carried = await Promise.all(coins.map(carriedBy));
  const tokens = carried.flatMap((one) => ('id' in one && one.record?.verdict?.state === 'valid' ? one : []));
  const [first] = tokens;
  if (first && tokens.length === carried.length && tokens.every(({ id }) => id === first.id)) {
    const mint = await mintOf(first.id);
    const units = tokens.reduce((sum, { amt }) => sum + amt, 0n).toString();
    const symbol = shownSymbol(mint?.symbol ?? null);
    return { type: 'token', id: first.id, symbol, decimals: mint?.decimals ?? 0, units };
  }
  const [only] = carried;
  if (carried.length !== 1 || !only || 'id' in only || !isOrdinal(only)) return null;
  const { coin, inscription } = only;
  return { type: 'ordinal', outpoint: `${coin.txid}_${coin.vout}`, contentType: inscription?.contentType ?? '' };
}
