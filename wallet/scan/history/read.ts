/**
 * Reads the transactions that the index reports as payments to the wallet. Each one is read only once, for all of its
 * outputs.
 */
import { toHex } from '../../../protocol/bitcoin/bytes.ts';
import { ServiceError } from '../../../protocol/errors/service-error.ts';
import type { Transaction } from '../../../protocol/bitcoin/transaction.ts';
import { priceNow } from '../../chain/rates.ts';
import type { Unspent } from '../../chain/whats-on-chain.ts';
import { outpoint, type Coin, changesStatus } from '../../coins/coin.ts';
import { MAX_SPENT_OUTPOINTS } from '../../coins/receipts/receipt.ts';
import { getReceipt } from '../../coins/receipts/receipts.ts';
import { announceRival } from '../../coins/shown.ts';
import { addFoundCoins, type FoundCoin } from '../../coins/coin-store.ts';
import { idMaking } from '../../payments/store.ts';
import { database, inTransaction, readTransaction as fromStore } from '../../store/database.ts';
import { walletEffectOf } from './wallet-effect.ts';
import type { Work } from '../work.ts';
import { announceChange } from '../../events.ts';
import type { NetworkInfo } from '../../chain/network-info.ts';
import type { Address } from '../../coins/addresses/address.ts';
import type { Unreadable } from './progress.ts';
import { getCoin, readCoins } from '../../coins/records.ts';
import { moveOfShown, reservedIn } from '../../coins/holder.ts';
import type { Wallet } from '../../platform.ts';

/** Maximum number of coins stored per database transaction, so other database transactions aren't blocked for long. */
const COINS_PER_WRITE = 500;
/**
 * Delay before the second retry of an unreadable transaction (milliseconds), doubled each time. The first retry is
 * immediate.
 */
const FIRST_WAIT_MS = 60_000;
/** Maximum delay before a retry (milliseconds). */
const MAX_WAIT_MS = 24 * 3600_000;

/** Maximum number of missing transactions that are requested for each listed one. */
const MAX_MISSING_ANCESTORS = 50;

/** An unspent output of one of the wallet's addresses, as reported by the index. */
export type Claim = Unspent & { own: Address };

/** Returns the claims for new coins, coins listed for the first time, and coins whose status changes. */
export async function newClaims<C extends Pick<Claim, 'txid' | 'vout'>>(
  wallet: Wallet,
  claims: readonly C[],
): Promise<C[]> {
  const known = await readCoins(
    wallet,
    claims.map(({ txid, vout }) => outpoint(txid, vout)),
  );
  const held = new Set<string>();
  const inQuestion = known.filter((coin) => coin !== undefined && coin.status !== 'available');
  if (inQuestion.length > 0)
    await inTransaction(wallet, async (tx) => {
      const reserved = reservedIn(tx);
      for (const coin of inQuestion as Coin[])
        if (!changesStatus(coin, await moveOfShown(tx, coin, reserved))) held.add(coin.outpoint);
    });
  return claims.filter((_, i) => {
    const coin = known[i];
    return !coin || !coin.seen || (coin.status !== 'available' && !held.has(coin.outpoint));
  });
}

/**
 * Reads the claimed transactions within the refresh's budget: new ones first, then retries that are due. Records those
 * that weren't read in `work.unread`.
 * @param failed earlier failures by txid; modified
 * @returns the number of new coins
 */
export async function readClaims(
  wallet: Wallet,
  info: NetworkInfo,
  claims: readonly Claim[],
  failed: Map<string, Unreadable>,
  work: Work,
): Promise<number> {
  const byTransaction = new Map<string, Claim[]>();
  for (const claim of await newClaims(wallet, claims))
    byTransaction.set(claim.txid, [...(byTransaction.get(claim.txid) ?? []), claim]);
  const tries = (txid: string) => failed.get(txid)?.tries ?? 0;
  let added = 0;
  for (const [txid, some] of [...byTransaction].sort(([a], [b]) => tries(a) - tries(b))) {
    const mayAsk = work.transactions.left && !work.isOver && (failed.get(txid)?.nextAt ?? 0) <= wallet.now();
    const fault =
      mayAsk &&
      (await work.passingOver(async () => {
        const transaction = await work.transaction(info, txid);
        if (transaction) await announceMissing(wallet, info, work, transaction);
        const found = await readTransaction(wallet, transaction, txid, some);
        added += found.added;
        if (!found.isWhole) throw new ServiceError('invalid-proof', { detail: 'another output' });
      }));
    if (fault === null) {
      failed.delete(txid);
      work.unread.delete(txid);
      continue;
    }
    if (fault) failed.set(txid, failedAgain(wallet, txid, tries(txid) + 1));
    work.unread.set(txid, new Set([...(work.unread.get(txid) ?? []), ...some.map(({ own }) => own.script)]));
  }
  return added;
}

/** Returns the delay before the next attempt (milliseconds), after two or more failures. */
export const waitAfter = (tries: number): number => Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.max(tries - 2, 0));

function failedAgain(wallet: Wallet, txid: string, tries: number): Unreadable {
  return {
    txid,
    tries,
    nextAt: tries === 1 ? 0 : wallet.now() + waitAfter(tries),
  };
}

/**
 * Announces the missing transactions that a listed one depends on, because they exist after all. The index doesn't list
 * them if all of their outputs to the wallet are spent, although they may be rivals.
 */
async function announceMissing(wallet: Wallet, info: NetworkInfo, work: Work, listed: Transaction): Promise<void> {
  const found = new Set<string>();
  const transactions = [listed];
  for (const transaction of transactions)
    for (const txid of await missingParents(wallet, transaction)) {
      if (found.size >= MAX_MISSING_ANCESTORS) return;
      if (found.has(txid)) continue;
      found.add(txid);
      const missing = await work.transaction(info, txid);
      if (!missing) continue;
      transactions.push(missing);
      await announceRival(wallet, txid, missing);
    }
}

/** Returns the IDs of parents made by other browsers that were dropped, or that the index has never listed itself. */
async function missingParents(wallet: Wallet, { inputs }: Transaction): Promise<Set<string>> {
  const tx = fromStore(await database(wallet));
  const missing = new Set<string>();
  for (const { txid, vout } of inputs) {
    const receipt = await getReceipt(tx, txid);
    const coin = receipt ? undefined : await getCoin(tx, outpoint(txid, vout));
    const isUnlisted = coin?.height === null && (await idMaking(tx, txid)) === undefined;
    if (receipt?.failed === 'dropped' || isUnlisted) missing.add(txid);
  }
  return missing;
}

/** Stores the claimed coins that really exist. `isWhole` is false if some don't. */
async function readTransaction(
  wallet: Wallet,
  transaction: Transaction | null,
  txid: string,
  claims: readonly Claim[],
): Promise<{ added: number; isWhole: boolean }> {
  if (!transaction) return { added: 0, isWhole: false };
  const isThere = ({ vout, satoshis, own }: Claim): boolean => {
    const output = transaction.outputs[vout];
    return output !== undefined && output.satoshis === satoshis && toHex(output.lockingScript) === own.script;
  };
  const coins = claims.filter(isThere).map(({ vout, satoshis, own }): FoundCoin => ({
    txid,
    vout,
    satoshis,
    script: own.script,
    chain: own.chain,
    index: own.index,
    address: own.address,
  }));
  const mayPay = (await walletEffectOf(wallet, transaction)).inputs.length > 0;
  const spends = transaction.inputs.slice(0, MAX_SPENT_OUTPOINTS).map((input) => outpoint(input.txid, input.vout));
  const height = claims.reduce((highest, one) => Math.max(highest, one.height), 0);
  // The index reports it as unconfirmed, so the payment is just arriving.
  const isArriving = !mayPay && coins.length > 0 && height <= 0;
  const price = isArriving ? await priceNow(wallet) : null;
  if (coins.length > 0) await announceRival(wallet, txid, transaction);
  let added = 0;
  for (let i = 0; i < coins.length; i += COINS_PER_WRITE)
    added += await addFoundCoins(wallet, coins.slice(i, i + COINS_PER_WRITE), spends, mayPay, height, price);
  if (added > 0) announceChange(wallet);
  return { added, isWhole: coins.length === claims.length };
}
