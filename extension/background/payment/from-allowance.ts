/** Payments made from an allowance: decided here, debited where they are committed. */
import { ServiceError } from '../../../protocol/errors.ts';
import type { AllowanceKey, Debit } from '../allowances/allowance.ts';
import type { Rate } from '../../../protocol/wallet-messages.ts';
import { ANY_SITE } from '../allowances/any-site.ts';
import { costAt, decide, type Question } from '../allowances/decide.ts';
import { readAllowance } from '../allowances/store.ts';
import { withoutRivals } from '../allowances/spend.ts';
import { rateOf } from '../chain/rates.ts';
import { database } from '../database.ts';
import { vaultStatus } from '../vault/vault.ts';
import { nextChange } from '../events.ts';
import { draftPayment, type Draft } from './build.ts';
import { sharesOf } from './conflicts.ts';
import type { PaymentRecord } from './record.ts';
import { promptKeyOf } from './prompt.ts';
import { isAsShown, maySwipe, type TrustedSwipe } from './trusted-swipe.ts';
import { readPayment, transition } from './transition.ts';
import { promptIn, readPrompt, removePrompt } from '../prompts/store.ts';
import type { UserActivation } from '../../../protocol/page-messages.ts';

/** The key of the allowance that a payment would be made from. */
export function allowanceKeyOf({
  origin,
  options,
  automatic,
}: Pick<PaymentRecord, 'origin' | 'options' | 'automatic'>): AllowanceKey {
  return [origin, options.clientIdentifier ?? '', automatic ? 'automatic' : 'swipe'];
}

/**
 * Approves a requested payment whose prompt is withheld from its site's allowance, or from the one for trusted swipes, if
 * there is one and it has room; else leaves it as it is.
 */
export async function approveFromAllowance(
  record: PaymentRecord,
  { userActivation, swiped }: { userActivation: UserActivation; swiped?: TrustedSwipe },
): Promise<void> {
  if ((await readPrompt(promptKeyOf(record)))?.state !== 'withheld') return;
  // Another key than before, or one that is kept from us: somebody else may have the paymail now. That is for the user
  // to see.
  if (record.quote.outputs.some(({ host }) => host && (host.keyChangedSince !== null || host.keyUnavailable))) return;
  if (await approveFrom(allowanceKeyOf(record), record, userActivation, null)) return;
  if (swiped && !record.automatic && maySwipe(record) && isAsShown(record, swiped))
    await approveFrom(ANY_SITE, record, userActivation, swiped.feeSatoshis);
}

/**
 * @param feeLimit the most that the fee may be (satoshis), or null for whatever it has to be
 * @returns whether it is decided: approved, or by somebody else meanwhile
 */
async function approveFrom(
  key: AllowanceKey,
  record: PaymentRecord,
  userActivation: UserActivation,
  feeLimit: bigint | null,
): Promise<boolean> {
  const allowance = await readAllowance(key);
  if (!allowance) return false;
  const { cost, rivals } = await costOf({ ...record, feeLimit }, allowance.currency);
  const { locked } = await vaultStatus();
  const now = Date.now();
  const decision = decide({
    allowance: withoutRivals(allowance, rivals, now),
    cost,
    now,
    userActivation,
    kind: key[2],
    site: record.origin,
    locked,
  });
  if (decision.kind === 'ask') return false;
  const { id, currency } = allowance;
  await transition(record.id, 'requested', async (_, tx) => {
    if ((await promptIn(tx, promptKeyOf(record)))?.state !== 'withheld') return {};
    await removePrompt(tx, promptKeyOf(record));
    return {
      state: 'approved',
      approvedAt: Date.now(),
      allowance: { key, id, currency },
      feeLimit,
    };
  });
  return true;
}

/**
 * What a payment costs now with its fee, also in a currency, null where that is not known, or not sure enough; and what
 * the payments took from allowances whose place it takes.
 */
async function costOf(record: PaymentRecord, currency: string): Promise<{ cost: Question['cost']; rivals: Debit[] }> {
  try {
    const rate = await sureRate(record, currency);
    if (rate === null) return { cost: null, rivals: [] };
    const { plan, rival } = await draftWithReturningCoins(record);
    return {
      cost: costAt(record.quote.satoshis + plan.feeSatoshis, rate),
      rivals: sharesOf(rival?.chain ?? []),
    };
  } catch {
    return { cost: null, rivals: [] };
  }
}

/**
 * The rate of an allowance's currency; null where one source alone told its dollar, or that of the rate that the
 * payment was quoted by. Nobody looks at what is spent from an allowance: whoever controls that one source would name
 * the worth of the user's coins. Of other currencies than the dollar the two sources say nothing: there the ceiling
 * holds (allowances/ceiling.ts).
 * @throws ServiceError `rate-unavailable`, `rates-differ`, `invalid-currency`
 */
export async function sureRate({ quote }: Pick<PaymentRecord, 'quote'>, currency: string): Promise<Rate | null> {
  if (quote.currency !== 'BSV' && quote.rate?.sources !== 2) return null;
  const rate = await rateOf(currency);
  return rate.sources === 2 ? rate : null;
}

/**
 * Plans a payment as {@link draftPayment} does, but where money is short while another payment's change is on its way
 * back, waits for that: payments that come quickly one after the other from one coin all go through.
 */
export async function draftWithReturningCoins(record: PaymentRecord): Promise<Draft> {
  for (;;) {
    try {
      return await draftPayment(record, record.feeLimit ?? undefined);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'insufficient-funds') throw error;
      const unfinished = await (await database()).getAllFromIndex('payments', 'unfinished', 1);
      const leaving = unfinished.filter(
        ({ state, broadcast, id }) => state === 'signed' && broadcast.attempts === 0 && id !== record.id,
      );
      if (leaving.length === 0) throw error;
      const changes = leaving.map(({ id }) => nextChange(id));
      const still = await Promise.all(leaving.map(({ id }) => readPayment(id)));
      // One that moved on between the two looks may have brought its change already.
      if (still.every((one) => one?.state === 'signed' && one.broadcast.attempts === 0)) await Promise.race(changes);
    }
  }
}

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs commits from allowances one after the other, so that they do not fight for coins. That they never spend more
 * than the user allowed is not held by this but by the transaction that debits.
 */
export function oneAfterTheOther<T>(run: () => Promise<T>): Promise<T> {
  const mine = last.then(run, run);
  last = mine.catch(() => undefined);
  return mine;
}
