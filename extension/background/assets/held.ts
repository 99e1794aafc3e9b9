/** What the wallet's coins of one satoshi carry, by their own scripts and by what was found out about them. */
import { fromHex } from '../../../protocol/bytes.ts';
import { readInscription, type Inscription } from '../../../protocol/bsv21/inscription.ts';
import { readToken, readTokenId, tokenId, type TokenMint } from '../../../protocol/bsv21/token.ts';
import { isKeptApart, outpoint, type Coin } from '../coins/coin.ts';
import { coinsApart } from '../coins/store.ts';
import { database } from '../database.ts';
import type { AssetRecord, Mint } from './asset-record.ts';
import { minted } from './read-mint.ts';
import { readAsset } from './store.ts';

/** A coin that says that it holds some of a token. */
export interface TokenCoin {
  coin: Coin;
  id: string;
  amt: bigint;
  record: AssetRecord | undefined;
}

/** A coin that holds an ordinal, or may: its own inscription, and what is known of where its satoshi comes from. */
export interface OrdinalCoin {
  coin: Coin;
  inscription: Inscription | null;
  record: AssetRecord | undefined;
}

/** All of them that are here or on their way back. */
export async function heldAssets(): Promise<{ tokens: TokenCoin[]; ordinals: OrdinalCoin[] }> {
  const tokens: TokenCoin[] = [];
  const ordinals: OrdinalCoin[] = [];
  for (const coin of await coinsApart()) {
    const carried = await carriedBy(coin);
    if ('id' in carried) tokens.push(carried);
    else ordinals.push(carried);
  }
  return { tokens, ordinals };
}

/** What a coin of one satoshi carries. */
export async function carriedBy(coin: Coin): Promise<TokenCoin | OrdinalCoin> {
  const script = fromHex(coin.script);
  const token = readToken(script);
  const record = await readAsset(coin.outpoint);
  if (!token) return { coin, inscription: readInscription(script), record };
  if (token.op === 'transfer') return { coin, id: token.id, amt: token.amt, record };
  return {
    coin,
    id: tokenId(coin.txid, coin.vout),
    amt: token.amt,
    record: { ...record, ...mintRecord(coin, token) },
  };
}

/** A mint holds what it says, by its own script: nothing of it has to be followed back. */
function mintRecord({ outpoint, txid }: Coin, mint: TokenMint): AssetRecord {
  return { outpoint, verdict: { state: 'valid', word: 'chain', at: 0 }, mint: minted(mint, txid) };
}

/** What a token's mint says, as far as that is known. Of what the wallet has minted, by its own coin, spent or not. */
export async function mintOf(id: string): Promise<Mint | undefined> {
  const place = readTokenId(id);
  if (!place) return undefined;
  const key = outpoint(place.txid, place.vout);
  const known = (await readAsset(key))?.mint;
  if (known?.word === 'chain') return known;
  const coin = await (await database()).get('coins', key);
  const token = coin && isKeptApart(coin) ? readToken(fromHex(coin.script)) : null;
  return token?.op === 'deploy+mint' ? minted(token, place.txid) : known;
}
