/** The payment object that the page's callback receives (specification, section 2.3). */
import { metadataOf } from '../../protocol/payments/metadata.ts';
import type { Payment } from '../../protocol/payments/payment.ts';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import type { Account } from '../../protocol/messages/wallet-messages.ts';
import type { PaymentRecord } from './record.ts';
import { statusOf } from './move.ts';
import { resultOf } from '../crypto-operations/outcome.ts';

/** The payment object of a signed payment. `account` is the sender's at the service. */
export function paymentObject(record: PaymentRecord, account: Pick<Account, 'id' | 'paymail'> | undefined): Payment {
  const { id, options, quote, signed } = record;
  if (!signed) throw new ServiceError('internal', { detail: `payment ${id} has no transaction` });
  const outputs = quote.outputs.map(({ scripts, host, ...output }) => output);
  return {
    id,
    ...metadataOf(options),
    status: statusOf(record),
    txid: signed.txid,
    normalizedTxid: signed.normalizedTxid,
    amount: quote.amount,
    currency: quote.currency,
    satoshis: quote.satoshis.toString(),
    outputs,
    paymentOutputs: outputs,
    cryptoOperations: (record.operations ?? []).map(resultOf),
    userId: account?.id ?? null,
    senderPaymail: account?.paymail ?? null,
    amountUsd: quote.amountUsd ?? null,
    rawtx: signed.rawtx,
  };
}
