/**
 * Marks incoming payments as failed if the network drops them or a mined transaction double-spends them, and restores
 * them if they turn out to be valid.
 */
import { database, inTransaction, type WriteTransaction, readTransaction } from '../store/database.ts';
import type { Failure, LostTo, Receipt } from './receipts/receipt.ts';
import { heldBy, isLive } from './holder.ts';
import { markSpenders } from './unproven.ts';
import { markSeen, settleAddress, addressScriptOf } from './addresses/records.ts';
import type { Coin } from './coin.ts';
import { fromHex } from '../../protocol/bitcoin/bytes.ts';
import { changeReceipt, getReceipt, putReceipt, receiptsUnconfirmed, putMoved } from './receipts/receipts.ts';
import { headerAt, isInChain } from '../chain/headers/store.ts';
import { lightMaking } from '../payments/store.ts';
import { changeCoin } from './records.ts';
import type { Wallet } from '../platform.ts';

/**
 * Removes an incoming payment from the balance and marks its receipt, in one database transaction. Coins spent by one
 * of the wallet's payments remain assigned to that payment, because it can't be mined without them
 * (wallet/payments/network/double-spend-check.ts). That payment's change no longer counts. Incoming payments that spend
 * outputs of a dropped transaction are also dropped. Does nothing if the transaction is confirmed, or the block that
 * contains the double spend was replaced.
 */
export async function markFailed(
  wallet: Wallet,
  txid: string,
  failed: Failure,
  look: NonNullable<Receipt['look']>,
  lostTo?: LostTo,
): Promise<void> {
  await inTransaction(wallet, async (tx) => {
    const receipt = await getReceipt(tx, txid);
    if (!receipt || receipt.height !== null) return;
    if (lostTo && !(await isInChain(tx, lostTo.hash))) return;
    if (receipt.failed !== failed || receipt.look?.at !== look.at)
      await putMoved(tx, receipt, failed === 'dropped' ? { event: 'drop', look } : { event: 'lose', look, lostTo });
    await removeCoins(wallet, tx, receipt);
    if (!receipt.failed && failed === 'dropped') await dropExcluded(wallet, tx, [], [txid]);
  });
}

/**
 * Removes the coins of a failed transaction from the balance, and the change of payments that depend on them. If it has
 * just failed, the change of payments that spend the same coins counts again.
 * @param receipt its receipt before it failed
 */
async function removeCoins(
  wallet: Wallet,
  tx: WriteTransaction,
  { txid, spends = [], failed }: Receipt,
): Promise<void> {
  const coins = await tx.objectStore('coins').index('txid').getAll(txid);
  for (const coin of coins) if (coin.status === 'available') await changeCoin(tx, coin, { event: 'vanish' });
  for (const script of scriptsOf(coins)) await settleAddress(wallet, tx, script);
  await markSpenders(tx, [...coins.map(outpointOf), ...(failed ? [] : spends)]);
}

/**
 * Marks incoming transactions as dropped that spend one of the given outpoints, or an output of such a transaction,
 * because the index lists a payment that spends these outpoints. If the index lists them again, they are restored.
 * @param excluded IDs of other transactions that the payment excludes
 */
export async function dropExcluded(
  wallet: Wallet,
  tx: WriteTransaction,
  outpoints: readonly string[],
  excluded: Iterable<string>,
): Promise<void> {
  const [spent, gone] = [new Set(outpoints), new Set(excluded)];
  const isExcluded = ({ txid, spends = [] }: Receipt) =>
    gone.has(txid) || spends.some((key) => spent.has(key) || gone.has(txidIn(key)));
  const open = (await receiptsUnconfirmed(tx)).filter(({ failed }) => !failed);
  for (let found = open.filter(isExcluded); found.length > 0; found = open.filter(isExcluded))
    for (const receipt of found) {
      open.splice(open.indexOf(receipt), 1);
      gone.add(receipt.txid);
      await putMoved(tx, receipt, { event: 'drop', look: newLook(wallet, receipt) });
      await removeCoins(wallet, tx, receipt);
    }
}

const newLook = ({ now }: Wallet, { look }: Receipt): NonNullable<Receipt['look']> =>
  look ?? { at: now(), unknown: 0, since: now() };

/**
 * Returns the first outpoint of a transaction that lost to a mined double spend, with the winning transaction. The
 * transaction is incoming money or a payment. Null if there is none.
 */
export async function lostCoin(
  wallet: Wallet,
  outpoints: readonly string[],
): Promise<(LostTo & { outpoint: string }) | null> {
  const tx = readTransaction(await database(wallet));
  for (const outpoint of outpoints) {
    const receipt = await getReceipt(tx, txidIn(outpoint));
    if (receipt?.failed === 'double-spent' && receipt.lostTo) return { ...receipt.lostTo, outpoint };
    const [{ ended } = {}] = await lightMaking(tx, txidIn(outpoint));
    const block = ended && (await headerAt(tx, ended.height));
    if (block) return { txid: ended.txid, height: ended.height, hash: block.hash, outpoint };
  }
  return null;
}

/** An outpoint that must be spent by the transaction `by` for a payment to be mined, through the payment's input `input`. */
export interface Needed {
  outpoint: string;
  by: string;
  input: string;
}

/** Maximum number of outpoints that {@link neededBy} returns in addition to a payment's inputs. */
const MAX_NEEDED = 200;

/** Returns a payment's inputs, and the outpoints spent by those of its ancestors that are dropped incoming transactions. */
export async function neededBy(
  wallet: Wallet,
  { txid, inputs }: { txid: string; inputs: readonly string[] },
): Promise<Needed[]> {
  const tx = readTransaction(await database(wallet));
  const needed: Needed[] = inputs.map((input) => ({ outpoint: input, by: txid, input }));
  const read = new Set<string>();
  for (const { outpoint, input } of needed) {
    const by = txidIn(outpoint);
    if (read.has(by)) continue;
    read.add(by);
    const receipt = await getReceipt(tx, by);
    if (receipt?.failed !== 'dropped') continue;
    const room = inputs.length + MAX_NEEDED - needed.length;
    for (const earlier of (receipt.spends ?? []).slice(0, room)) needed.push({ outpoint: earlier, by, input });
  }
  return needed;
}

const txidIn = (outpoint: string) => outpoint.split(':')[0] as string;

/** True if an incoming transaction was dropped or double-spent. */
export async function isFailed(tx: WriteTransaction, txid: string): Promise<boolean> {
  return (await getReceipt(tx, txid))?.failed !== undefined;
}

/**
 * Restores incoming payments that were double-spent in blocks above a height. If the winning transaction is one of the
 * wallet's payments or also pays the wallet, it still counts, so the losing one is restored only once the index lists it.
 */
export async function restoreAbove(wallet: Wallet, tx: WriteTransaction, height: number): Promise<void> {
  for (const receipt of await receiptsUnconfirmed(tx)) {
    const { txid, lostTo } = receipt;
    if (!lostTo || lostTo.height <= height) continue;
    if (await counts(tx, lostTo.txid)) await putMoved(tx, receipt, { event: 'drop', look: newLook(wallet, receipt) });
    else await restoreReceipt(wallet, tx, txid);
  }
}

/** True if a transaction's outputs to the wallet count: it is a live payment, or an incoming one that hasn't failed. */
async function counts(tx: WriteTransaction, txid: string): Promise<boolean> {
  const receipt = await getReceipt(tx, txid);
  return receipt ? !receipt.failed : (await lightMaking(tx, txid)).some(isLive);
}

/** Stores the time and result of a check that didn't change the receipt's state. */
export async function recordCheck(wallet: Wallet, txid: string, look: NonNullable<Receipt['look']>): Promise<void> {
  await inTransaction(wallet, (tx) => changeReceipt(tx, txid, (receipt) => ({ ...receipt, look })));
}

/** Restores an incoming payment, because its transaction exists after all. */
export async function restoreReceipt(wallet: Wallet, tx: WriteTransaction, txid: string): Promise<void> {
  const all = await tx.objectStore('coins').index('txid').getAll(txid);
  const coins = all.filter(({ status }) => status === 'gone');
  for (const coin of coins)
    await changeCoin(tx, { ...coin, seen: true }, (await heldBy(tx, coin)) ?? { event: 'return' });
  for (const script of scriptsOf(all)) await markSeen(wallet, tx, script);
  const receipt = await getReceipt(tx, txid);
  if (receipt?.failed) {
    await putMoved(tx, receipt, { event: 'return' });
    // It may be the rival of payments that spend the same coins, whose change then doesn't count.
    await markSpenders(tx, [...all.map(outpointOf), ...(receipt.spends ?? [])]);
  } else if (receipt?.look) {
    const { look, ...rest } = receipt;
    await putReceipt(tx, rest);
  }
}

const outpointOf = ({ outpoint }: Coin) => outpoint;
const scriptsOf = (coins: readonly Coin[]) =>
  new Set(coins.map(({ script }) => addressScriptOf(fromHex(script)) ?? script));
