import { toWireError } from '../../protocol/errors/service-error.ts';
import { parseDecimal } from '../../protocol/money/money.ts';
import type { Money, PageParams } from '../../protocol/messages/page-messages.ts';
import { rateOf } from '../chain/rates.ts';
import { unitsOf } from './decide.ts';
import type { SuggestedAllowance } from './allowance.ts';
import type { Wallet } from '../platform.ts';

type SuggestedAmounts = Pick<PageParams<'allowance/ask'>, 'suggestedAmount' | 'minimumAmount'>;

/**
 * Validates a page's suggestion for an allowance. An unavailable rate isn't an error.
 * @throws ServiceError `invalid-amount`, `invalid-currency`
 */
export async function readSuggestion(
  wallet: Wallet,
  { suggestedAmount, minimumAmount }: SuggestedAmounts,
): Promise<SuggestedAllowance> {
  return { suggested: await readMoney(wallet, suggestedAmount), minimum: await readMoney(wallet, minimumAmount) };
}

async function readMoney(wallet: Wallet, money: Money | undefined): Promise<Money | null> {
  if (!money || parseDecimal(money.amount).units === 0n) return null;
  unitsOf(money.amount);
  await rateOf(wallet, money.currency).catch((error: unknown) => {
    if (toWireError(error).code === 'invalid-currency') throw error;
  });
  return money;
}

/** Returns the currencies used in a suggestion. */
export function currenciesOf({ suggested, minimum }: SuggestedAllowance): string[] {
  return [suggested?.currency, minimum?.currency].filter((code) => code !== undefined);
}
