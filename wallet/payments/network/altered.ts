/**
 * Handles the wallet's payments and receipts that are mined under a different transaction ID because their unlocking
 * scripts were altered.
 */
import {
  normalizedTxidOf,
  parseTransactionHex,
  serializeTransaction,
  type Transaction,
} from '../../../protocol/bitcoin/transaction.ts';
import { toHex } from '../../../protocol/bitcoin/bytes.ts';
import { keyOf } from '../../app-log/entry.ts';
import { recordEntry } from '../../app-log/record.ts';
import { outputsOf, renameOutputs } from '../../baskets/altered.ts';
import type { AppOutput } from '../../baskets/app-output.ts';
import type { Header } from '../../chain/whats-on-chain.ts';
import { isSameReceipt, renameCoins, renameReceipt, type Altered } from '../../coins/altered.ts';
import { outpoint } from '../../coins/coin.ts';
import { placeInBlock } from '../../coins/coin-store.ts';
import type { WriteTransaction } from '../../store/database.ts';
import { unlocksOf } from '../../transaction/unlocks.ts';
import { decide, end, liveSpenders, markConflicted, mine, spendersOf } from './conflicts.ts';
import { isLive } from '../move.ts';
import type { PaymentRecord, SignedPart } from '../record.ts';
import { endWaiting } from './give-up.ts';
import { keepHeirsEnded, reviveHeirs } from './reorg.ts';
import { scheduleWork } from '../schedule.ts';
import { countMaking, getPayment, lightSpenders, putPayment } from '../store.ts';
import { coinsMadeBy, countCoinsMadeBy } from '../../coins/records.ts';
import { deleteReceipt, getReceipt } from '../../coins/receipts/receipts.ts';
import { isInChain } from '../../chain/headers/store.ts';
import { getLogged, loggedOf, putLogged } from '../../app-log/records.ts';
import type { Wallet } from '../../platform.ts';

/** A mined transaction that spends one of a payment's inputs. */
interface Conflict {
  outpoint: string;
  spender: string;
  /** Null if it conflicts with the payment's parent. */
  transaction: Transaction | null;
  block: Header;
}

/**
 * Ends a payment because its rival is mined. If the rival is one of the wallet's payments with altered unlocking
 * scripts, such as the payment that this one replaces, moves its coins and the application's outputs and action to the
 * new ID, in one database transaction. Payments that spend outputs of the old ID then fail.
 */
export async function noteRival(wallet: Wallet, id: string, rival: Conflict): Promise<void> {
  if (rival.transaction && (await followPayment(wallet, rival.transaction, rival))) return;
  await markConflicted(wallet, id, rival.outpoint, rival.spender, rival.block, rival.transaction);
}

/** @returns false if the rival's block is in the chain, but contains none of the wallet's payments under a new ID */
async function followPayment(
  wallet: Wallet,
  transaction: Transaction,
  { outpoint: spent, spender: to, block }: Conflict,
): Promise<boolean> {
  const normalizedTxid = normalizedTxidOf(transaction);
  const isFollowed = await decide(wallet, async (tx, touched) => {
    if (!(await isInChain(tx, block.hash))) return true;
    if ((await countMaking(tx, to)) > 0) return false;
    const spenders = await spendersOf(tx, spent);
    const before = spenders.find(({ signed, height }) => signed?.normalizedTxid === normalizedTxid && height === null);
    if (!before?.signed) return false;
    const { id } = before;
    const from = before.signed.txid;
    const altered = { from, to, block };
    await endHeirs(wallet, tx, altered, transaction, touched);
    await renameCoins(tx, altered, 'pending');
    await renameOutputs(wallet, tx, from, to);
    // A refresh may have stored the altered transaction as a receipt, because it didn't recognize it as the wallet's
    // own.
    await deleteReceipt(tx, to);
    const record = (await getPayment(tx, id)) as typeof before;
    const { ownOutputs } = before.signed;
    await putPayment(wallet, tx, record, {
      signed: {
        ...before.signed,
        txid: to,
        rawtx: toHex(serializeTransaction(transaction)),
        ownOutputs: ownOutputs.map((key) => to + key.slice(from.length)),
      },
    });
    await mine(wallet, tx, id, block, touched);
    await reviveHeirs(wallet, tx, to, touched);
    return true;
  });
  if (isFollowed) await scheduleWork(wallet);
  return isFollowed;
}

/**
 * Implements `onAltered` (wallet/coins/altered.ts). Payments to derived keys are swept again, from their new outpoints,
 * unless sweeps of these outpoints are reinstated.
 */
export async function followReceipt(wallet: Wallet, altered: Altered, transaction: Transaction): Promise<boolean> {
  const { from, to, block } = altered;
  const isFollowed = await decide(wallet, async (tx, touched) => {
    const receipt = await getReceipt(tx, from);
    if (!receipt || receipt.height !== null || !(await isInChain(tx, block.hash))) return false;
    if (!(await isSameReceipt(tx, receipt, transaction))) return false;
    if (!(await outputsOf(wallet, tx, from)).every((output) => isIn(transaction, output))) return false;
    const derived = await derivedIn(wallet, tx, from, transaction);
    const paid = await countCoinsMadeBy(tx, from);
    if (derived === null || paid + derived.length === 0) return false;
    await endHeirs(wallet, tx, altered, transaction, touched);
    await renameCoins(tx, altered, 'available');
    await renameOutputs(wallet, tx, from, to);
    await reviveHeirs(wallet, tx, to, touched);
    let unswept = 0n;
    const lightSpendersOf = lightSpenders(tx);
    const isSwept = async (key: string) => (await lightSpendersOf(key)).some(({ sweep }) => sweep);
    for (const entry of derived) {
      await recordEntry(wallet, tx, { kind: 'payment-gone', outpoint: entry.outpoint });
      const moved = { ...entry, outpoint: to + entry.outpoint.slice(from.length) };
      await recordEntry(wallet, tx, moved);
      if ((await lightSpendersOf(moved.outpoint)).some(isLive)) continue;
      // Its next sweep adds it to the receipt again (`storeReceipt` in sweep.ts).
      if (!(await isSwept(moved.outpoint)) && (await isSwept(entry.outpoint))) unswept += BigInt(entry.satoshis);
      const logged = await getLogged(tx, keyOf(moved));
      // The payment is swept like a payment from a restored log (wallet/app-backup/apply.ts).
      if (logged) await putLogged(tx, { ...logged, unapplied: wallet.now() });
    }
    await renameReceipt(tx, altered, unswept);
    await placeInBlock(wallet, tx, to, block);
    touched.add(to);
    return true;
  });
  if (isFollowed) await scheduleWork(wallet);
  return isFollowed;
}

/**
 * Ends payments that spend the old ID's outputs. Height 0 keeps reorganizations from reinstating these payments. Only
 * `reviveHeirs` reinstates them, after the transaction has regained the old ID.
 */
async function endHeirs(
  wallet: Wallet,
  tx: WriteTransaction,
  { from, to }: Altered,
  { outputs }: Transaction,
  touched: Set<string>,
): Promise<void> {
  await keepHeirsEnded(wallet, tx, { from, to });
  const [coins, kept] = [await coinsMadeBy(tx, from), await outputsOf(wallet, tx, from)];
  const holders = [...coins.map(({ paymentId }) => paymentId), ...kept.map(({ spentBy }) => spentBy)];
  await endWaiting(wallet, tx, [...new Set(holders.filter((id) => id !== null))]);
  const heirsOf = liveSpenders(tx);
  for (const vout of outputs.keys())
    for (const heir of await heirsOf(outpoint(from, vout)))
      await end(wallet, tx, heir, { txid: to, height: 0, isCancel: false }, touched);
}

/** True if a transaction has an output with the same index, amount and script. */
function isIn(
  { outputs }: Transaction,
  { outpoint: key, satoshis, script }: Pick<AppOutput, 'outpoint' | 'satoshis' | 'script'>,
): boolean {
  const output = outputs[voutOf(key)];
  return output?.satoshis === satoshis && toHex(output.lockingScript) === script;
}

const voutOf = (key: string) => Number(key.slice(key.indexOf(':') + 1));

/** Returns a transaction's logged payments to derived keys, or null if the altered transaction changes one of them. */
async function derivedIn(wallet: Wallet, tx: WriteTransaction, txid: string, { outputs }: Transaction) {
  const spendersOf = lightSpenders(tx);
  const signedIn = new Map<string, ReturnType<typeof unlocksOf>>();
  const unlocksIn = async (id: string) => {
    const { signed } = (await getPayment(tx, id)) as PaymentRecord & { signed: SignedPart };
    return unlocksOf(parseTransactionHex(signed.rawtx));
  };
  const entries = [];
  for (const { entry } of await loggedOf(wallet, tx, txid)) if (entry.kind === 'wallet-payment') entries.push(entry);
  for (const { outpoint: key, satoshis } of entries) {
    const output = outputs[voutOf(key)];
    if (output?.satoshis !== BigInt(satoshis)) return null;
    const coin = { txid, vout: voutOf(key), satoshis: output.satoshis, script: toHex(output.lockingScript) };
    // The log doesn't contain the locking script, so the output is checked against the payment that sweeps it.
    for (const { id, signed, sweep } of await spendersOf(key)) {
      if (!sweep || !signed) continue;
      const unlocks = signedIn.get(id) ?? (await unlocksIn(id));
      signedIn.set(id, unlocks);
      if (!unlocks(coin)) return null;
    }
  }
  return entries;
}
