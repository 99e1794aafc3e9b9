/** Handles unmined payments when the index lists another transaction that spends the same coins. */
import { p2pkhScript } from '../../../protocol/bitcoin/address.ts';
import { toHex } from '../../../protocol/bitcoin/bytes.ts';
import { readP2pkhUnlock } from '../../../protocol/bitcoin/p2pkh-unlock.ts';
import { normalizedTxidOf, parseTransactionHex, type Transaction } from '../../../protocol/bitcoin/transaction.ts';
import { outpoint } from '../../coins/coin.ts';
import { dropExcluded, isFailed, restoreReceipt } from '../../coins/gone.ts';
import type { Receipt } from '../../coins/receipts/receipt.ts';
import { receiptsUnconfirmed } from '../../coins/receipts/receipts.ts';
import { getCoin } from '../../coins/records.ts';
import { hash160 } from '../../keys/keys.ts';
import { database, readTransaction, type WriteTransaction } from '../../store/database.ts';
import type { Input } from '../../transaction/input.ts';
import { unlocksOf } from '../../transaction/unlocks.ts';
import { hasRival } from '../../coins/unproven.ts';
import { decide, liveSpenders, restoreOutputs, rivalsOf, voidOutputs } from './conflicts.ts';
import { isLive, isOnNetwork } from '../move.ts';
import type { LightPayment, PaymentRecord, SignedPart } from '../record.ts';
import { getLight, getPayment, lightMaking, lightSpenders, putPayment } from '../store.ts';
import type { Wallet } from '../../platform.ts';

/**
 * Implements `onRival` (wallet/coins/shown.ts). If the index lists a transaction's outputs, removes from the balance
 * the change of payments that spend the same coins. If the listed transaction is a payment, adds its change back, and
 * removes the outputs of its rivals. An index can't remove change with a forged transaction: the rival must have the
 * wallet's valid signature, or the same outputs.
 */
export async function noteShown(wallet: Wallet, txid: string, transaction: Transaction): Promise<void> {
  const keys = transaction.inputs.map((input) => outpoint(input.txid, input.vout));
  const reading = readTransaction(await database(wallet));
  const spendersOf = lightSpenders(reading);
  const shared: string[] = [];
  for (const key of keys) if ((await spendersOf(key)).some((one) => concerns(one, txid))) shared.push(key);
  if (shared.length === 0) return;
  const isSigned = unlocksOf(transaction);
  const normalizedTxid = normalizedTxidOf(transaction);
  await decide(wallet, async (tx, touched) => {
    const makers = await lightMaking(tx, txid);
    const isOurs = makers.length > 0;
    // The outputs of a replaced payment don't count until the network has accepted it.
    const counts = makers.some((one) => isLive(one) && (isOnNetwork(one) || !one.replacedBy));
    const spendersAt = liveSpenders(tx);
    const sweptBy = sweptOutputs(tx);
    const rivals = new Set<string>();
    for (const key of shared) {
      const spenders = await spendersAt(key);
      for (const { signed, rival } of spenders) if (signed?.txid === txid && rival) rivals.add(rival);
      const coin = (await getCoin(tx, key)) ?? (await sweptBy(key, spenders));
      const isProven = coin !== undefined && isSigned(coin);
      for (const { id, signed } of spenders) {
        if (signed?.txid === txid) await setRival(wallet, tx, id, null, touched);
        else if (isOurs ? counts : isProven || signed?.normalizedTxid === normalizedTxid) {
          // A rival that had failed excludes nothing until it is restored.
          if (!isOurs && (await isFailed(tx, txid))) await restoreReceipt(wallet, tx, txid);
          await setRival(wallet, tx, id, txid, touched);
        }
      }
    }
    if (rivals.size > 0) await dropExcluded(wallet, tx, keys, rivals);
  });
}

/**
 * Removes the change of a payment that the network doesn't have from the balance if it has a payment that this one
 * replaces or that replaces it, or if an incoming transaction that counts spends the same coins. The index announces a
 * transaction only when it lists new outputs of it. An incoming transaction's inputs must have been verified, so that
 * the index can't remove change with a forged one.
 */
export async function noteMissing(wallet: Wallet, id: string): Promise<void> {
  await decide(wallet, async (tx, touched) => {
    const record = await getPayment(tx, id);
    if (!record?.signed || !isLive(record) || (await hasRival(tx, record))) return;
    const inputs = new Set(record.signed.inputs);
    const isRival = ({ txid, failed, reading, spends = [] }: Receipt) =>
      !failed && reading === 'done' && txid !== record.signed?.txid && spends.some((key) => inputs.has(key));
    const own = (await rivalsOf(tx, record)).find(isOnNetwork);
    const rival = own?.signed?.txid ?? (await receiptsUnconfirmed(tx)).find(isRival)?.txid;
    if (rival !== undefined) await setRival(wallet, tx, id, rival, touched);
  });
}

/**
 * Returns a function that returns an output at a derived key. The wallet doesn't store it as a coin, so its script
 * follows from the sweep that spends it. Parses each sweep only once.
 */
function sweptOutputs(
  tx: WriteTransaction,
): (key: string, spenders: readonly LightPayment[]) => Promise<Input | undefined> {
  const read = new Map<string, Map<string, Input>>();
  return async (key, spenders) => {
    const sweep = spenders.find((one) => one.sweep);
    if (!sweep) return undefined;
    const inputs = read.get(sweep.id) ?? inputsOf((await getPayment(tx, sweep.id)) as PaymentRecord);
    read.set(sweep.id, inputs);
    return inputs.get(key);
  };
}

/** Returns the P2PKH outputs that a signed payment spends. */
function inputsOf({ signed }: PaymentRecord): Map<string, Input> {
  const { rawtx, inputs: keys, inputSatoshis } = signed as SignedPart;
  const { inputs, version } = parseTransactionHex(rawtx);
  const satoshisAt = new Map(keys.map((key, i) => [key, inputSatoshis[i]]));
  const found = new Map<string, Input>();
  for (const { txid, vout, unlockingScript } of inputs) {
    const key = outpoint(txid, vout);
    const satoshis = satoshisAt.get(key);
    const unlock = readP2pkhUnlock(unlockingScript, version);
    if (satoshis === undefined || !unlock) continue;
    found.set(key, { txid, vout, satoshis, script: toHex(p2pkhScript(hash160(unlock.publicKey))) });
  }
  return found;
}

/** True if a listed transaction excludes a payment, or is a payment that another listed transaction excluded. */
const concerns = (record: LightPayment, txid: string): boolean =>
  isLive(record) && record.height === null && (record.signed?.txid !== txid || Boolean(record.rival));

/** Stores a payment's rival, for that payment and for those that spend its outputs. */
async function setRival(
  wallet: Wallet,
  tx: WriteTransaction,
  id: string,
  rival: string | null,
  touched: Set<string>,
): Promise<void> {
  const before = await getLight(tx, id);
  if (touched.has(id) || before?.height !== null || (rival === null && !before.rival)) return;
  const record = (await getPayment(tx, id)) as PaymentRecord;
  const changed = await putPayment(wallet, tx, record, { rival });
  touched.add(id);
  if (!changed.replacedBy) await restoreOutputs(wallet, tx, changed, isOnNetwork(changed) ? 'available' : 'pending');
  else if (rival !== null) await voidOutputs(wallet, tx, changed);
  const heirsOf = liveSpenders(tx);
  for (const key of changed.signed?.ownOutputs ?? [])
    for (const heir of await heirsOf(key)) {
      // An heir can have a rival of its own, which excludes it regardless of this payment.
      const isInherited = (heir.rival ?? null) === (before.rival ?? null) || !(await hasRival(tx, heir));
      if (isInherited) await setRival(wallet, tx, heir.id, rival, touched);
    }
}
