/**
 * The stored prompt of a payment. It exists from the page's request until the user or an allowance decides, and both
 * change in the same database transactions. approval.ts has its view and approval.
 */
import type { WriteTransaction } from '../store/database.ts';
import type { PromptState } from '../prompts/prompt.ts';
import { putPrompt, type PromptKey } from '../prompts/store.ts';
import type { PaymentRequest } from './record.ts';
import type { Wallet } from '../platform.ts';

/** A split of a coin that an action needs first: satoshis of the piece, and its fee. */
export interface SplitFirst {
  satoshis: bigint;
  feeSatoshis: bigint;
}

/**
 * The stored details for its window: the fee (including a split's) and the coins that it reserves, in satoshis, and
 * whether it warns that the payment may be made twice.
 */
export interface PaymentPromptDetails {
  feeSatoshis: bigint | null;
  setAside?: bigint;
  splitFirst?: SplitFirst;
  /** The action needs all of the user's money. */
  takesLast?: true;
  mayPayTwice?: true;
}

export const promptKeyOf = ({ origin, id }: Pick<PaymentRequest, 'origin' | 'id'>): PromptKey => ({
  origin,
  message: id,
});

/**
 * Stores the prompt of a payment: `withheld` while an allowance may still pay it. It keeps the time of the page's
 * request, so that an earlier worker's prompt is withdrawn unless a page still waits for it.
 */
export async function putPaymentPrompt(
  wallet: Wallet,
  tx: WriteTransaction,
  request: Pick<PaymentRequest, 'id' | 'origin' | 'createdAt'>,
  state: PromptState,
): Promise<void> {
  await putPrompt<PaymentPromptDetails>(
    wallet,
    tx,
    'payment',
    promptKeyOf(request),
    { feeSatoshis: null },
    state,
    request.createdAt,
  );
}
