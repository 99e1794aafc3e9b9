/**
 * The activity of a wallet that was restored: what the index lists for its addresses, each transaction read and checked by
 * the wallet itself, the newest first. A refresh makes a limited number of requests; the next one continues.
 */
import { fromHex, toHex } from '../../../protocol/bytes.ts';
import { ServiceError } from '../../../protocol/errors.ts';
import type { Transaction } from '../../../protocol/transaction.ts';
import { followChain } from '../chain/follow.ts';
import { heldTip } from '../chain/headers.ts';
import type { NetworkInfo } from '../chain/network-info.ts';
import { provenBlock } from '../chain/spv.ts';
import { ADDRESSES_PER_REQUEST, historyOf, historyOfMany, type HistoricTransaction } from '../chain/whats-on-chain.ts';
import { addressScriptOf } from '../coins/address.ts';
import { addressesBetween, nextUnused } from '../coins/addresses.ts';
import { outpoint, type Block, type Coin } from '../coins/coin.ts';
import { countToRead, countUntried, heightOf, NEWEST, nextToRead, putOff, readLater } from '../coins/history.ts';
import type { HistoryEntry } from '../coins/history-entry.ts';
import { likelyTime } from '../coins/likely-time.ts';
import { putCoin } from '../coins/put-coin.ts';
import { MOST_SPENDS, type Receipt } from '../coins/receipt.ts';
import { placeInBlock } from '../coins/store.ts';
import { database, inTransaction, readKey, writeKey, type WriteTransaction } from '../database.ts';
import { announceChange } from '../events.ts';
import type { Input } from '../transaction/input.ts';
import { unlocksOf } from '../transaction/unlocks.ts';
import { CHAINS } from '../vault/keys.ts';
import { effectOf, ownPartOf, type OwnInput } from './own-part.ts';
import { Budget, type Work } from './work.ts';

/** No more are listed while so many wait to be read: a list costs the index nothing, and may be long. */
const MOST_WAITING = 20_000;

/** Lists and reads as much as a refresh may. What goes wrong concerns one address or one transaction. */
export async function readHistory(info: NetworkInfo, work: Work): Promise<void> {
  await listHistory(info, work);
  // Some header is needed to tell about when a block was.
  if (!(await heldTip())) await work.passingOver(() => followChain(info));
  const passed = new Set<string>();
  const proofs = new Budget(100);
  while (work.transactions.left && proofs.left && !work.isOver) {
    const entry = await nextToRead(passed);
    if (!entry) return;
    passed.add(entry.txid);
    const fault = await work.passingOver(() => readEntry(info, work, proofs, entry));
    // What only waits for the next refresh keeps its turn.
    if (fault && work.transactions.left && !work.isOver) await noteUnverified(entry);
  }
}

/** Is there something to list or to read without anything new? Then the next refresh should come soon. */
export async function isHistoryUnfinished(): Promise<boolean> {
  const { listed = true } = (await readKey('history')) ?? {};
  return !listed || (await countUntried()) > 0;
}

/** How many transactions the activity lacks, as far as is known; null where it is whole. */
export async function historyLeft(): Promise<number | null> {
  const { listed = true } = (await readKey('history')) ?? {};
  const left = await countToRead();
  return listed && left === 0 ? null : left;
}

/** Asks for what was ever paid to each used address or spent from it, from each chain's latest address down. */
async function listHistory(info: NetworkInfo, work: Work): Promise<void> {
  for (let at = await readKey('history'); at && !at.listed; at = await readKey('history')) {
    const chain = at.next?.chain ?? CHAINS[0];
    const from = at.next?.from ?? (await nextUnused(chain)) - 1;
    if (from < 0) {
      const following = CHAINS[CHAINS.indexOf(chain) + 1];
      const top = following && { chain: following, from: (await nextUnused(following)) - 1 };
      await writeKey('history', top ? { listed: false, next: top } : { listed: true });
      continue;
    }
    if (!work.lists.left || work.isOver || (await countToRead()) >= MOST_WAITING) return;
    const alone = at.next?.alone ?? 0;
    const first = alone > 0 ? from : Math.max(0, from + 1 - ADDRESSES_PER_REQUEST);
    const addresses = (await addressesBetween(chain, first, from)).map(({ address }) => address);
    let isWhole = alone > 0;
    const fault = await work.passingOver(async () => {
      if (alone > 0) return keepListed(await historyOf(info.wocUrl, addresses[0] ?? '', () => work.lists.took(1)));
      work.lists.took(1);
      const history = await historyOfMany(info.wocUrl, addresses);
      await keepListed(history.transactions);
      isWhole = history.isWhole && history.transactions.length <= MOST_WAITING;
    });
    // An index that cannot be reached now will be. One whose list makes no sense must not stand before the rest.
    if (fault?.code === 'network-unavailable') return;
    const next = isWhole ? { from: first - 1, alone: Math.max(0, alone - 1) } : { from, alone: addresses.length };
    await writeKey('history', { listed: false, next: { chain, ...next } });
  }
}

/** Stores what is to be read. Once more does no harm: what was read is known. */
async function keepListed(found: readonly HistoricTransaction[]): Promise<void> {
  await inTransaction(async (tx) => {
    for (const { txid, height } of found.slice(0, MOST_WAITING)) {
      if ((await tx.objectStore('receipts').get(txid))?.reading !== 'done')
        await readLater(tx, txid, height > 0 ? Math.min(height, NEWEST - 1) : NEWEST);
    }
  });
}

/**
 * Reads one transaction and stores what it means.
 * @throws ServiceError `invalid-proof` (the index has it not, or not what it spends), `network-unavailable`
 */
async function readEntry(info: NetworkInfo, work: Work, proofs: Budget, entry: HistoryEntry): Promise<void> {
  const { txid } = entry;
  const transaction = await work.transaction(info, txid);
  if (!transaction) throw new ServiceError('invalid-proof', { detail: 'a transaction that the index does not have' });
  const own = await ownPartOf(transaction);
  const lost: bigint[] = [];
  let block: Block | null = null;
  if (heightOf(entry) > 0) {
    proofs.took(1);
    await work.passingOver(async () => void (block = await provenBlock(info, txid)));
  }
  const isSigned = unlocksOf(transaction);
  for (const one of own.inputs) {
    // A block holds only valid spends, in forms too that the wallet cannot judge.
    const coin = await spentCoin(info, work, (coin) => block !== null || isSigned(coin), one);
    if (coin) lost.push(coin.satoshis); // else the key is ours, what it spends is not
  }
  await inTransaction(async (tx) => {
    await tx.objectStore('history').delete(txid);
    const receipts = tx.objectStore('receipts');
    if (await isOwnPayment(tx, txid, own.inputs)) return void (await receipts.delete(txid));
    if (lost.length === 0 && own.outputs.length === 0) return;
    const before = await receipts.get(txid);
    const { spent: _, ...kept } = before ?? newReceipt(transaction, txid);
    await receipts.put({
      ...kept,
      // The first output of ours, or of a payment the address that it came from.
      address: (own.outputs[0]?.own ?? own.inputs[0]?.own)?.address ?? '',
      ...effectOf(transaction, own, lost, info.network),
      reading: 'done',
      unasked: 1,
      ...(await foundLater(tx, entry, before)),
    });
    if (block) await placeInBlock(tx, txid, block);
  });
  announceChange();
}

/** Where the index says at first sight that a block holds it. */
async function foundLater(
  tx: WriteTransaction,
  entry: HistoryEntry,
  before: Receipt | undefined,
): Promise<Pick<Receipt, 'createdAt' | 'isFoundLater'> | null> {
  const height = heightOf(entry);
  if (height === 0 || (before && !before.isFoundLater)) return null;
  return { createdAt: await likelyTime(tx, height), isFoundLater: true };
}

function newReceipt({ inputs }: Transaction, txid: string): Receipt {
  return {
    txid,
    satoshis: 0n,
    address: '',
    createdAt: Date.now(),
    height: null,
    unconfirmed: 1,
    spends: inputs.slice(0, MOST_SPENDS).map((input) => outpoint(input.txid, input.vout)),
  };
}

/**
 * The coin of ours that an input spends, or null where that output is not ours. What was fetched for it is kept, so that
 * a transaction which spends thousands is read on where a refresh ends.
 * @param isSigned checks signatures of the transaction that spends it
 * @throws ServiceError `invalid-proof` (the index has no such transaction), `network-unavailable`
 */
async function spentCoin(
  info: NetworkInfo,
  work: Work,
  isSigned: (coin: Input) => boolean,
  { input, own }: OwnInput,
): Promise<Pick<Coin, 'txid' | 'vout' | 'script' | 'satoshis' | 'chain' | 'index'> | null> {
  const key = outpoint(input.txid, input.vout);
  // Nobody else can sign for it, and no node takes it otherwise.
  const signed = <C extends Input>(coin: C): C => {
    if (!isSigned(coin)) throw new ServiceError('invalid-proof', { detail: 'nobody signed it' });
    return coin;
  };
  const known = await (await database()).get('coins', key);
  if (known) return addressScriptOf(fromHex(known.script)) === own.script ? signed(known) : null;
  if (!work.transactions.left) throw new ServiceError('network-unavailable', { detail: 'no requests left' });
  const output = (await work.transaction(info, input.txid))?.outputs[input.vout];
  if (!output) throw new ServiceError('invalid-proof', { detail: 'an output that the index does not have' });
  if (addressScriptOf(output.lockingScript) !== own.script) return null;
  const { chain, index } = own;
  const script = toHex(output.lockingScript);
  const coin = signed({ txid: input.txid, vout: input.vout, satoshis: output.satoshis, script, chain, index });
  await inTransaction(async (tx) => {
    if ((await tx.objectStore('coins').getKey(key)) !== undefined) return;
    await putCoin(tx, { ...coin, outpoint: key, status: 'spent', paymentId: null, height: null, depth: 1, seen: true });
  });
  return coin;
}

/** Did a payment of this wallet make it? That one has its own row. */
async function isOwnPayment(tx: WriteTransaction, txid: string, inputs: readonly OwnInput[]): Promise<boolean> {
  const [first] = inputs;
  if (!first) return false;
  const payments = tx.objectStore('payments').index('input');
  const spending = await payments.getAll(outpoint(first.input.txid, first.input.vout));
  return spending.some(({ signed }) => signed?.txid === txid);
}

/** Shows that its amount is not known, where it is known to be there at all, and tries it again later. */
async function noteUnverified(entry: HistoryEntry): Promise<void> {
  await inTransaction(async (tx) => {
    await tx.objectStore('history').put(putOff(entry));
    const receipt = await tx.objectStore('receipts').get(entry.txid);
    if (receipt?.reading === 'waiting')
      await tx.objectStore('receipts').put({
        ...receipt,
        reading: 'unverified',
        ...(await foundLater(tx, entry, receipt)),
      });
  });
  announceChange();
}
