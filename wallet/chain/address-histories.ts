/** Fetches transaction histories for addresses from WhatsOnChain. Callers verify its responses. */
import * as z from 'zod/mini';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { requestIndex } from './index-requests.ts';
import { type Wallet } from '../platform.ts';
import { txid, pageToken, checked, MAX_PAGES_PER_ADDRESS } from './whats-on-chain.ts';

const historyList = z.object({
  result: z.nullish(z.array(z.object({ tx_hash: txid, height: z.nullish(z.int()) }))),
  nextPageToken: pageToken,
});
const historiesOfMany = z.array(
  z.object({ address: z.string(), unconfirmed: z.nullish(historyList), confirmed: z.nullish(historyList) }),
);

/** A transaction listed for an address, with the height reported by the index: 0 or less while unconfirmed. */
export interface HistoricTransaction {
  txid: string;
  height: number;
}

/**
 * Returns the transactions that pay or spend from up to 20 addresses, in one request. `isWhole` is false if the list
 * may be incomplete, because the index has no such list or returns only an address's first transactions.
 * @throws ServiceError `network-unavailable`, `too-large`
 */
export async function historyOfMany(
  wallet: Wallet,
  wocUrl: string,
  addresses: readonly string[],
): Promise<{ transactions: HistoricTransaction[]; isWhole: boolean }> {
  const { status, text } = await requestIndex(wallet, wocUrl, '/addresses/history/all', { json: { addresses } });
  if (status === 404) return { transactions: [], isWhole: false };
  const lists = checked(historiesOfMany, text);
  const whole = new Set<string>();
  for (const { address, unconfirmed, confirmed } of lists)
    if (unconfirmed?.result && confirmed?.result && !unconfirmed.nextPageToken && !confirmed.nextPageToken)
      whole.add(address);
  return {
    transactions: lists.flatMap(({ unconfirmed, confirmed }) => [...listed(unconfirmed), ...listed(confirmed)]),
    isWhole: addresses.every((address) => whole.has(address)),
  };
}

/**
 * Returns the transactions for one address, fetched page by page, without duplicates. `isWhole` is false if there are
 * more pages than the wallet requests.
 * @param count called before each request
 * @throws ServiceError `network-unavailable`, `too-large`
 */
export async function historyOf(
  wallet: Wallet,
  wocUrl: string,
  address: string,
  count: () => void,
): Promise<{ transactions: HistoricTransaction[]; isWhole: boolean }> {
  let isWhole = true;
  const found = new Map<string, HistoricTransaction>();
  // In this order, a transaction mined between the two requests is in both responses instead of neither.
  for (const status of ['unconfirmed', 'confirmed']) {
    let query = '';
    for (let pages = 0; ; pages += 1) {
      isWhole &&= pages < MAX_PAGES_PER_ADDRESS;
      if (pages === MAX_PAGES_PER_ADDRESS) break; // a very popular address, or a faulty index
      count();
      const answer = await requestIndex(wallet, wocUrl, `/address/${address}/${status}/history${query}`);
      const page = answer.status === 404 ? {} : checked(historyList, answer.text);
      for (const one of listed(page)) found.set(one.txid, one);
      if (!page.nextPageToken) break;
      query = `?token=${encodeURIComponent(page.nextPageToken)}`;
    }
  }
  return { transactions: [...found.values()], isWhole };
}

const listed = (list: z.infer<typeof historyList> | null | undefined): HistoricTransaction[] =>
  (list?.result ?? []).map(({ tx_hash: id, height }) => ({ txid: id, height: height ?? 0 }));

const usage = z.union([z.boolean(), z.object({ used: z.boolean() })]);

/**
 * True if the address appears in any transaction. Any other response is an error, because a restore ends its search at
 * unused addresses.
 * @throws ServiceError `network-unavailable`
 */
export async function isUsed(wallet: Wallet, wocUrl: string, address: string): Promise<boolean> {
  const { status, text } = await requestIndex(wallet, wocUrl, `/address/${address}/used`);
  if (status === 404) return false;
  const read = checked(usage, text);
  return typeof read === 'boolean' ? read : read.used;
}

/**
 * Returns which of up to 20 addresses were ever used, in one request. Requests each address separately if the index has
 * no combined list.
 * @param count called before each request
 * @throws ServiceError `network-unavailable`, `too-large`
 */
export async function usedAmong(
  wallet: Wallet,
  wocUrl: string,
  addresses: readonly string[],
  count: () => void = () => undefined,
): Promise<Set<string>> {
  const used = new Set<string>();
  const listed = await historiesOf(wallet, wocUrl, addresses, count);
  for (const address of addresses) {
    const isListed = listed.get(address);
    if (isListed === undefined) count();
    if (isListed ?? (await isUsed(wallet, wocUrl, address))) used.add(address);
  }
  return used;
}

/**
 * Returns whether addresses have transactions, in one request. Omits addresses with incomplete lists, and omits all
 * addresses if the index has no combined list.
 */
async function historiesOf(
  wallet: Wallet,
  wocUrl: string,
  addresses: readonly string[],
  count: () => void,
): Promise<Map<string, boolean>> {
  count();
  try {
    const { status, text } = await requestIndex(wallet, wocUrl, '/addresses/history/all', { json: { addresses } });
    if (status === 404) return new Map();
    return new Map(
      checked(historiesOfMany, text).flatMap(({ address, unconfirmed, confirmed }) =>
        unconfirmed?.result && confirmed?.result
          ? [[address, listed(unconfirmed).length + listed(confirmed).length > 0] as const]
          : [],
      ),
    );
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'too-large') return new Map();
    throw error;
  }
}
