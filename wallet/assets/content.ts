/**
 * Extracts the displayable content of an output: plain text or a small still picture. Other content isn't displayed.
 */
import { readInscription } from '../../protocol/assets/bsv21/inscription.ts';
import { readTokenId } from '../../protocol/assets/bsv21/token.ts';
import { fromHex } from '../../protocol/bitcoin/bytes.ts';
import { readSmallPicture } from '../../protocol/http/picture.ts';
import { asShownText } from '../../protocol/text/shown-text.ts';
import type { AssetContent } from '../../protocol/messages/wallet-messages.ts';
import { networkInfo } from '../chain/network.ts';
import { fetchTransaction } from '../chain/headers/spv.ts';
import { outpoint } from '../coins/coin.ts';

import { readCoin } from '../coins/records.ts';
import { part, type Wallet } from '../platform.ts';

/** Maximum size of text (bytes), and maximum length of its displayed part (characters). */
const [MAX_TEXT_BYTES, MAX_TEXT_CHARS] = [100_000, 2000];
/** Maximum response size when an output's transaction is fetched (bytes). Hex doubles the transaction's size. */
const MAX_RESPONSE_BYTES = 2_000_000;
/** Maximum number of outputs cached in memory, so reopening the wallet's page makes no request. */
const MAX_CACHED_OUTPUTS = 50;

const kept = part(() => new Map<string, AssetContent>());

/**
 * Returns an output's content: from the wallet's own coin, or from its transaction after checking the bytes against the
 * ID.
 * @param id `txid_vout`
 * @throws ServiceError `network-unavailable`, `invalid-proof`, `too-large`
 */
export async function readContent(wallet: Wallet, id: string): Promise<AssetContent> {
  const before = kept(wallet).get(id);
  if (before) return before;
  const content = contentOf(await scriptAt(wallet, id));
  kept(wallet).set(id, content);
  for (const oldest of kept(wallet).keys()) if (kept(wallet).size > MAX_CACHED_OUTPUTS) kept(wallet).delete(oldest);
  return content;
}

async function scriptAt(wallet: Wallet, id: string): Promise<Uint8Array> {
  const place = readTokenId(id);
  if (!place) return new Uint8Array();
  const coin = await readCoin(wallet, outpoint(place.txid, place.vout));
  if (coin) return fromHex(coin.script);
  const transaction = await fetchTransaction(
    wallet,
    await networkInfo(wallet),
    place.txid,
    undefined,
    MAX_RESPONSE_BYTES,
  );
  return transaction?.outputs[place.vout]?.lockingScript ?? new Uint8Array();
}

export function contentOf(script: Uint8Array): AssetContent {
  const inscription = readInscription(script);
  const nothing = { contentType: inscription?.contentType ?? '', text: null, picture: null };
  if (!inscription) return nothing;
  const { contentType, content } = inscription;
  const picture = readSmallPicture(content);
  // The type is detected from the bytes, regardless of the declared one. SVG and HTML are never displayed.
  if (picture) return { contentType, text: null, picture: `data:${picture.type};base64,${base64(content)}` };
  const isText = /^(?:text\/plain|application\/json)(?:\s*;|$)/i.test(contentType);
  if (!isText || content.length > MAX_TEXT_BYTES) return nothing;
  const text = [...asShownText(new TextDecoder().decode(content))];
  return {
    contentType,
    text: text.slice(0, MAX_TEXT_CHARS).join('') + (text.length > MAX_TEXT_CHARS ? '…' : ''),
    picture: null,
  };
}

function base64(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}
