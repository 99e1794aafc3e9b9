/** An allowance inside the transaction that commits a payment: checked and debited there, and given back if it comes to nothing. */
import { ServiceError } from '../../../protocol/errors.ts';
import type { Rate } from '../../../protocol/wallet-messages.ts';
import type { StepTransaction } from '../database.ts';
import type { FromAllowance } from '../payment/record.ts';
import { refuseBlocked } from '../windows/admission.ts';
import { at, credited, debited, keyOf, newAllowance, type AllowanceKey, type Terms } from './allowance.ts';
import { costAt, decide } from './decide.ts';

/**
 * Takes what a payment costs from its allowance, if that is still the one that it was decided by and still has room.
 * @param satoshis all that leaves the wallet, the network fee included
 * @param rate of the allowance's currency; null where that is not sure enough to spend by
 * @throws ServiceError `not-paid` (the user is to be asked), `site-blocked`
 */
export async function debit(tx: StepTransaction, from: FromAllowance, satoshis: bigint, rate: Rate | null): Promise<FromAllowance> {
  await refuseBlocked(tx, from.key[0]);
  const stored = await tx.objectStore('allowances').get(from.key);
  const now = Date.now();
  const cost = rate && costAt(satoshis, rate);
  if (stored?.id !== from.id || stored.currency !== from.currency) throw new ServiceError('not-paid', { detail: 'the allowance is gone' });
  // The hand and the lock were looked at when it was decided; signing has shown that the wallet is open.
  const decision = decide({ allowance: stored, cost, now, gesture: 'new', automatic: stored.kind === 'automatic', locked: false });
  if (decision.kind === 'ask') throw new ServiceError('not-paid', { detail: `allowance: ${decision.reason}` });
  const current = at(stored, now);
  await tx.objectStore('allowances').put(debited(current, decision.debit, now));
  return { ...from, debit: decision.debit.units, debitSatoshis: satoshis, periodStart: current.periodStart };
}

/** Gives a debit back. */
export async function giveBack(tx: StepTransaction, { key, id, debit: units, debitSatoshis: satoshis = 0n, periodStart }: FromAllowance): Promise<void> {
  const stored = await tx.objectStore('allowances').get(key);
  if (stored?.id !== id || units === null || periodStart === null) return;
  await tx.objectStore('allowances').put(credited(at(stored, Date.now()), { units, satoshis }, periodStart));
}

/** Stores a new allowance in place of an older one of the same key. @returns its token */
export async function grant(tx: StepTransaction, key: AllowanceKey, terms: Terms, id: string): Promise<string> {
  const allowance = newAllowance(key, terms, id, Date.now());
  const before = await tx.objectStore('allowances').get(keyOf(allowance));
  await tx.objectStore('allowances').put({ ...allowance, ...(before?.currency === terms.currency && { totalSpent: before.totalSpent, payments: before.payments }) });
  return id;
}
