/** Fetches data from the index, and verifies it by transaction IDs and block headers. */
import { fromHex } from '../../../protocol/bitcoin/bytes.ts';
import { ServiceError } from '../../../protocol/errors/service-error.ts';
import { parseTransactionHex, txidOf, type Transaction } from '../../../protocol/bitcoin/transaction.ts';
import { outpoint, type Coin } from '../../coins/coin.ts';
import { unlocksOf } from '../../transaction/unlocks.ts';
import { followChain } from './follow.ts';
import { headerOf, headersOf } from './header-sources.ts';
import { heldAround, storeOlder } from './headers.ts';
import { checkProof, leastWork, workOf } from './proof.ts';
import { merkleProofs, spenderOf, transactionHex, type Header, type TscProof } from '../whats-on-chain.ts';
import type { NetworkInfo } from '../network-info.ts';
import { heldAt, heldHeader, heldTip } from './store.ts';
import type { Wallet } from '../../platform.ts';

/** Maximum number of proofs checked per transaction: more than one only after a reorganization. */
const MAX_PROOFS = 5;

/** Maximum number of later blocks fetched to support an old one: enough if its difficulty was 64 times lower. */
const MAX_LATER_BLOCKS = 15;

/**
 * Returns a transaction by ID, parsed from bytes that hash to this ID; null if the index doesn't have it.
 * @param count called with the length of the response
 * @param maxBytes maximum length of the response
 * @throws ServiceError `invalid-proof` (different bytes), `invalid-transaction`, `too-large`, `network-unavailable`
 */
export async function fetchTransaction(
  wallet: Wallet,
  info: Pick<NetworkInfo, 'wocUrl'>,
  txid: string,
  count: (bytes: number) => void = () => undefined,
  maxBytes?: number,
): Promise<Transaction | null> {
  const hex = await transactionHex(wallet, info.wocUrl, txid, maxBytes);
  if (hex === null) return null;
  count(hex.length);
  if (txidOf(fromHex(hex)) !== txid)
    throw new ServiceError('invalid-proof', { detail: 'the response is another transaction' });
  return parseTransactionHex(hex);
}

/**
 * Returns the block that contains a transaction, according to a merkle proof. Null if that block isn't in the followed
 * chain: the index may be ahead, or still return a replaced block.
 * @throws ServiceError `invalid-proof`, `network-unavailable`
 */
export async function provenBlock(wallet: Wallet, info: NetworkInfo, txid: string): Promise<Header | null> {
  let fault: unknown = null;
  for (const proof of await proofsOf(wallet, info, txid)) {
    try {
      const block = await blockOf(wallet, info, txid, proof);
      if (block) return block;
    } catch (error) {
      fault ??= error;
    }
  }
  if (fault !== null) throw fault;
  return null;
}

/**
 * Returns the index's unverified proofs for a transaction, those for blocks of the followed chain first.
 * @throws ServiceError `network-unavailable`
 */
export async function proofsOf(
  wallet: Wallet,
  { wocUrl }: Pick<NetworkInfo, 'wocUrl'>,
  txid: string,
): Promise<TscProof[]> {
  const proofs = (await merkleProofs(wallet, wocUrl, txid)).slice(0, MAX_PROOFS);
  const held = await Promise.all(proofs.map(({ target }) => heldHeader(wallet, target)));
  return [...proofs.filter((_, i) => held[i]), ...proofs.filter((_, i) => !held[i])];
}

/** Returns the block for a proof; null if it isn't in the followed chain. */
async function blockOf(wallet: Wallet, info: NetworkInfo, txid: string, proof: TscProof): Promise<Header | null> {
  const held = await heldHeader(wallet, proof.target);
  const header = held ?? (await headerOf(wallet, info, proof.target));
  if (!header) return null;
  checkProof(txid, proof, header, info.network);
  return held ?? placeInChain(wallet, info, header);
}

/**
 * Returns the block at a height if a merkle path proves that the block contains the transaction; null if the followed
 * chain isn't that long yet.
 * @throws ServiceError `invalid-proof` (a wrong path), `network-unavailable`
 */
export async function provenAt(
  wallet: Wallet,
  info: NetworkInfo,
  txid: string,
  { height, index, nodes }: Pick<TscProof, 'index' | 'nodes'> & { height: number },
): Promise<Header | null> {
  const check = (header: Header) =>
    checkProof(txid, { index, txOrId: txid, target: header.hash, nodes }, header, info.network);
  const held = await heldAt(wallet, height);
  if (held) {
    check(held);
    return held;
  }
  let fault: unknown = null;
  for await (const header of headersOf(wallet, info, height)) {
    try {
      check(header);
    } catch (error) {
      // This source may follow a different chain, so the next one is checked.
      fault ??= error;
      continue;
    }
    return placeInChain(wallet, info, header);
  }
  if (fault !== null) throw fault;
  return null;
}

/**
 * Returns the header if its block is in the chain, otherwise null. The header's hash and work have already been
 * verified.
 */
async function placeInChain(wallet: Wallet, info: NetworkInfo, header: Header): Promise<Header | null> {
  const tip = await heldTip(wallet);
  if (!tip || header.height > tip.height) await followChain(wallet, info);
  const held = await heldHeader(wallet, header.hash);
  if (held) return held;
  // For a block below the followed chain, at least one source must have this block at its height.
  for await (const { hash } of headersOf(wallet, info, header.height)) {
    if (hash !== header.hash) continue;
    await checkCost(wallet, info, header);
    return (await storeOlder(wallet, header)) ? header : null;
  }
  return null;
}

/**
 * Returns the header at a height of the followed chain, or null if the chain is shorter. A header below the stored
 * headers is fetched and its work checked, but it isn't stored.
 * @param beforeFetch called before a header is requested
 * @throws ServiceError `invalid-proof`, `network-unavailable`
 */
export async function headerAtHeight(
  wallet: Wallet,
  info: NetworkInfo,
  height: number,
  beforeFetch: () => void = () => undefined,
): Promise<Header | null> {
  const held = await heldAt(wallet, height);
  if (held) return held;
  const tip = await heldTip(wallet);
  if (!tip || height > tip.height) return null;
  beforeFetch();
  const [below, above] = [await heldAt(wallet, height - 1), await heldAt(wallet, height + 1)];
  let isElsewhere = false;
  for await (const header of headersOf(wallet, info, height)) {
    isElsewhere =
      (below !== undefined && below.hash !== header.previousblockhash) ||
      (above !== undefined && above.previousblockhash !== header.hash);
    if (isElsewhere) continue;
    await checkCost(wallet, info, header);
    return header;
  }
  if (isElsewhere) throw new ServiceError('invalid-proof', { detail: 'header of another chain' });
  throw new ServiceError('network-unavailable', { detail: 'no header' });
}

/**
 * Checks that a block without stored neighbors has a realistic amount of work. If difficulty was much lower, the work
 * of the blocks after it is added.
 * @throws ServiceError `invalid-proof`, `network-unavailable`
 */
async function checkCost(wallet: Wallet, info: NetworkInfo, header: Header): Promise<void> {
  const least = leastWork(await heldAround(wallet, header.height), info.network);
  let [last, work] = [header, workOf(header)];
  for (let builders = 0; work < least; builders += 1) {
    if (builders === MAX_LATER_BLOCKS) throw new ServiceError('invalid-proof', { detail: 'too little work' });
    let next: Header | undefined;
    let isElsewhere = false;
    for await (const header of headersOf(wallet, info, last.height + 1)) {
      isElsewhere = header.previousblockhash !== last.hash;
      if (isElsewhere) continue;
      next = header;
      break;
    }
    if (!next && isElsewhere) throw new ServiceError('invalid-proof', { detail: 'another branch' });
    if (!next) throw new ServiceError('network-unavailable', { detail: 'no header' });
    [last, work] = [next, work + workOf(next)];
  }
}

/**
 * Returns a transaction other than `txid` that spends an output, and the block of the followed chain that contains it;
 * null if there is none.
 * @throws ServiceError `network-unavailable`, `invalid-proof`
 */
export async function minedRival(
  wallet: Wallet,
  info: NetworkInfo,
  output: { txid: string; vout: number },
  txid: string,
): Promise<{ spender: string; transaction: Transaction; block: Header } | null> {
  const spender = await spenderOf(wallet, info.wocUrl, output.txid, output.vout);
  if (spender === null || spender === txid) return null;
  const transaction = await fetchTransaction(wallet, info, spender);
  if (!transaction || !spends(transaction, output)) return null;
  const block = await provenBlock(wallet, info, spender);
  return block && { spender, transaction, block };
}

type SpentCoin = Pick<Coin, 'txid' | 'vout' | 'script' | 'satoshis'>;

/**
 * Returns the coins, `coin` first, that the spender of `coin` (as reported by the index) validly spends. The spender
 * must be signed with the coin's key or, if the script isn't standard P2PKH, be in a block of the followed chain.
 * Returns all coins together, so a transaction that consolidates thousands is fetched and hashed only once. Empty if
 * the index has no spender.
 * @param others other coins that the spender may also spend
 * @throws ServiceError `invalid-proof` (the reported spender is neither signed nor in a block), `network-unavailable`
 */
export async function coinsSpentWith<C extends SpentCoin>(
  wallet: Wallet,
  info: NetworkInfo,
  coin: C,
  others: Iterable<C>,
): Promise<C[]> {
  const spender = await spenderOf(wallet, info.wocUrl, coin.txid, coin.vout);
  const transaction = spender === null ? null : await fetchTransaction(wallet, info, spender);
  if (spender === null || transaction === null) return [];
  if (!spends(transaction, coin)) throw notSigned();
  const isSigned = unlocksOf(transaction);
  // A forged transaction that claims to spend all our coins costs only one signature check.
  const isOurs = isSigned(coin);
  if (!isOurs && (await provenBlock(wallet, info, spender)) === null) throw notSigned();
  const inputs = new Set(transaction.inputs.map(({ txid, vout }) => outpoint(txid, vout)));
  const also = [...others].filter((one) => one !== coin && inputs.has(outpoint(one.txid, one.vout)));
  return [coin, ...(isOurs ? also.filter(isSigned) : also)];
}

const notSigned = () => new ServiceError('invalid-proof', { detail: 'the spender has no valid signature' });

function spends({ inputs }: Transaction, { txid, vout }: Pick<Coin, 'txid' | 'vout'>): boolean {
  return inputs.some((input) => input.txid === txid && input.vout === vout);
}
