import { ServiceError } from '../../protocol/errors/service-error.ts';
import type { PageResults } from '../../protocol/messages/page-messages.ts';
import type { AllowanceTerms, AllowanceView, Rate } from '../../protocol/messages/wallet-messages.ts';
import { rateOf, rateOrNull } from '../chain/rates.ts';
import { database, inTransaction, readKey, readTransaction } from '../store/database.ts';
import { readSettings } from '../settings.ts';
import { announceRevocation } from '../sites/revocation.ts';
import { refuseBlocked } from '../sites/store.ts';
import { vaultStatus } from '../vault/vault.ts';
import { at, leftOf, withTerms, type Allowance, type Terms } from './allowance.ts';
import { ceilingAt, ceilingLeft, satoshisLeft, amountOf, unitsOf } from './decide.ts';
import { announceChange } from '../events.ts';
import { allAllowances, deleteAllowance, getAllowance, putAllowance } from './records.ts';
import type { Wallet } from '../platform.ts';

/** Returns an allowance as of now, for display in windows. */
export function viewOf(wallet: Wallet, stored: Allowance): AllowanceView {
  const allowance = at(stored, wallet.now());
  const { id: token, clientIdentifier, kind, currency, period, resetsAt, payments, createdAt, usedAt } = allowance;
  return {
    token,
    clientIdentifier,
    automatic: kind === 'automatic',
    currency,
    period,
    resetsAt,
    payments,
    createdAt,
    usedAt,
    limit: amountOf(allowance.limit),
    perPayment: allowance.perPayment === null ? null : amountOf(allowance.perPayment),
    spent: amountOf(allowance.spent),
    left: amountOf(leftOf(allowance)),
    totalSpent: amountOf(allowance.totalSpent),
    ceiling: allowance.ceiling
      ? {
          satoshis: allowance.ceiling.limit.toString(),
          left: (ceilingLeft(allowance) ?? 0n).toString(),
          perPayment: allowance.ceiling.perPayment?.toString() ?? null,
        }
      : null,
  };
}

/**
 * Validates the terms of an allowance that the user has entered in a window.
 * @throws ServiceError `invalid-amount`, `invalid-currency`, `rate-unavailable`
 */
export async function checkedTerms(wallet: Wallet, terms: AllowanceTerms): Promise<Terms> {
  const checked = termsOf(terms);
  await rateOf(wallet, terms.currency);
  return checked;
}

function termsOf({ amount, currency, period, perPayment, rate }: AllowanceTerms): Terms {
  const limits = { limit: unitsOf(amount), perPayment: perPayment === null ? null : unitsOf(perPayment) };
  if (currency === 'BSV') return { ...limits, currency, period, ceiling: null };
  if (rate === null) throw new ServiceError('rate-unavailable');
  return { ...limits, currency, period, ceiling: ceilingAt(limits, rate) };
}

/**
 * Changes an allowance's terms, except for its currency, and computes a new ceiling. Requires an unlocked wallet,
 * because the limits may increase.
 * @throws ServiceError `wallet-locked`, `not-found`, `invalid-amount`, `rate-unavailable`
 */
export async function changeAllowance(
  wallet: Wallet,
  token: string,
  wanted: Omit<AllowanceTerms, 'currency'>,
): Promise<void> {
  if ((await vaultStatus(wallet)).locked) throw new ServiceError('wallet-locked');
  await inTransaction(wallet, async (tx) => {
    const current = (await allAllowances(tx)).find(({ id }) => id === token);
    if (!current) throw new ServiceError('not-found');
    const terms = termsOf({ ...wanted, currency: current.currency });
    await putAllowance(tx, withTerms(current, terms, wallet.now()));
  });
  announceChange(wallet);
}

/** Removes an allowance, and ends pending payments from it. Does nothing if there is no such allowance. */
export async function revokeAllowance(wallet: Wallet, token: string): Promise<void> {
  await inTransaction(wallet, async (tx) => {
    for (const { id, origin, clientIdentifier, kind } of await allAllowances(tx)) {
      if (id !== token) continue;
      await deleteAllowance(tx, [origin, clientIdentifier, kind]);
      await announceRevocation(wallet, tx, { origin, allowance: id });
    }
  });
  announceChange(wallet);
}

/**
 * Returns the amount left for a site's automatic payments with this client identifier.
 * @throws ServiceError `wallet-not-set-up`, `site-blocked`, `rate-unavailable`
 */
export async function allowanceLeft(
  wallet: Wallet,
  origin: string,
  clientIdentifier: string,
): Promise<PageResults['allowance/left']> {
  if (!(await readKey(wallet, 'vault'))) throw new ServiceError('wallet-not-set-up');
  const tx = readTransaction(await database(wallet));
  await refuseBlocked(wallet, tx, origin);
  const stored = await getAllowance(tx, [origin, clientIdentifier, 'automatic']);
  if (!stored) return { amount: '0', currency: (await readSettings(wallet)).currency, satoshis: '0' };
  const allowance = at(stored, wallet.now());
  const { price } = await rateOf(wallet, stored.currency);
  return {
    amount: amountOf(leftOf(allowance)),
    currency: stored.currency,
    satoshis: satoshisLeft(allowance, price).toString(),
  };
}

/**
 * Returns the rates for the currencies offered for an allowance: the user's own currency, BSV, and those that a site
 * suggests.
 * @param own rate of the user's currency, or null if unknown
 * @param also codes of the currencies that the site suggests
 */
export async function allowanceRates(wallet: Wallet, own: Rate | null, also: readonly string[] = []): Promise<Rate[]> {
  const rates = own ? [own] : [];
  for (const code of ['BSV', ...also]) {
    if (rates.some((rate) => rate.currency === code)) continue;
    const rate = await rateOrNull(wallet, code);
    if (rate) rates.push(rate);
  }
  return rates;
}
