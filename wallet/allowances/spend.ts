/** Checks and debits an allowance in the transaction that commits a payment, and refunds it if the payment fails. */
import { ServiceError } from '../../protocol/errors/service-error.ts';
import type { Rate } from '../../protocol/messages/wallet-messages.ts';
import type { WriteTransaction } from '../store/database.ts';
import {
  at,
  credited,
  debited,
  debitedAgain,
  keyOf,
  newAllowance,
  type Allowance,
  type AllowanceKey,
  type Debit,
  type FromAllowance,
  type Terms,
  type Cost,
} from './allowance.ts';
import { withUse, costAt, decide } from './decide.ts';
import { announceRevocation } from '../sites/revocation.ts';
import { refuseBlocked } from '../sites/store.ts';
import { getAllowance, putAllowance } from './records.ts';
import type { Wallet } from '../platform.ts';

const less = (from: bigint, by: bigint) => (from > by ? from - by : 0n);
const larger = (a: bigint, b: bigint) => (a > b ? a : b);
const beyond = (cost: Cost, held: Cost): Cost => ({
  units: less(cost.units, held.units),
  satoshis: less(cost.satoshis, held.satoshis),
});

/** Returns the amount that payments hold in a period if only one of them can be mined: the largest debit. */
function heldBy(rivals: readonly Debit[], { id, periodStart }: Pick<Debit, 'id' | 'periodStart'>): Cost {
  const same = rivals.filter((one) => one.id === id && one.periodStart === periodStart);
  return same.reduce(
    (most, { debit: units, debitSatoshis }) => ({
      units: larger(most.units, units),
      satoshis: larger(most.satoshis, debitSatoshis),
    }),
    { units: 0n, satoshis: 0n },
  );
}

/** Returns the allowance available to a payment that replaces others, as if the replaced payments held nothing. */
export function withoutRivals(allowance: Allowance, rivals: readonly Debit[], now: number): Allowance {
  const current = at(allowance, now);
  const held = heldBy(rivals, current);
  return {
    ...current,
    spent: less(current.spent, held.units),
    spentSatoshis: less(current.spentSatoshis, held.satoshis),
  };
}

/** A payment's cost before the debit. */
export interface Expense {
  /** Origin of the site that requested the payment. */
  site: string;
  /** Satoshis that leave the wallet, including the network fee. */
  satoshis: bigint;
  /** The rate of the allowance's currency; null if it isn't reliable enough. */
  rate: Rate | null;
}

/**
 * Debits a payment's cost from its allowance, if the chosen grant still exists and suffices.
 * @param rivals debits for payments that can't be mined together with this one. Only the largest debit counts
 * @throws ServiceError `not-paid` (the user must be prompted), `site-blocked`
 */
export async function debit(
  wallet: Wallet,
  tx: WriteTransaction,
  from: FromAllowance,
  { site, satoshis, rate }: Expense,
  rivals: readonly Debit[] = [],
): Promise<Debit> {
  await refuseBlocked(wallet, tx, site);
  const stored = await getAllowance(tx, from.key);
  const now = wallet.now();
  const cost = rate && costAt(satoshis, rate);
  if (stored?.id !== from.id || stored.currency !== from.currency)
    throw new ServiceError('not-paid', { detail: 'allowance missing or replaced' });
  // User activation and the lock were checked earlier. The wallet must have been unlocked, because the payment has been
  // signed.
  const decision = decide({
    allowance: withoutRivals(stored, rivals, now),
    cost,
    now,
    userActivation: 'new',
    kind: stored.kind,
    site,
    locked: false,
  });
  if (decision.kind === 'prompt') throw new ServiceError('not-paid', { detail: `allowance: ${decision.reason}` });
  const current = at(stored, now);
  const more = beyond(decision.debit, heldBy(rivals, current));
  const after = debited(current, more, now);
  await putAllowance(tx, stored.kind === 'any-site' ? withUse(after, site, more, now) : after);
  return { ...from, debit: decision.debit.units, debitSatoshis: satoshis, periodStart: current.periodStart };
}

/** Refunds a debit, except for the amount that conflicting payments hold. */
export async function refundDebit(
  wallet: Wallet,
  tx: WriteTransaction,
  taken: Debit,
  rivals: readonly Debit[] = [],
): Promise<void> {
  await correct(wallet, tx, taken, rivals, credited);
}

/** Repeats a refunded debit, even beyond the limit, because it was allowed before. */
export async function repeatDebit(
  wallet: Wallet,
  tx: WriteTransaction,
  taken: Debit,
  rivals: readonly Debit[],
): Promise<void> {
  await correct(wallet, tx, taken, rivals, debitedAgain);
}

async function correct(
  wallet: Wallet,
  tx: WriteTransaction,
  taken: Debit,
  rivals: readonly Debit[],
  by: typeof credited,
): Promise<void> {
  const { key, id, debit: units, debitSatoshis: satoshis, periodStart } = taken;
  const stored = await getAllowance(tx, key);
  if (stored?.id !== id) return;
  await putAllowance(tx, by(at(stored, wallet.now()), beyond({ units, satoshis }, heldBy(rivals, taken)), periodStart));
}

/**
 * Stores an allowance. It replaces any older grant with the same key, and pending payments from that grant fail.
 * @returns its token
 */
export async function grant(
  wallet: Wallet,
  tx: WriteTransaction,
  key: AllowanceKey,
  terms: Terms,
  id: string,
): Promise<string> {
  const allowance = newAllowance(key, terms, id, wallet.now());
  const before = await getAllowance(tx, keyOf(allowance));
  await putAllowance(tx, {
    ...allowance,
    ...(before?.currency === terms.currency && { totalSpent: before.totalSpent, payments: before.payments }),
  });
  if (before && before.id !== id) await announceRevocation(wallet, tx, { origin: before.origin, allowance: before.id });
  return id;
}

/**
 * Rejects a payment if its site was blocked or its allowance revoked after the debit.
 * @throws ServiceError `site-blocked`, `action-ended`
 */
export async function refuseRevoked(
  wallet: Wallet,
  tx: WriteTransaction,
  { origin, allowance }: { origin: string; allowance: Debit | null },
): Promise<void> {
  await refuseBlocked(wallet, tx, origin);
  if (allowance && (await getAllowance(tx, allowance.key))?.id !== allowance.id) throw new ServiceError('action-ended');
}
