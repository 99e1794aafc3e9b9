/**
 * Restores a wallet's activity: the index lists the transactions for the wallet's addresses, and the wallet reads and
 * verifies each one, newest first. A refresh makes a limited number of requests, and the next one continues.
 */
import { fromHex, toHex } from '../../../protocol/bitcoin/bytes.ts';
import { ServiceError } from '../../../protocol/errors/service-error.ts';
import type { Transaction } from '../../../protocol/bitcoin/transaction.ts';
import { followChain } from '../../chain/headers/follow.ts';
import type { NetworkInfo } from '../../chain/network-info.ts';
import { provenBlock } from '../../chain/headers/spv.ts';
import { ADDRESSES_PER_REQUEST } from '../../chain/whats-on-chain.ts';
import { historyOf, historyOfMany, type HistoricTransaction } from '../../chain/address-histories.ts';
import { addressScriptOf } from '../../coins/addresses/records.ts';
import { addressesBetween, nextUnused } from '../../coins/addresses/addresses.ts';
import { outpoint, type Block, type Coin } from '../../coins/coin.ts';
import { announceRival } from '../../coins/shown.ts';
import {
  countToRead,
  countUntried,
  heightOf,
  NEWEST,
  nextToRead,
  readLater,
  forgetToRead,
  readAgain,
} from '../../coins/history.ts';
import type { HistoryEntry } from '../../coins/history-entry.ts';
import { likelyTime } from '../../coins/likely-time.ts';
import { MAX_SPENT_OUTPOINTS, type Receipt } from '../../coins/receipts/receipt.ts';
import { placeInBlock, setSpentElsewhere } from '../../coins/coin-store.ts';
import { inTransaction, readKey, writeKey, type WriteTransaction } from '../../store/database.ts';
import { announceChange } from '../../events.ts';
import type { Input } from '../../transaction/input.ts';
import { unlocksOf } from '../../transaction/unlocks.ts';
import { CHAINS } from '../../keys/keys.ts';
import { effectOf, walletEffectOf, type WalletInput } from './wallet-effect.ts';
import { Budget, type Work } from '../work.ts';
import { addOwnOutputs, paymentMaking } from '../../payments/store.ts';
import { hasCoin, readCoin, addCoin } from '../../coins/records.ts';
import { deleteReceipt, getReceipt, putReceipt } from '../../coins/receipts/receipts.ts';
import { heldTip } from '../../chain/headers/store.ts';
import type { Wallet } from '../../platform.ts';

/**
 * Listing pauses while this many transactions are waiting to be read, because an index can return arbitrarily long
 * lists.
 */
const MAX_UNREAD_TRANSACTIONS = 20_000;

/** Lists and reads as much as the refresh's budget allows. An error affects only one address or transaction. */
export async function readHistory(wallet: Wallet, info: NetworkInfo, work: Work): Promise<void> {
  await listHistory(wallet, info, work);
  // Estimating a block's time requires at least one header.
  if (!(await heldTip(wallet))) await work.passingOver(() => followChain(wallet, info));
  const passed = new Set<string>();
  const proofs = new Budget(100);
  while (work.transactions.left && proofs.left && !work.isOver) {
    const entry = await nextToRead(wallet, passed);
    if (!entry) return;
    passed.add(entry.txid);
    const fault = await work.passingOver(() => readEntry(wallet, info, work, proofs, entry));
    // If the budget ran out, the entry simply waits for the next refresh.
    if (fault && work.transactions.left && !work.isOver) await noteUnverified(wallet, entry);
  }
}

/** True if there is more to list or read, in which case the next refresh should come soon. */
export async function isHistoryUnfinished(wallet: Wallet): Promise<boolean> {
  const { listed = true } = (await readKey(wallet, 'history')) ?? {};
  return !listed || (await countUntried(wallet)) > 0;
}

/** Returns the number of transactions that are still to be listed or read; null if there are none. */
export async function historyLeft(wallet: Wallet): Promise<number | null> {
  const { listed = true } = (await readKey(wallet, 'history')) ?? {};
  const left = await countToRead(wallet);
  return listed && left === 0 ? null : left;
}

/** True if the activity may permanently lack transactions of an address, because the wallet doesn't list all of them. */
export const isHistoryCut = async (wallet: Wallet): Promise<boolean> =>
  (await readKey(wallet, 'history'))?.isCut === true;

/** Requests the history of each used address, starting with the last address on each chain. */
async function listHistory(wallet: Wallet, info: NetworkInfo, work: Work): Promise<void> {
  for (let at = await readKey(wallet, 'history'); at && !at.listed; at = await readKey(wallet, 'history')) {
    const cut = at.isCut && { isCut: true };
    const chain = at.next?.chain ?? CHAINS[0];
    const from = at.next?.from ?? (await nextUnused(wallet, chain)) - 1;
    if (from < 0) {
      const following = CHAINS[CHAINS.indexOf(chain) + 1];
      const top = following && { chain: following, from: (await nextUnused(wallet, following)) - 1 };
      await writeKey(wallet, 'history', { ...(top ? { listed: false, next: top } : { listed: true }), ...cut });
      continue;
    }
    if (!work.lists.left || work.isOver || (await countToRead(wallet)) >= MAX_UNREAD_TRANSACTIONS) return;
    const alone = at.next?.alone ?? 0;
    const first = alone > 0 ? from : Math.max(0, from + 1 - ADDRESSES_PER_REQUEST);
    const addresses = (await addressesBetween(wallet, chain, first, from)).map(({ address }) => address);
    let isWhole = false;
    const fault = await work.passingOver(async () => {
      if (alone === 0) work.lists.took(1);
      const history =
        alone > 0
          ? await historyOf(wallet, info.wocUrl, addresses[0] ?? '', () => work.lists.took(1))
          : await historyOfMany(wallet, info.wocUrl, addresses);
      await keepListed(wallet, history.transactions);
      isWhole = history.isWhole && history.transactions.length <= MAX_UNREAD_TRANSACTIONS;
    });
    // An unreachable index is queried again later. An invalid list is skipped, so it can't block the lists for other
    // addresses.
    if (fault?.code === 'network-unavailable') return;
    const isDone = isWhole || alone > 0;
    const next = isDone ? { from: first - 1, alone: Math.max(0, alone - 1) } : { from, alone: addresses.length };
    await writeKey(wallet, 'history', {
      listed: false,
      next: { chain, ...next },
      ...(isDone && !isWhole ? { isCut: true } : cut),
    });
  }
}

/** Queues transactions to be read, except those already read. Idempotent. */
async function keepListed(wallet: Wallet, found: readonly HistoricTransaction[]): Promise<void> {
  await inTransaction(wallet, async (tx) => {
    for (const { txid, height } of found.slice(0, MAX_UNREAD_TRANSACTIONS)) {
      if ((await getReceipt(tx, txid))?.reading !== 'done')
        await readLater(tx, txid, height > 0 ? Math.min(height, NEWEST - 1) : NEWEST);
    }
  });
}

/**
 * Reads one transaction and stores its effect on the wallet.
 * @throws ServiceError `invalid-proof` (the index doesn't have it or an output that it spends), `network-unavailable`
 */
async function readEntry(
  wallet: Wallet,
  info: NetworkInfo,
  work: Work,
  proofs: Budget,
  entry: HistoryEntry,
): Promise<void> {
  const { txid } = entry;
  const transaction = await work.transaction(info, txid);
  if (!transaction) throw new ServiceError('invalid-proof', { detail: 'the index lacks the transaction' });
  const own = await walletEffectOf(wallet, transaction);
  const lost: bigint[] = [];
  const spent: string[] = [];
  let block: Block | null = null;
  if (heightOf(entry) > 0) {
    proofs.took(1);
    await work.passingOver(async () => void (block = await provenBlock(wallet, info, txid)));
  }
  const isSigned = unlocksOf(transaction);
  for (const one of own.inputs) {
    // A mined spend is valid, even if the wallet can't verify its unlocking script.
    const coin = await spentCoin(wallet, info, work, (coin) => block !== null || isSigned(coin), one);
    if (!coin) continue; // the key is the wallet's, but the spent output isn't
    lost.push(coin.satoshis);
    spent.push(outpoint(coin.txid, coin.vout));
  }
  await inTransaction(wallet, async (tx) => {
    await forgetToRead(tx, txid);
    const payment = await paymentMaking(tx, txid); // the activity already lists it
    if (payment) {
      await addOwnOutputs(
        tx,
        payment,
        own.outputs.map(({ vout }) => outpoint(txid, vout)),
      );
      return deleteReceipt(tx, txid);
    }
    if (lost.length === 0 && own.outputs.length === 0) return;
    const before = await getReceipt(tx, txid);
    const { spent: _, ...kept } = before ?? newReceipt(wallet, transaction, txid);
    await putReceipt(tx, {
      ...kept,
      // The address of the wallet's first output or, if it has none, of its first input.
      address: (own.outputs[0]?.own ?? own.inputs[0]?.own)?.address ?? '',
      ...effectOf(transaction, own, lost, info.network),
      reading: 'done',
      unasked: 1,
      ...(await foundLater(wallet, tx, entry, before)),
    });
    // The index may list the transaction's change before it names the spender of its inputs. A failed one spends nothing.
    const isSpent = own.outputs.length > 0 && (block !== null || !before?.failed);
    if (isSpent) await setSpentElsewhere(tx, spent);
    if (block) await placeInBlock(wallet, tx, txid, block);
  });
  announceChange(wallet);
}

/** Returns the estimated time of a transaction that was already mined when first seen; otherwise null. */
async function foundLater(
  wallet: Wallet,
  tx: WriteTransaction,
  entry: HistoryEntry,
  before: Receipt | undefined,
): Promise<Pick<Receipt, 'createdAt' | 'isFoundLater'> | null> {
  const height = heightOf(entry);
  if (height === 0 || (before && !before.isFoundLater)) return null;
  return { createdAt: await likelyTime(wallet, tx, height), isFoundLater: true };
}

function newReceipt(wallet: Wallet, { inputs }: Transaction, txid: string): Receipt {
  return {
    txid,
    satoshis: 0n,
    address: '',
    createdAt: wallet.now(),
    height: null,
    unconfirmed: 1,
    spends: inputs.slice(0, MAX_SPENT_OUTPOINTS).map((input) => outpoint(input.txid, input.vout)),
  };
}

/**
 * Returns the wallet's coin that an input spends, or null if that output isn't the wallet's. Stores fetched coins so
 * that the next refresh can continue with a large transaction.
 * @param isSigned verifies the spending transaction's signature for a coin
 * @throws ServiceError `invalid-proof` (output unknown to the index, or invalid signature), `network-unavailable`
 */
async function spentCoin(
  wallet: Wallet,
  info: NetworkInfo,
  work: Work,
  isSigned: (coin: Input) => boolean,
  { input, own }: WalletInput,
): Promise<Pick<Coin, 'txid' | 'vout' | 'script' | 'satoshis' | 'chain' | 'index'> | null> {
  const key = outpoint(input.txid, input.vout);
  // Only the wallet can sign for its coin, and nodes reject unsigned spends.
  const signed = <C extends Input>(coin: C): C => {
    if (!isSigned(coin)) throw new ServiceError('invalid-proof', { detail: 'no valid signature' });
    return coin;
  };
  const known = await readCoin(wallet, key);
  if (known) return addressScriptOf(fromHex(known.script)) === own.script ? signed(known) : null;
  if (!work.transactions.left) throw new ServiceError('network-unavailable', { detail: 'no requests left' });
  const parent = await work.transaction(info, input.txid);
  const output = parent?.outputs[input.vout];
  if (!output) throw new ServiceError('invalid-proof', { detail: 'the index lacks the output' });
  if (addressScriptOf(output.lockingScript) !== own.script) return null;
  const { chain, index } = own;
  const script = toHex(output.lockingScript);
  const coin = signed({ txid: input.txid, vout: input.vout, satoshis: output.satoshis, script, chain, index });
  // The index lists no output of a transaction whose outputs to the wallet are all spent, although it may be a rival.
  await announceRival(wallet, input.txid, parent);
  await inTransaction(wallet, async (tx) => {
    if (await hasCoin(tx, key)) return;
    await addCoin(tx, { ...coin, outpoint: key, status: 'spent', paymentId: null, height: null, depth: 1, seen: true });
  });
  return coin;
}

/** Schedules a retry. Until then, the amount of a receipt that hasn't been read yet is shown as unknown. */
async function noteUnverified(wallet: Wallet, entry: HistoryEntry): Promise<void> {
  await inTransaction(wallet, async (tx) => {
    await readAgain(wallet, tx, entry);
    const receipt = await getReceipt(tx, entry.txid);
    if (receipt?.reading === 'waiting')
      await putReceipt(tx, {
        ...receipt,
        reading: 'unverified',
        ...(await foundLater(wallet, tx, entry, receipt)),
      });
  });
  announceChange(wallet);
}
