/** WhatsOnChain client: coins, transactions, proofs and headers. Callers verify its responses. */
import * as z from 'zod/mini';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { isHex } from '../../protocol/bitcoin/bytes.ts';
import { header, type Header } from './headers/header.ts';
import { parseJson } from './http.ts';
import { requestIndex } from './index-requests.ts';
import { part, type Wallet } from '../platform.ts';

export const ADDRESSES_PER_REQUEST = 20;
/** Maximum number of transactions or outputs per status request. */
export const STATES_PER_REQUEST = 20;

export const txid = z.string().check(z.regex(/^[0-9a-f]{64}$/));
/** Used in the next page's URL, which can't contain an unpaired surrogate. */
export const pageToken = z.nullish(z.string().check(z.refine((token) => token.isWellFormed())));
// `height` is missing or 0 while unconfirmed.
const unspent = z.object({
  tx_hash: txid,
  tx_pos: z.int(),
  value: z.int(),
  height: z.nullish(z.int()),
  isSpentInMempoolTx: z.nullish(z.boolean()),
});
// Older responses call the list `unspent`. A token for the next page means that the list is incomplete.
const unspentOfOne = z.object({
  address: z.nullish(z.string()),
  result: z.nullish(z.array(unspent)),
  unspent: z.nullish(z.array(unspent)),
  nextPageToken: pageToken,
});
const unspentOfMany = z.array(unspentOfOne);
const tscProof = z.object({ index: z.int(), txOrId: txid, target: txid, nodes: z.array(z.string()) });
const chainInfo = z.object({ blocks: z.int(), bestblockhash: txid, chain: z.nullish(z.string()) });

/** An unspent output of an address, as reported by the index. `height` is 0 or less while unconfirmed. */
export interface Unspent {
  address: string;
  txid: string;
  vout: number;
  satoshis: bigint;
  height: number;
  spentInMempool: boolean;
}
/**
 * A TSC merkle proof: `target` is the block's hash, and `nodes` are the siblings from the leaf up, with `*` for a
 * duplicate.
 */
export type TscProof = z.infer<typeof tscProof>;
export type { Header } from './headers/header.ts';

export function checked<T extends z.ZodMiniType>(schema: T, text: string): z.infer<T> {
  const parsed = schema.safeParse(parseJson(text));
  if (!parsed.success) throw new ServiceError('network-unavailable', { detail: 'unexpected response' });
  return parsed.data;
}

/** URLs of indexes that list confirmed and unconfirmed coins only separately. */
const apart = part(() => new Set<string>());
/** Maximum number of unconfirmed coins per address in a multi-address response, which doesn't report truncation. */
const MAX_UNCONFIRMED_COINS = 100;
/**
 * Maximum number of pages per address, each with ten thousand coins. Together, they are about as large as one response
 * may be.
 */
export const MAX_PAGES_PER_ADDRESS = 20;

/**
 * Returns the unspent outputs, confirmed and unconfirmed, of up to 20 addresses. Fetches the rest if the index returns
 * only an address's first outputs.
 * @param count called before each request
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
    return requestIndex(wallet, wocUrl, path, { json: { addresses } });
  };
  if (!apart(wallet).has(wocUrl)) {
    const { status, text } = await lists('/addresses/unspent/all');
    if (status !== 404) return whole(wallet, wocUrl, checked(unspentOfMany, text), 'confirmed', addresses, count);
  }
  const all = async (kind: 'unconfirmed' | 'confirmed') =>
    whole(
      wallet,
      wocUrl,
      checked(unspentOfMany, (await lists(`/addresses/${kind}/unspent`)).text),
      kind,
      addresses,
      count,
    );
  // In this order, a coin mined between the requests is in both lists instead of neither.
  const unconfirmed = await all('unconfirmed');
  const confirmed = await all('confirmed');
  apart(wallet).add(wocUrl);
  return [...confirmed, ...unconfirmed].filter(isFirst());
}

type List = z.infer<typeof unspentOfOne>;
const listOf = ({ result, unspent: older }: List) => result ?? older ?? [];

/** Converts lists to coins. Fetches the pages of a list of coins of the given kind if it is incomplete. */
async function whole(
  wallet: Wallet,
  wocUrl: string,
  lists: readonly List[],
  kind: 'unconfirmed' | 'confirmed',
  addresses: readonly string[],
  count: () => void,
): Promise<Unspent[]> {
  const isPart = (list: List) =>
    Boolean(list.nextPageToken) || (kind === 'unconfirmed' && listOf(list).length >= MAX_UNCONFIRMED_COINS);
  const found: Unspent[] = [];
  for (const list of lists) {
    const address = list.address ?? '';
    if (!addresses.includes(address)) continue;
    const rest = isPart(list) ? await allPages(wallet, wocUrl, address, kind, count) : [];
    for (const u of [...listOf(list), ...rest]) {
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

/** Returns all coins of the given kind at an address, fetched page by page. */
async function allPages(
  wallet: Wallet,
  wocUrl: string,
  address: string,
  kind: 'unconfirmed' | 'confirmed',
  count: () => void,
): Promise<z.infer<typeof unspent>[]> {
  const coins: z.infer<typeof unspent>[] = [];
  let token = '';
  for (let pages = 0; pages < MAX_PAGES_PER_ADDRESS; pages += 1) {
    const next: List = await page(wallet, wocUrl, `/address/${address}/${kind}/unspent${token}`, count);
    coins.push(...listOf(next));
    if (!next.nextPageToken) return coins;
    token = `?token=${encodeURIComponent(next.nextPageToken)}`;
  }
  throw new ServiceError('too-large');
}

async function page(wallet: Wallet, wocUrl: string, path: string, count: () => void): Promise<List> {
  count();
  return checked(unspentOfOne, (await requestIndex(wallet, wocUrl, path)).text);
}

/** Returns a filter for items not seen before. */
function isFirst(): (one: Unspent) => boolean {
  const seen = new Set<string>();
  return ({ txid, vout }) => seen.size < seen.add(`${txid}:${vout}`).size;
}

/**
 * Returns a transaction's bytes as hex, or null if unknown. Only status 404 means unknown, because an unknown
 * transaction can count as dropped or rejected.
 * @throws ServiceError `network-unavailable`, `too-large`
 */
export async function transactionHex(
  wallet: Wallet,
  wocUrl: string,
  id: string,
  maxBytes?: number,
): Promise<string | null> {
  const { status, text } = await requestIndex(wallet, wocUrl, `/tx/${id}/hex`, { maxBytes });
  if (status === 404) return null;
  const hex = text.trim();
  if (!isHex(hex) || hex === '') throw new ServiceError('network-unavailable', { detail: 'unexpected response' });
  return hex;
}

/**
 * Returns a transaction's merkle proofs, or none if it is unconfirmed. After a reorganization, one of several can be for
 * a replaced block.
 */
export async function merkleProofs(wallet: Wallet, wocUrl: string, id: string): Promise<TscProof[]> {
  const { status, text } = await requestIndex(wallet, wocUrl, `/tx/${id}/proof/tsc`);
  return status === 404 ? [] : (checked(z.nullable(z.array(tscProof)), text) ?? []);
}

/** Returns a block header by height or hash, or null if unknown. */
export async function blockHeader(wallet: Wallet, wocUrl: string, block: number | string): Promise<Header | null> {
  const { status, text } = await requestIndex(wallet, wocUrl, `/block/${block}/header`);
  return status === 404 ? null : checked(header, text);
}

/** Returns the tip of the chain that the index follows. */
export async function chainTip(wallet: Wallet, wocUrl: string): Promise<{ hash: string; height: number }> {
  const { blocks, bestblockhash } = checked(chainInfo, (await requestIndex(wallet, wocUrl, '/chain/info')).text);
  return { hash: bestblockhash, height: blocks };
}

/**
 * Returns the index's chain name (`main`, `test`); null if it reports none.
 * @param key defaults to the stored key
 */
export async function chainName(wallet: Wallet, wocUrl: string, key?: string | null): Promise<string | null> {
  return checked(chainInfo, (await requestIndex(wallet, wocUrl, '/chain/info', { key })).text).chain ?? null;
}

/** Returns the ID of the transaction that spends an output, or null if it is unspent. */
export async function spenderOf(wallet: Wallet, wocUrl: string, id: string, vout: number): Promise<string | null> {
  const { status, text } = await requestIndex(wallet, wocUrl, `/tx/${id}/${vout}/spent`);
  return status === 404 ? null : checked(z.object({ txid }), text).txid;
}

// Mempool transactions have only a `txid`. Unknown transactions also have an `error`.
const transactionStates = z.array(z.object({ txid, error: z.nullish(z.string()) }));

/**
 * Returns which of up to 20 transactions the index has, in one request (`POST /txs/status`).
 * @returns null if the index has no such endpoint
 * @throws ServiceError `network-unavailable`
 */
export async function knownAmong(
  wallet: Wallet,
  wocUrl: string,
  txids: readonly string[],
): Promise<Set<string> | null> {
  const { status, text } = await requestIndex(wallet, wocUrl, '/txs/status', { json: { txids } });
  if (status === 404) return null;
  const known = checked(transactionStates, text).filter(({ error }) => !error);
  return new Set(known.map(({ txid: id }) => id));
}

// Unspent outputs have no spender. An unknown output may have a spender without an ID.
const spentOutputs = z.array(
  z.object({
    utxo: z.object({ txid, vout: z.int() }),
    spentIn: z.nullish(z.object({ txid: z.nullish(z.string()) })),
  }),
);

/**
 * Returns the spenders of up to 20 outputs by outpoint, in one request (`POST /utxos/spent`). Omits unspent outputs.
 * @returns null if the index has no such endpoint
 * @throws ServiceError `network-unavailable`
 */
export async function spendersOfMany(
  wallet: Wallet,
  wocUrl: string,
  outputs: readonly { txid: string; vout: number }[],
): Promise<Map<string, string> | null> {
  const { status, text } = await requestIndex(wallet, wocUrl, '/utxos/spent', { json: { utxos: outputs } });
  if (status === 404) return null;
  return new Map(
    checked(spentOutputs, text).flatMap(({ utxo, spentIn }) =>
      spentIn?.txid ? [[`${utxo.txid}:${utxo.vout}`, spentIn.txid] as const] : [],
    ),
  );
}
