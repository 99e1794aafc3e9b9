/** Gives up applications' transactions at the application's or the user's request, or once they have expired. */
import { ServiceError } from '../../../protocol/errors/service-error.ts';
import { refundDebit } from '../../allowances/spend.ts';
import { dropAction } from '../../baskets/actions.ts';
import { outpoint } from '../../coins/coin.ts';
import { settleAddress } from '../../coins/addresses/records.ts';
import type { WriteTransaction } from '../../store/database.ts';
import { signalChange } from '../../events.ts';
import { recordReserved, refuseBlocked } from '../../sites/store.ts';
import { SIGNABLE_FOR_MS } from '../action.ts';
import { sumOf } from '../../transaction/plan.ts';
import { releaseCoins } from './conflicts.ts';
import type { PaymentRecord } from '../record.ts';
import { reservedCoins } from '../set-aside.ts';
import { transition, getPayment, putPayment } from '../store.ts';
import type { Change } from '../move.ts';
import { getCoin } from '../../coins/records.ts';
import { outputsMadeBy } from '../../baskets/outputs.ts';
import type { Wallet } from '../../platform.ts';

/** The reason why an action ends unsigned: its application aborted it, it expired, or the user ended it. */
type UnsignedEnd = 'action-aborted' | 'action-expired' | 'action-ended';

/**
 * Ends an unsigned action. Releases its coins, change addresses and debit immediately, in one database transaction,
 * because an unsigned action can't be mined.
 * @returns null if it is no longer `signable`
 * @throws ServiceError `site-blocked`, if requested by its application
 */
export function giveUpUnsigned(wallet: Wallet, id: string, code: UnsignedEnd): Promise<PaymentRecord | null> {
  return transition(wallet, id, 'signable', async (record, tx) => {
    if (code === 'action-aborted') await refuseBlocked(wallet, tx, record.origin);
    return endUnsigned(wallet, tx, record, code);
  });
}

/**
 * Performs {@link giveUpUnsigned} within the caller's database transaction.
 * @param record in the state `signable`
 * @returns the changes to the record
 */
async function endUnsigned(
  wallet: Wallet,
  tx: WriteTransaction,
  record: PaymentRecord,
  code: UnsignedEnd,
): Promise<Change> {
  const { id, origin, action, allowance } = record;
  const satoshis = sumOf(await reservedCoins(tx, record));
  if (satoshis > 0n && code !== 'action-expired')
    await recordReserved(wallet, tx, origin, { at: setAsideAt(wallet, action), satoshis });
  const { unsigned, inputs = [] } = action ?? {};
  const given = inputs.map(({ txid, vout }) => outpoint(txid, vout));
  await releaseCoins(wallet, tx, [...(unsigned?.coins ?? []), ...given], id);
  for (const script of unsigned?.change ?? []) await settleAddress(wallet, tx, script, id);
  if (allowance) await refundDebit(wallet, tx, allowance);
  await dropAction(wallet, tx, id);
  const { message } = new ServiceError(code);
  return { event: 'fail', error: { code, message } };
}

/** Ends several unsigned actions at the user's request. @returns true if all of them were still `signable` */
export async function endWaiting(wallet: Wallet, tx: WriteTransaction, ids: readonly string[]): Promise<boolean> {
  let areAll = true;
  for (const id of ids) {
    const record = await getPayment(tx, id);
    if (record?.state !== 'signable') {
      areAll = false;
      continue;
    }
    await putPayment(wallet, tx, record, await endUnsigned(wallet, tx, record, 'action-ended'));
    signalChange(wallet, id);
  }
  return areAll;
}

/** Returns when the action began to wait for signatures (milliseconds since 1970). */
const setAsideAt = (wallet: Wallet, action: PaymentRecord['action']) =>
  (action?.expiresAt ?? wallet.now()) - SIGNABLE_FOR_MS;

/**
 * Abandons a signed action that was not broadcast. The application can still broadcast it, so nothing is released until
 * another transaction spends one of its coins: the next payment (replace.ts) or the user's cancellation. The allowance
 * is credited once that transaction is mined.
 * @returns true if it was given up, which requires that it is withheld and that nothing spends its outputs
 * @throws ServiceError `site-blocked`
 */
export async function giveUpSigned(wallet: Wallet, id: string): Promise<boolean> {
  const changed = await transition(wallet, id, 'signed', async ({ origin, trouble, replacedBy, signed }, tx) => {
    await refuseBlocked(wallet, tx, origin);
    const isFree = trouble === 'held' && !replacedBy && !(await isSpent(tx, id, signed?.ownOutputs ?? []));
    return isFree ? { trouble: 'aborted' as const } : {};
  });
  return changed?.trouble === 'aborted';
}

/**
 * True if the wallet or an application spends an output of a payment. Ignores spenders that were given up, because a
 * new payment replaces this one before it replaces them.
 */
async function isSpent(tx: WriteTransaction, id: string, ownOutputs: readonly string[]): Promise<boolean> {
  const coins = await Promise.all(ownOutputs.map((key) => getCoin(tx, key)));
  const kept = await outputsMadeBy(tx, id);
  const taken = coins.map((coin) => (coin?.status === 'reserved' || coin?.status === 'spent' ? coin.paymentId : null));
  for (const spender of new Set([...taken, ...kept.map(({ spentBy }) => spentBy)])) {
    if (spender === null) continue;
    if ((await getPayment(tx, spender))?.trouble !== 'aborted') return true;
  }
  return false;
}
