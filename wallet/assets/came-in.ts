/** Determines the asset, a token or an ordinal, in a received transaction that contains no money. */
import type { AssetWord, HeldAsset } from '../../protocol/messages/wallet-messages.ts';
import { mayCarryToken } from '../coins/coin.ts';
import type { Receipt } from '../coins/receipts/receipt.ts';
import { readTransaction, database } from '../store/database.ts';
import { carriedBy, mintOf } from './held.ts';
import { isOrdinal, shownSymbol } from './list.ts';
import { coinsMadeBy } from '../coins/records.ts';
import type { Wallet } from '../platform.ts';

/** Maximum number of coins in a received transaction. The asset in a larger transaction isn't determined. */
const MAX_COINS = 100n;

/** A received asset with its source, or an unverified (`unchecked`) or false (`forged`) claim to hold a token. */
export type ReceivedAsset = { asset: HeldAsset; word: AssetWord } | { claim: 'unchecked' | 'forged' };

/** Returns the received asset. Null if the transaction also contains money, or several assets. */
export async function assetIn(
  wallet: Wallet,
  { txid, satoshis, spent, reading }: Receipt,
): Promise<ReceivedAsset | null> {
  if (spent || reading === 'waiting' || reading === 'unverified' || satoshis > MAX_COINS) return null;
  const coins = await coinsMadeBy(readTransaction(await database(wallet)), txid);
  // The transaction contains no money only if each coin has one satoshi.
  if (coins.length === 0 || BigInt(coins.length) !== satoshis || !coins.every(mayCarryToken)) return null;
  const carried = await Promise.all(coins.map((coin) => carriedBy(wallet, coin)));
  const tokens = carried.flatMap((one) => ('id' in one ? one : []));
  const [first] = tokens;
  if (first && tokens.length === carried.length && tokens.every(({ id }) => id === first.id)) {
    const verdicts = tokens.map(({ record }) => record?.verdict);
    if (verdicts.some((one) => !one || one.state === 'unknown')) return { claim: 'unchecked' };
    if (verdicts.some((one) => one?.state === 'invalid')) return { claim: 'forged' };
    const mint = await mintOf(wallet, first.id);
    const units = tokens.reduce((sum, { amt }) => sum + amt, 0n).toString();
    const symbol = shownSymbol(mint?.symbol ?? null);
    const isOwnWord = mint?.word === 'chain' && verdicts.every((one) => one?.word === 'chain');
    return {
      asset: { type: 'token', id: first.id, symbol, decimals: mint?.decimals ?? 0, units },
      word: isOwnWord ? 'chain' : 'index',
    };
  }
  const [only] = carried;
  if (carried.length !== 1 || !only || 'id' in only || !isOrdinal(only)) return null;
  const { coin, inscription } = only;
  return {
    asset: { type: 'ordinal', outpoint: `${coin.txid}_${coin.vout}`, contentType: inscription?.contentType ?? '' },
    word: inscription ? 'chain' : 'index',
  };
}
