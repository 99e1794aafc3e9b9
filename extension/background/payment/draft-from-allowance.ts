/** What a payment from an allowance would be: its transaction with the coins of this moment, and a rate to be debited by. */
import { ServiceError } from '../../../protocol/errors.ts';
import type { Rate } from '../../../protocol/wallet-messages.ts';
import { rateOf } from '../chain/rates.ts';
import { database, inTransaction } from '../database.ts';
import { nextChange } from '../events.ts';
import { draftPayment, type Draft } from './build.ts';
import { allowanceKeyOf, type PaymentRecord } from './record.ts';
import { roomToSetAside, setsAside } from './set-aside.ts';
import { readPayment } from './transition.ts';

/** See {@link draftFromAllowance}. */
export interface DraftFromAllowance {
  draft: Draft;
  /** Of the allowance's currency. */
  rate: Rate;
}

/**
 * Plans a payment that nobody is asked about.
 * @param currency of the allowance
 * @throws ServiceError as {@link draftPayment}; `rate-unavailable`, `rates-differ`, `invalid-currency`
 */
export async function draftFromAllowance(record: PaymentRecord, currency: string): Promise<DraftFromAllowance> {
  const rate = await sureRate(record, currency);
  const asked = { origin: record.origin, key: allowanceKeyOf(record), price: rate.price };
  const room = setsAside(record) ? await inTransaction((tx) => roomToSetAside(tx, asked)) : null;
  return { draft: await draftWithReturningCoins(record, room), rate };
}

/**
 * The rate of an allowance's currency. Not where one source alone told its dollar, or that of the rate that the payment
 * was quoted by: nobody looks at what is spent from an allowance, so whoever controls that one source would name the
 * worth of the user's coins. Of other currencies than the dollar the two sources say nothing: there the ceiling holds
 * (allowances/ceiling.ts).
 * @throws ServiceError `rate-unavailable`, `rates-differ`, `invalid-currency`
 */
async function sureRate({ quote }: Pick<PaymentRecord, 'quote'>, currency: string): Promise<Rate> {
  const rate = await rateOf(currency);
  if (rate.sources !== 2 || (quote.currency !== 'BSV' && quote.rate?.sources !== 2))
    throw new ServiceError('rate-unavailable', { detail: 'one source alone' });
  return rate;
}

/**
 * Plans a payment as {@link draftPayment} does, but where money is short while another payment's change is on its way
 * back, waits for that: payments that come quickly one after the other from one coin all go through.
 */
async function draftWithReturningCoins(record: PaymentRecord, mostSetAside: bigint | null): Promise<Draft> {
  const mostFee = record.feeLimit ?? undefined;
  for (;;) {
    try {
      return await draftPayment(record, mostFee, { mostSetAside, sparesWaiting: true });
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'insufficient-funds') throw error;
      const unfinished = await (await database()).getAllFromIndex('payments', 'unfinished', 1);
      const leaving = unfinished.filter(
        ({ state, broadcast, id }) => state === 'signed' && broadcast.attempts === 0 && id !== record.id,
      );
      if (leaving.length === 0) return draftPayment(record, mostFee, { mostSetAside });
      const changes = leaving.map(({ id }) => nextChange(id));
      const still = await Promise.all(leaving.map(({ id }) => readPayment(id)));
      // One that moved on between the two looks may have brought its change already.
      if (still.every((one) => one?.state === 'signed' && one.broadcast.attempts === 0)) await Promise.race(changes);
    }
  }
}
