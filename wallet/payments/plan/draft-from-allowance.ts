/** Plans a payment from an allowance: the transaction with the current coins, and the debit's exchange rate. */
import { ServiceError } from '../../../protocol/errors/service-error.ts';
import type { Rate } from '../../../protocol/messages/wallet-messages.ts';
import { rateOf } from '../../chain/rates.ts';
import { inTransaction, readTransaction, database } from '../../store/database.ts';
import { draftPayment } from './build.ts';
import type { Draft } from './draft.ts';
import { outcomeOf } from '../outcome.ts';
import type { PaymentRecord } from '../record.ts';
import { allowanceKeyOf, reservesCoins } from '../move.ts';
import { reservableSatoshis } from '../set-aside.ts';
import { lightUnfinished } from '../store.ts';
import type { Wallet } from '../../platform.ts';

export interface DraftFromAllowance {
  draft: Draft;
  rate: Rate;
}

/**
 * Plans a payment without a prompt.
 * @param currency the allowance's currency
 * @throws ServiceError `rate-unavailable`, `rates-differ`, `invalid-currency`, and those of {@link draftPayment}
 */
export async function draftFromAllowance(
  wallet: Wallet,
  record: PaymentRecord,
  currency: string,
): Promise<DraftFromAllowance> {
  const rate = await sureRate(wallet, record, currency);
  const asked = { origin: record.origin, key: allowanceKeyOf(record), price: rate.price };
  const room = reservesCoins(record)
    ? await inTransaction(wallet, (tx) => reservableSatoshis(wallet, tx, asked))
    : null;
  return { draft: await draftWithReturningCoins(wallet, record, room), rate };
}

/**
 * Returns the exchange rate of an allowance's currency. The dollar rates of the allowance and the quote must come from
 * two sources each, because a single source could dictate the value of the user's coins. Other currencies' rates
 * aren't compared between sources, so the allowance's ceiling limits the spending (wallet/allowances/decide.ts).
 * @throws ServiceError `rate-unavailable`, `rates-differ`, `invalid-currency`
 */
async function sureRate(wallet: Wallet, { quote }: Pick<PaymentRecord, 'quote'>, currency: string): Promise<Rate> {
  const rate = await rateOf(wallet, currency);
  if (rate.sources !== 2 || (quote.currency !== 'BSV' && quote.rate?.sources !== 2))
    throw new ServiceError('rate-unavailable', { detail: 'the rate has a single source' });
  return rate;
}

/**
 * Plans a payment like {@link draftPayment}. If there isn't enough money while another payment is being broadcast,
 * waits for that payment's change, so payments in quick succession from one coin succeed.
 */
async function draftWithReturningCoins(
  wallet: Wallet,
  record: PaymentRecord,
  mostSetAside: bigint | null,
): Promise<Draft> {
  const mostFee = record.feeLimit ?? undefined;
  for (;;) {
    try {
      return await draftPayment(wallet, record, mostFee, { mostSetAside, sparesWaiting: true });
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'insufficient-funds') throw error;
      const unfinished = await lightUnfinished(wallet, readTransaction(await database(wallet)));
      const leaving = unfinished.filter((one) => isLeaving(one) && one.id !== record.id);
      if (leaving.length === 0) return draftPayment(wallet, record, mostFee, { mostSetAside });
      await Promise.race(leaving.map(({ id }) => hasChanged(wallet, id)));
    }
  }
}

const isLeaving = ({ state, broadcast }: PaymentRecord) => state === 'signed' && broadcast.attempts === 0;

/** Resolves at the next change of a payment, or immediately if it has already changed. */
function hasChanged(wallet: Wallet, id: string): Promise<true> {
  let reads = 0;
  return outcomeOf(wallet, id, (one) => {
    reads += 1;
    return reads === 1 && one && isLeaving(one) ? undefined : true;
  });
}
