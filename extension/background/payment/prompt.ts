/**
 * The stored prompt of a payment. There is one from the page's request until the payment is decided, by the user or by
 * an allowance; both change in the same database transactions. What its window shows and a yes does: approval.ts.
 */
import type { WriteTransaction } from '../database.ts';
import type { PromptState } from '../prompts/prompt.ts';
import { putPrompt, type PromptKey } from '../prompts/store.ts';
import type { PaymentRequest } from './record.ts';

/** A split of a coin that an action needs before: satoshis of the piece, and its fee. */
export interface SplitFirst {
  satoshis: bigint;
  feeSatoshis: bigint;
}

/**
 * What is stored with it, as its window shows it: the fee (with that of a split) and the coins that it sets aside, in
 * satoshis, and whether it warns that the payment may be made twice.
 */
export interface PaymentPromptDetails {
  feeSatoshis: bigint | null;
  setAside?: bigint;
  splitFirst?: SplitFirst;
  /** The action needs all of the user's money. */
  takesLast?: true;
  mayPayTwice?: true;
}

/** What names the prompt of a payment. */
export const promptKeyOf = ({ origin, id }: Pick<PaymentRequest, 'origin' | 'id'>): PromptKey => ({
  origin,
  message: id,
});

/**
 * Stores the prompt of a payment: `withheld` while an allowance may pay it yet. It is as old as the page's request,
 * also where it is stored again: so an earlier run's is withdrawn unless a page still waits for it.
 */
export async function putPaymentPrompt(
  tx: WriteTransaction,
  request: PaymentRequest,
  state: PromptState,
): Promise<void> {
  await putPrompt<PaymentPromptDetails>(
    tx,
    'payment',
    promptKeyOf(request),
    { feeSatoshis: null },
    state,
    request.createdAt,
  );
}
