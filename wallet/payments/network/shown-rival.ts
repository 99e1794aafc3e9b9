/** Handles unmined payments when the index lists another transaction that spends the same coins. */
import { normalizedTxidOf, type Transaction } from '../../../protocol/bitcoin/transaction.ts';
import { outpoint } from '../../coins/coin.ts';
import { getCoin } from '../../coins/records.ts';
import { database, readTransaction, type WriteTransaction } from '../../store/database.ts';
import { unlocksOf } from '../../transaction/unlocks.ts';
import { decide, liveSpenders, restoreOutputs } from './conflicts.ts';
import { isLive, isOnNetwork } from '../move.ts';
import type { LightPayment, PaymentRecord } from '../record.ts';
import { countMaking, getLight, getPayment, lightSpenders, putPayment } from '../store.ts';
import type { Wallet } from '../../platform.ts';

/**
 * Implements `onRival` (wallet/coins/shown.ts). If the index lists a transaction's outputs, removes from the balance
 * the change of payments that spend the same coins. If the listed transaction is a payment, adds its change back. An
 * index can't remove change with a forged transaction: the rival must have the wallet's valid signature, or the same
 * outputs.
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
    const isOurs = (await countMaking(tx, txid)) > 0;
    const spendersAt = liveSpenders(tx);
    for (const key of shared) {
      const coin = await getCoin(tx, key);
      const isProven = coin !== undefined && isSigned(coin);
      for (const { id, signed } of await spendersAt(key)) {
        if (signed?.txid === txid) await setRival(wallet, tx, id, null, touched);
        else if (!isOurs && (isProven || signed?.normalizedTxid === normalizedTxid))
          await setRival(wallet, tx, id, txid, touched);
      }
    }
  });
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
  if (before?.height !== null || (before.rival ?? null) === rival) return;
  const record = (await getPayment(tx, id)) as PaymentRecord;
  const changed = await putPayment(wallet, tx, record, { rival });
  touched.add(id);
  if (!changed.replacedBy) await restoreOutputs(wallet, tx, changed, isOnNetwork(changed) ? 'available' : 'pending');
  const heirsOf = liveSpenders(tx);
  for (const key of changed.signed?.ownOutputs ?? [])
    for (const heir of await heirsOf(key)) await setRival(wallet, tx, heir.id, rival, touched);
}
