/** Updates the stored coins when the network reports them as found, confirmed or spent. */
import { database, inTransaction, readTransaction, type WriteTransaction } from '../store/database.ts';
import { fromHex } from '../../protocol/bitcoin/bytes.ts';
import { totalsIn, ranks } from './choose.ts';
import {
  ONE_SAT_TIER,
  outpoint,
  UNFOUND,
  type Block,
  type Coin,
  changesStatus,
  moveCoin,
  type CoinMove,
  type BalanceTotals,
} from './coin.ts';
import { readLater } from './history.ts';
import { likelyTime } from './likely-time.ts';
import { restoreReceipt } from './gone.ts';
import { heldBy, isOnNetwork, liveMakers, moveOfShown, reservedIn } from './holder.ts';
import { isUnfound, markSeen, addressScriptOf } from './addresses/records.ts';
import { afterShown, announceShown } from './shown.ts';
import type { PriceThen, Receipt } from './receipts/receipt.ts';
import { OWN } from '../sites/site.ts';
import { getPayment, lightMaking } from '../payments/store.ts';
import { getReceipt, hasReceipt, putReceipt, putMoved } from './receipts/receipts.ts';
import { isInChain } from '../chain/headers/store.ts';
import { addCoin, amendCoin, changeCoin } from './records.ts';
import type { Wallet } from '../platform.ts';

/** Counts the one-satoshi coins, which may carry tokens. */
export async function countOneSatCoins(wallet: Wallet): Promise<number> {
  return (await database(wallet)).countFromIndex('coins', 'rank', ranks(wallet, ONE_SAT_TIER, 0n));
}

/** Adds coins to the balance if a restore would now find them, because the gap before their address was closed. */
export async function countFound(wallet: Wallet): Promise<void> {
  const unfound = await (await database(wallet)).getAllFromIndex('coins', 'rank', ranks(wallet, UNFOUND, 0n));
  if (unfound.length === 0) return;
  await inTransaction(wallet, async (tx) => {
    for (const { outpoint: key } of unfound) {
      const { isUnfound: was, ...coin } = (await tx.objectStore('coins').get(key)) as Coin;
      if (was && !(await isUnfound(wallet, tx, coin))) await amendCoin(tx, coin, {});
    }
  });
}

export async function balance(wallet: Wallet): Promise<BalanceTotals> {
  return totalsIn(readTransaction(await database(wallet)));
}

/** Maximum number of coins per address that are searched for the payment that spent them. */
const MAX_SPENT_COINS = 50;

/** A coin that the index reported and whose transaction was checked. */
export type FoundCoin = Pick<Coin, 'txid' | 'vout' | 'satoshis' | 'script' | 'chain' | 'index'> & { address: string };

/**
 * Stores coins found on the network. The wallet's payments determine the status of known coins
 * (wallet/coins/holder.ts). A coin that no payment holds becomes available. A transaction that the wallet's payments
 * didn't create becomes a receipt.
 * @param spends outpoints that the transaction spends
 * @param mayPay true if an input contains one of the wallet's keys. Reading the transaction
 * (wallet/scan/history/history.ts) then shows whether another wallet with the same recovery words made it, and what it
 * paid
 * @param height block height reported by the index; 0 if unconfirmed
 * @param priceThen the current price, if the index reports that the transaction has just arrived
 * @returns the number of new coins
 */
export async function addFoundCoins(
  wallet: Wallet,
  found: readonly FoundCoin[],
  spends: string[],
  mayPay = false,
  height = 0,
  priceThen: PriceThen | null = null,
): Promise<number> {
  let isWatched = false;
  const count = await inTransaction(wallet, async (tx) => {
    const coins = tx.objectStore('coins');
    let added = 0;
    // Runs once per transaction, because restoring a failed transaction reads all of its coins, which may be thousands.
    for (const txid of new Set(found.map((one) => one.txid))) {
      if ((await getReceipt(tx, txid))?.failed) await restoreReceipt(wallet, tx, txid);
      if (await announceShown(wallet, tx, txid)) isWatched = true;
    }
    const reserved = reservedIn(tx);
    for (const { address, ...coin } of found) {
      const key = outpoint(coin.txid, coin.vout);
      const known = await coins.get(key);
      await markSeen(wallet, tx, addressScriptOf(fromHex(coin.script)) ?? coin.script);
      if (known) {
        const move = await moveOfShown(tx, known, reserved);
        if (move && (!known.seen || changesStatus(known, move))) await changeCoin(tx, { ...known, seen: true }, move);
        else if (!known.seen) await amendCoin(tx, known, { seen: true });
        // A coin that another browser had already spent when the wallet found it has no receipt.
        const isOfReceipt = known.height === null && (await lightMaking(tx, coin.txid)).length === 0;
        if (!isOfReceipt || (await hasReceipt(tx, coin.txid))) continue;
      } else {
        added += 1;
        const fresh: Coin = {
          ...coin,
          outpoint: key,
          status: 'available',
          paymentId: null,
          height: null,
          depth: 1,
          seen: true,
          ...((await isUnfound(wallet, tx, coin)) && { isUnfound: true }),
        };
        const held = await heldBy(tx, fresh, reserved);
        await addCoin(tx, held ? moveCoin(fresh, held) : fresh);
      }
      const receipt: Receipt = (await getReceipt(tx, coin.txid)) ?? {
        txid: coin.txid,
        satoshis: 0n,
        address,
        createdAt: height > 0 ? await likelyTime(wallet, tx, height) : wallet.now(),
        ...(height > 0 && { isFoundLater: true as const }),
        height: null,
        unconfirmed: 1 as const,
        ...(priceThen && !mayPay && { priceThen }),
        ...(mayPay ? { reading: 'waiting' as const } : await refundAt(wallet, tx, coin)),
      };
      if (receipt.reading !== undefined) await readLater(tx, coin.txid);
      await putReceipt(tx, {
        ...receipt,
        spends: receipt.spends ?? spends,
        satoshis: receipt.satoshis + (receipt.reading === undefined ? coin.satoshis : 0n),
      });
    }
    return added;
  });
  if (isWatched) afterShown(wallet);
  return count;
}

/** Time within which incoming money can count as a refund (milliseconds): 90 days. */
const REFUNDED_WITHIN_MS = 90 * 24 * 3600_000;

/** Returns the latest payment whose first input was at this coin's address, because refunds are sent there. */
async function refundAt(
  wallet: Wallet,
  tx: WriteTransaction,
  { script }: Pick<FoundCoin, 'script'>,
): Promise<Pick<Receipt, 'refundOf'>> {
  const since = wallet.now() - REFUNDED_WITHIN_MS;
  const spent = await tx.objectStore('coins').index('script').getAll(script, MAX_SPENT_COINS);
  const ids = new Set(spent.flatMap(({ status, paymentId }) => (status === 'spent' && paymentId ? paymentId : [])));
  const payments = await Promise.all([...ids].map((id) => getPayment(tx, id)));
  const outpoints = new Set(spent.map((coin) => coin.outpoint));
  const [latest] = payments
    .filter((one) => one !== undefined)
    .filter(({ signed, cancel, createdAt }) => outpoints.has(signed?.inputs[0] ?? '') && !cancel && createdAt >= since)
    .toSorted((a, b) => b.createdAt - a.createdAt);
  if (!latest) return {};
  const { id, origin, quote } = latest;
  return { refundOf: { id, origin: origin === OWN ? null : origin, to: quote.outputs[0]?.to ?? '' } };
}

/** Returns the event that corrects a coin's status if it contradicts the payments, otherwise null. */
async function moveOfStray(
  tx: WriteTransaction,
  coin: Coin,
  reserved: ReturnType<typeof reservedIn>,
): Promise<CoinMove | null> {
  const held = await heldBy(tx, coin, reserved);
  if (coin.status === 'reserved') return held ? null : { event: 'release', free: 'available' };
  if (coin.status !== 'pending' || held) return held;
  const makers = await liveMakers(tx, coin);
  if (makers.length === 0) return { event: 'void' };
  return makers.every(isOnNetwork) && !coin.isUnproven ? { event: 'accept' } : null;
}

/** Confirms the coins and the receipt of a transaction after its proof has been checked. */
export async function confirmTransaction(wallet: Wallet, txid: string, block: Block): Promise<void> {
  await inTransaction(wallet, (tx) => placeInBlock(wallet, tx, txid, block));
}

/** Confirms a transaction. Returns false, without changes, if the block was replaced. */
export async function placeInBlock(
  wallet: Wallet,
  tx: WriteTransaction,
  txid: string,
  { hash, height, time }: Block,
): Promise<boolean> {
  if (!(await isInChain(tx, hash))) return false;
  await restoreReceipt(wallet, tx, txid);
  for (const coin of await tx.objectStore('coins').index('txid').getAll(txid)) {
    await amendCoin(tx, coin, { height, depth: 0, seen: true });
    await markSeen(wallet, tx, addressScriptOf(fromHex(coin.script)) ?? coin.script);
  }
  const receipt = await getReceipt(tx, txid);
  if (receipt) {
    const { priceThen, ...rest } = receipt;
    const isOfThen = priceThen && priceThen.time <= time * 1000 + BLOCK_CLOCK_MS;
    // A restored wallet finds transactions long after they were mined, so the time of discovery isn't used.
    const createdAt = receipt.isFoundLater ? time * 1000 : Math.min(receipt.createdAt, time * 1000);
    await putMoved(tx, { ...rest, ...(isOfThen && { priceThen }), createdAt }, { event: 'confirm', height });
  }
  return true;
}

/**
 * How far a block's timestamp can lag behind the actual time (milliseconds). A price recorded later than that isn't the
 * price on arrival.
 */
const BLOCK_CLOCK_MS = 2 * 3600_000;

/**
 * Marks coins that the network reports as spent by another wallet with the same recovery words, unless one of this
 * wallet's payments spends them. Skips coins that are neither available nor gone, because payments determine their
 * status.
 */
export async function markSpentElsewhere(wallet: Wallet, outpoints: readonly string[]): Promise<void> {
  await inTransaction(wallet, (tx) => setSpentElsewhere(tx, outpoints));
}

/** Like {@link markSpentElsewhere}, within the caller's database transaction. */
export async function setSpentElsewhere(tx: WriteTransaction, outpoints: readonly string[]): Promise<void> {
  const reserved = reservedIn(tx);
  for (const key of outpoints) {
    const coin = await tx.objectStore('coins').get(key);
    if (coin?.status !== 'available' && coin?.status !== 'gone') continue;
    await changeCoin(tx, coin, (await heldBy(tx, coin, reserved)) ?? { event: 'spend-elsewhere' });
  }
}

/**
 * Corrects reserved and pending coins that the index doesn't list. They become available if no payment holds them, and
 * void if no payment creates them.
 * @returns true if any coin was corrected
 */
export async function freeStray(wallet: Wallet, coins: readonly Coin[]): Promise<boolean> {
  const claimed = coins.filter(({ status }) => status === 'reserved' || status === 'pending');
  if (claimed.length === 0) return false;
  return inTransaction(wallet, async (tx) => {
    let count = 0;
    const reserved = reservedIn(tx);
    for (const { outpoint: key } of claimed) {
      const coin = await tx.objectStore('coins').get(key);
      const move = coin && (await moveOfStray(tx, coin, reserved));
      if (!move) continue;
      await changeCoin(tx, coin, move);
      count += 1;
    }
    return count > 0;
  });
}

/** Maximum number of one-satoshi coins checked for tokens, separately for available and pending coins. */
export const MAX_ONE_SAT_COINS = 2000;

/** Returns the one-satoshi coins that can be spent now, and those of the wallet's pending transactions. */
export async function oneSatCoins(wallet: Wallet): Promise<Coin[]> {
  const index = (await database(wallet)).transaction('coins').store.index('rank');
  const of = (status: string) =>
    index.getAll(
      wallet.keyRange.bound([status, ONE_SAT_TIER, 0], [status, ONE_SAT_TIER, Number.POSITIVE_INFINITY]),
      MAX_ONE_SAT_COINS,
    );
  return [...(await of('available')), ...(await of('pending'))];
}
