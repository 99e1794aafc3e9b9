/** The payment object that the page's callback gets (specification, section 2.3). */
import type { Payment } from '../../../protocol/payment.ts';
import { ServiceError } from '../../../protocol/errors.ts';
import { resultOf } from '../crypto-operations/run.ts';
import { statusOf, type PaymentRecord } from './record.ts';

/** The payment object of a signed payment. `userId` is the sender's at the service, null without an account. */
export function paymentObject(record: PaymentRecord, userId: string | null): Payment {
  const { id, options, quote, signed } = record;
  if (!quote || !signed) throw new ServiceError('internal', { detail: `payment ${id} has no transaction` });
  return {
    id,
    buttonId: options.buttonId ?? null,
    buttonData: options.buttonData ?? null,
    status: statusOf(record),
    txid: signed.txid,
    normalizedTxid: signed.normalizedTxid,
    amount: quote.amount,
    currency: quote.currency,
    satoshis: quote.satoshis.toString(),
    outputs: quote.outputs.map(({ scripts, host, ...output }) => output),
    cryptoOperations: (record.operations ?? []).map(resultOf),
    userId,
    rawtx: signed.rawtx,
  };
}
