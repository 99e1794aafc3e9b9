/** Sets up one-swipe payments: checks browser support, suggests limits, and parses input. */
import { fieldText } from '../../../protocol/money/typed-amount.ts';
import type { AllowanceView, Rate, WalletParams } from '../../../protocol/messages/wallet-messages.ts';
import { firstDraft, readDraft } from './allowance-terms.ts';
import { allowanceTexts, swipeTexts as t } from '../texts/texts.ts';

/** The suggested daily limit in US dollars. The limit per swipe is a tenth of it. */
const DOLLARS_A_DAY = 10;

/** True if this browser lets a wallet frame detect its own visibility, which swipes require. */
export const canSwipe = (): boolean =>
  typeof IntersectionObserverEntry === 'function' && 'isVisible' in IntersectionObserverEntry.prototype;

export interface SwipeDraft {
  currency: string;
  perSwipe: string;
  perDay: string;
}

/** Rounds to 1, 2 or 5 times a power of ten, choosing the number that differs by the smallest factor. */
function roundAmount(amount: number): number {
  const power = 10 ** Math.floor(Math.log10(amount));
  const steps = [1, 2, 5, 10].map((step) => step * power);
  return steps.reduce((best, step) =>
    Math.abs(Math.log(step / amount)) < Math.abs(Math.log(best / amount)) ? step : best,
  );
}

/**
 * Suggests about ten dollars a day, in the user's currency. The suggestions are empty if the currency's price is
 * unknown.
 */
export function suggestedLimits({ currency, price, dollar }: Rate): SwipeDraft {
  const perDay = dollar === undefined ? 0 : roundAmount((DOLLARS_A_DAY * Number(price)) / Number(dollar));
  if (perDay < 0.1) return { currency, perSwipe: '', perDay: '' };
  const text = (amount: number) => `${Number(amount.toPrecision(1))}`;
  return { currency, perSwipe: text(perDay / 10), perDay: text(perDay) };
}

/** Returns the form's initial values: the current limits if they are in the user's currency, otherwise suggestions. */
export function firstLimits(allowance: AllowanceView | null, rate: Rate): SwipeDraft {
  if (allowance?.currency !== rate.currency || allowance.perPayment === null) return suggestedLimits(rate);
  return { currency: rate.currency, perSwipe: fieldText(allowance.perPayment), perDay: fieldText(allowance.limit) };
}

/** Returns the limits to store, or the problem with the input. */
export function readLimits(
  { currency, perSwipe, perDay }: SwipeDraft,
  rate: Rate,
): { limits: WalletParams<'swipes/change'>; problem: null } | { limits: null; problem: string } {
  if (perSwipe.trim() === '' || perDay.trim() === '') return { limits: null, problem: t.missing };
  const draft = { ...firstDraft(null, [rate]), amount: perDay, currency, perPayment: perSwipe };
  const { terms, problems } = readDraft(draft, [rate]);
  if (terms?.perPayment) {
    const { period: _, ...limits } = terms;
    return { limits: { ...limits, perPayment: terms.perPayment }, problem: null };
  }
  const problem = problems?.amount ?? problems?.perPayment ?? t.missing;
  return { limits: null, problem: problem === allowanceTexts.moreThanLimit ? t.moreThanDay : problem };
}
