/** What the wallet's coins of one satoshi carry, by their own scripts and by what was found out about them. */
import { fromHex } from '../../../protocol/bytes.ts';
import { readInscription, type Inscription } from '../../../protocol/bsv21/inscription.ts';
import { readToken, tokenId } from '../../../protocol/bsv21/token.ts';
import { outpoint, type Coin } from '../coins/coin.ts';
import { coinsApart } from '../coins/store.ts';
import type { AssetRecord, Mint } from './asset-record.ts';
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
    const script = fromHex(coin.script);
    const token = readToken(script);
    const record = await readAsset(coin.outpoint);
    if (token) {
      const id = token.op === 'transfer' ? token.id : tokenId(coin.txid, coin.vout);
      tokens.push({ coin, id, amt: token.amt, record });
    } else ordinals.push({ coin, inscription: readInscription(script), record });
  }
  return { tokens, ordinals };
}

/** What a token's mint says, as far as that is known. */
export async function mintOf(id: string): Promise<Mint | undefined> {
  const [txid = '', vout = ''] = id.split('_');
  return (await readAsset(outpoint(txid, Number(vout))))?.mint;
}
