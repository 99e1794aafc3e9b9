/** The client of WhatsOnChain: coins, transactions, proofs and headers. Its responses are verified. */
import * as z from 'zod/mini';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { isHex } from '../../protocol/bitcoin/bytes.ts';
import { header, type Header } from './headers/header.ts';
import { parseJson } from './http.ts';
import { ask } from './index-requests.ts';
import { part, type Wallet } from '../platform.ts';

export const ADDRESSES_PER_REQUEST = 20;
/** Maximum number of transactions or outputs in one request for their states. */
export const STATES_PER_REQUEST = 20;

export const txid = z.string().check(z.regex(/^[0-9a-f]{64}$/));
/** It becomes part of the next page's URL, which can't contain an unpaired surrogate. */
export const pageToken = z.nullish(z.string().check(z.refine((token) => token.isWellFormed())));
// An unconfirmed coin has no height, or 0.
const unspent = z.object({
  tx_hash: txid,
  tx_pos: z.int(),
  value: z.int(),
  height: z.nullish(z.int()),
  isSpentInMempoolTx: z.nullish(z.boolean()),
});
// Older responses name the list `unspent`. An incomplete one has a token for its next page.
const unspentOfOne = z.object({
  address: z.nullish(z.string()),
  result: z.nullish(z.array(unspent)),
  unspent: z.nullish(z.array(unspent)),
  nextPageToken: pageToken,
});
const unspentOfMany = z.array(unspentOfOne);
const tscProof = z.object({ index: z.int(), txOrId: txid, target: txid, nodes: z.array(z.string()) });
const chainInfo = z.object({ blocks: z.int(), bestblockhash: txid, chain: z.nullish(z.string()) });

/** An unspent output of an address according to the index. `height` is 0 or less while unconfirmed. */
export interface Unspent {
  address: string;
  txid: string;
  vout: number;
  satoshis: bigint;
  height: number;
  spentInMempool: boolean;
}
/** A merkle proof in TSC form: `target` is the block's hash, `nodes` the siblings from the leaf up, `*` for a copy. */
export type TscProof = z.infer<typeof tscProof>;
export type { Header } from './headers/header.ts';

export function checked<T extends z.ZodMiniType>(schema: T, text: string): z.infer<T> {
  const parsed = schema.safeParse(parseJson(text));
  if (!parsed.success) throw new ServiceError('network-unavailable', { detail: 'unexpected answer' });
  return parsed.data;
}

/** Indexes without a combined list of confirmed and unconfirmed coins. */
const apart = part(() => new Set<string>());
/**
 * Maximum number of unconfirmed coins of an address in a list of several, which doesn't indicate that there are more.
 */
const MOST_UNCONFIRMED = 100;
/** Maximum pages of one address, of ten thousand coins each: about the limit of one response. */
export const MOST_PAGES = 20;

/**
 * Unspent outputs, confirmed and not, of up to 20 addresses. If the index returns only the first ones of an address,
 * the others are requested.
 * @param count called for each request
 * @throws ServiceError `network-unavailable`, `too-large`
 */
export async function unspentOf(
  wallet: Wallet,
  wocUrl: string,
  addresses: readonly string[],
  count: () => void = () => undefined,
): Promise<Unspent[]> {
  const lists = async (path: string) => {
    count();
    return ask(wallet, wocUrl, path, { json: { addresses } });
  };
  if (!apart(wallet).has(wocUrl)) {
    const { status, text } = await lists('/addresses/unspent/all');
    if (status !== 404) return whole(wallet, wocUrl, checked(unspentOfMany, text), addresses, count);
  }
  // In this order, a coin mined between the two requests is in both responses instead of neither.
  const unconfirmed = checked(unspentOfMany, (await lists('/addresses/unconfirmed/unspent')).text);
  const confirmed = checked(unspentOfMany, (await lists('/addresses/confirmed/unspent')).text);
  apart(wallet).add(wocUrl);
  const more = unconfirmed.filter((one) => listOf(one).length >= MOST_UNCONFIRMED).map(({ address }) => address);
  const all = await Promise.all(
    unconfirmed.map(async (one) =>
      more.includes(one.address)
        ? { ...one, ...(await page(wallet, wocUrl, `/address/${one.address}/unconfirmed/unspent`, count)) }
        : one,
    ),
  );
  return [
    ...(await whole(wallet, wocUrl, confirmed, addresses, count)),
    ...(await whole(wallet, wocUrl, all, addresses, count)),
  ].filter(isFirst());
}

type List = z.infer<typeof unspentOfOne>;
const listOf = ({ result, unspent: older }: List) => result ?? older ?? [];

/** The coins of some lists, including the rest of incomplete ones. */
async function whole(
  wallet: Wallet,
  wocUrl: string,
  lists: readonly List[],
  addresses: readonly string[],
  count: () => void,
): Promise<Unspent[]> {
  const found: Unspent[] = [];
  for (const list of lists) {
    const address = list.address ?? '';
    if (!addresses.includes(address)) continue;
    for (const u of list.nextPageToken
      ? [...listOf(list), ...(await allConfirmed(wallet, wocUrl, address, count))]
      : listOf(list)) {
      found.push({
        address,
        txid: u.tx_hash,
        vout: u.tx_pos,
        satoshis: BigInt(u.value),
        height: u.height ?? 0,
        spentInMempool: u.isSpentInMempoolTx === true,
      });
    }
  }
  return found.filter(isFirst());
}

/** All confirmed coins of an address, page by page. */
async function allConfirmed(
  wallet: Wallet,
  wocUrl: string,
  address: string,
  count: () => void,
): Promise<z.infer<typeof unspent>[]> {
  const coins: z.infer<typeof unspent>[] = [];
  let token = '';
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const next: List = await page(wallet, wocUrl, `/address/${address}/confirmed/unspent${token}`, count);
    coins.push(...listOf(next));
    if (!next.nextPageToken) return coins;
    token = `?token=${encodeURIComponent(next.nextPageToken)}`;
  }
  throw new ServiceError('too-large');
}

async function page(wallet: Wallet, wocUrl: string, path: string, count: () => void): Promise<List> {
  count();
  return checked(unspentOfOne, (await ask(wallet, wocUrl, path)).text);
}

/** Returns a filter for items not seen before. */
function isFirst(): (one: Unspent) => boolean {
  const seen = new Set<string>();
  return ({ txid, vout }) => seen.size < seen.add(`${txid}:${vout}`).size;
}

/** A transaction's bytes as hex, or null if unknown. */
export async function transactionHex(
  wallet: Wallet,
  wocUrl: string,
  id: string,
  maxBytes?: number,
): Promise<string | null> {
  const { status, text } = await ask(wallet, wocUrl, `/tx/${id}/hex`, { maxBytes });
  const hex = text.trim();
  return status === 200 && isHex(hex) && hex !== '' ? hex : null;
}

/** The merkle proof of a confirmed transaction, or null while there is none. */
export async function merkleProof(wallet: Wallet, wocUrl: string, id: string): Promise<TscProof | null> {
  const { status, text } = await ask(wallet, wocUrl, `/tx/${id}/proof/tsc`);
  if (status === 404) return null;
  return checked(z.nullable(z.array(tscProof)), text)?.[0] ?? null;
}

/** The header of a block, by height or hash, or null if there is none. */
export async function blockHeader(wallet: Wallet, wocUrl: string, block: number | string): Promise<Header | null> {
  const { status, text } = await ask(wallet, wocUrl, `/block/${block}/header`);
  return status === 404 ? null : checked(header, text);
}

/** The last block of the chain that the index follows. */
export async function chainTip(wallet: Wallet, wocUrl: string): Promise<{ hash: string; height: number }> {
  const { blocks, bestblockhash } = checked(chainInfo, (await ask(wallet, wocUrl, '/chain/info')).text);
  return { hash: bestblockhash, height: blocks };
}

/**
 * The index's name of its chain (`main`, `test`); null if it reports none.
 * @param key defaults to the stored one
 */
export async function chainName(wallet: Wallet, wocUrl: string, key?: string | null): Promise<string | null> {
  return checked(chainInfo, (await ask(wallet, wocUrl, '/chain/info', { key })).text).chain ?? null;
}

/** The id of the transaction that spends an output, or null while it is unspent. */
export async function spenderOf(wallet: Wallet, wocUrl: string, id: string, vout: number): Promise<string | null> {
  const { status, text } = await ask(wallet, wocUrl, `/tx/${id}/${vout}/spent`);
  return status === 404 ? null : checked(z.object({ txid }), text).txid;
}

// A transaction in the mempool has only its id; one that the index doesn't have, an error.
const transactionStates = z.array(z.object({ txid, error: z.nullish(z.string()) }));

/**
 * The transactions (up to 20) that the index has, by one request (`POST /txs/status`).
 * @returns null if the index has no such list
 * @throws ServiceError `network-unavailable`
 */
export async function knownAmong(
  wallet: Wallet,
  wocUrl: string,
  txids: readonly string[],
): Promise<Set<string> | null> {
  const { status, text } = await ask(wallet, wocUrl, '/txs/status', { json: { txids } });
  if (status === 404) return null;
  const known = checked(transactionStates, text).filter(({ error }) => !error);
  return new Set(known.map(({ txid: id }) => id));
}

// Unspent outputs have no spender. An output unknown to the index may have a spender without an id.
const spentOutputs = z.array(
  z.object({
    utxo: z.object({ txid, vout: z.int() }),
    spentIn: z.nullish(z.object({ txid: z.nullish(z.string()) })),
  }),
);

/**
 * The spenders of up to 20 outputs, by outpoint, by one request (`POST /utxos/spent`). Unspent ones are missing.
 * @returns null if the index has no such list
 * @throws ServiceError `network-unavailable`
 */
export async function spendersOfMany(
  wallet: Wallet,
  wocUrl: string,
  outputs: readonly { txid: string; vout: number }[],
): Promise<Map<string, string> | null> {
  const { status, text } = await ask(wallet, wocUrl, '/utxos/spent', { json: { utxos: outputs } });
  if (status === 404) return null;
  return new Map(
    checked(spentOutputs, text).flatMap(({ utxo, spentIn }) =>
      spentIn?.txid ? [[`${utxo.txid}:${utxo.vout}`, spentIn.txid] as const] : [],
    ),
  );
}
