/** Determines what the wallet's one-satoshi coins hold, from their scripts and stored data. */
import { fromHex } from '../../protocol/bitcoin/bytes.ts';
import { readInscription, type Inscription } from '../../protocol/assets/bsv21/inscription.ts';
import { readToken, readTokenId, tokenId, type TokenMint } from '../../protocol/assets/bsv21/token.ts';
import { mayCarryToken, outpoint, type Coin } from '../coins/coin.ts';
import { oneSatCoins, MAX_ONE_SAT_COINS } from '../coins/coin-store.ts';

import type { AssetRecord, Mint } from './asset-record.ts';
import { minted } from './read-mint.ts';
import { allAssets, readAsset } from './store.ts';
import { readCoin, readCoins } from '../coins/records.ts';
import type { Wallet } from '../platform.ts';

/** The fields of a coin that determine which asset it holds. */
export type Carrier = Pick<Coin, 'outpoint' | 'txid' | 'vout' | 'script'>;

/** A coin that claims to hold an amount of a token. */
export interface TokenCoin<C extends Carrier = Coin> {
  coin: C;
  id: string;
  amt: bigint;
  record: AssetRecord | undefined;
}

/** A coin that may hold an ordinal: its own inscription, and the known origin of its satoshi. */
export interface OrdinalCoin<C extends Carrier = Coin> {
  coin: C;
  inscription: Inscription | null;
  record: AssetRecord | undefined;
}

/**
 * Returns all tokens and ordinals in available or pending coins. Reads a limited number of coins, plus all verified
 * token coins, so third parties can't hide those by sending more coins.
 */
export async function heldAssets(wallet: Wallet): Promise<{ tokens: TokenCoin[]; ordinals: OrdinalCoin[] }> {
  const tokens: TokenCoin[] = [];
  const ordinals: OrdinalCoin[] = [];
  const records = new Map((await allAssets(wallet)).map((record) => [record.outpoint, record]));
  const coins = new Map((await oneSatCoins(wallet)).map((coin) => [coin.outpoint, coin]));
  if (coins.size >= MAX_ONE_SAT_COINS)
    for (const coin of await goodCoins(wallet, records.values())) coins.set(coin.outpoint, coin);
  for (const coin of coins.values()) {
    const carried = carriedWith(coin, records.get(coin.outpoint));
    if ('id' in carried) tokens.push(carried);
    else ordinals.push(carried);
  }
  return { tokens, ordinals };
}

/** Returns the coins with a token that the wallet has verified itself. */
async function goodCoins(wallet: Wallet, records: Iterable<AssetRecord>): Promise<Coin[]> {
  const good = [...records].filter(({ verdict }) => verdict?.state === 'valid' && verdict.word === 'chain');
  const coins = await readCoins(
    wallet,
    good.map((one) => one.outpoint),
  );
  return coins.filter((coin) => coin && mayCarryToken(coin) && /^(?:available|pending)$/.test(coin.status)) as Coin[];
}

/** Returns the content of a one-satoshi coin. */
export async function carriedBy<C extends Carrier>(wallet: Wallet, coin: C): Promise<TokenCoin<C> | OrdinalCoin<C>> {
  return carriedWith(coin, await readAsset(wallet, coin.outpoint));
}

function carriedWith<C extends Carrier>(coin: C, record: AssetRecord | undefined): TokenCoin<C> | OrdinalCoin<C> {
  const script = fromHex(coin.script);
  const token = readToken(script);
  if (!token) return { coin, inscription: readInscription(script), record };
  if (token.op === 'transfer') return { coin, id: token.id, amt: token.amt, record };
  return {
    coin,
    id: tokenId(coin.txid, coin.vout),
    amt: token.amt,
    record: { ...record, ...mintRecord(coin, token) },
  };
}

/** Returns the data for a mint. Its amount is always valid, because the mint itself creates the tokens. */
function mintRecord({ outpoint, txid }: Carrier, mint: TokenMint): AssetRecord {
  return { outpoint, verdict: { state: 'valid', word: 'chain', at: 0 }, mint: minted(mint, txid) };
}

/** Returns the known metadata of a token's mint, read from the wallet's own coin if the wallet minted the token. */
export async function mintOf(wallet: Wallet, id: string): Promise<Mint | undefined> {
  const place = readTokenId(id);
  if (!place) return undefined;
  const key = outpoint(place.txid, place.vout);
  const known = (await readAsset(wallet, key))?.mint;
  if (known?.word === 'chain') return known;
  const coin = await readCoin(wallet, key);
  const token = coin && mayCarryToken(coin) ? readToken(fromHex(coin.script)) : null;
  return token?.op === 'deploy+mint' ? minted(token, place.txid) : known;
}
