/**
 * The stored prompt of a payment. There is one from the page's request until the payment is decided, by the user or by
 * an allowance; both change in the same database transactions. What its window shows and a yes does: approval.ts.
 */
import { inTransaction, type WriteTransaction } from '../database.ts';
import { signalChange } from '../events.ts';
import { putPrompt, removePrompt, type PromptKey } from '../prompts/store.ts';
import type { PaymentRecord } from './record.ts';

/** What is stored with it: the fee that its window shows, in satoshis. */
export interface PaymentPromptDetails {
  feeSatoshis: bigint | null;
}

/** What names the prompt of a payment. */
export const promptKeyOf = ({ origin, id }: Pick<PaymentRecord, 'origin' | 'id'>): PromptKey => ({
  origin,
  message: id,
});

/**
 * Stores the prompt of a requested payment: `withheld` while an allowance may pay it yet. It is as old as the payment,
 * also where it is stored again: so an earlier run's is withdrawn unless a page still waits for it.
 */
export async function putPaymentPrompt(
  tx: WriteTransaction,
  record: PaymentRecord,
  state: 'withheld' | 'preparing',
): Promise<void> {
  await putPrompt<PaymentPromptDetails>(
    tx,
    'payment',
    promptKeyOf(record),
    { feeSatoshis: null },
    state,
    record.createdAt,
  );
}

/** Takes a payment that was never decided out of the store, as a part of more: asked again, it is a new one. */
export async function forgetIn(tx: WriteTransaction, record: PaymentRecord): Promise<void> {
  await tx.objectStore('payments').delete(record.id);
  await removePrompt(tx, promptKeyOf(record));
}

/** The same by itself. Does nothing to any other payment. */
export async function forgetRequest(id: string): Promise<void> {
  await inTransaction(async (tx) => {
    const record = await tx.objectStore('payments').get(id);
    if (record?.state === 'requested') await forgetIn(tx, record);
  });
  signalChange(id);
}
