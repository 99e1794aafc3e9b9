import { refuseRevoked } from '../../allowances/spend.ts';
import type { WriteTransaction } from '../../store/database.ts';
import { NOT_TRIED } from '../retry.ts';
import { getPayment, paymentMaking, putPayment } from '../store.ts';
import type { Wallet } from '../../platform.ts';

/**
 * Releases a payment and its withheld parents from the same site for broadcast, within the caller's database
 * transaction.
 * @returns IDs of the released payments, parents first
 * @throws ServiceError `site-blocked`, `action-ended`
 */
export async function release(wallet: Wallet, tx: WriteTransaction, id: string): Promise<string[]> {
  const record = await getPayment(tx, id);
  if (record?.state !== 'signed' || record.trouble !== 'held' || record.replacedBy) return [];
  await refuseRevoked(wallet, tx, record);
  await putPayment(wallet, tx, record, { trouble: null, broadcast: NOT_TRIED });
  return [...(await releaseMakers(wallet, tx, record.origin, record.signed?.inputs ?? [])), id];
}

export async function releaseMakers(
  wallet: Wallet,
  tx: WriteTransaction,
  origin: string,
  outpoints: readonly string[],
): Promise<string[]> {
  const released: string[] = [];
  for (const txid of new Set(outpoints.map((key) => key.slice(0, 64)))) {
    const maker = await paymentMaking(tx, txid);
    if (maker?.origin === origin) released.push(...(await release(wallet, tx, maker.id)));
  }
  return released;
}
