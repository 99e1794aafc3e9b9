import type {
  IncludedResource,
  OperationResource,
  OutputResource,
  PaymentResource,
} from '../../../protocol/compat/api-v1.ts';
import { isAssetName } from '../../../protocol/assets/asset-name.ts';
import type { StoredPayment } from '../../payments/stored-payment.ts';
import { isChecked } from '../../payments/check-operations.ts';
import { inUsd, sumsOf } from '../../payments/sums.ts';
import { paidUnit } from '../../payments/token.ts';
import { hex, outputView } from '../../payments/view.ts';
import { amountDeviates, worthOf } from '../../payments/worth.ts';

/** A payment with its included resources: outputs and crypto operations. */
export interface PaymentResources {
  payment: PaymentResource;
  included: IncludedResource[];
}

export function paymentResources({
  payment,
  outputs,
  rawtxListed = true,
}: StoredPayment & { rawtxListed?: boolean }): PaymentResources {
  const { input, spend, fee, change } = sumsOf(payment);
  const createdAt = payment.createdAt.toISOString();
  const usd = (satoshis: bigint | null) => inUsd(satoshis, payment.usdRate);
  const outputResources = outputs.map((output): OutputResource => {
    const { currency, token } = outputView(output, payment);
    return {
      id: `${payment.id}-${output.position}`,
      type: 'payment-outputs',
      attributes: {
        type: output.type,
        'output-type': output.type,
        'created-at': createdAt,
        to: output.to,
        paymail: output.paymail,
        'user-paymail': output.paymail,
        'user-id': output.userId,
        address: output.address,
        script: output.script,
        amount: output.amount,
        // A token output's single satoshi isn't the token's value.
        'amount-usd': isAssetName(output.currency) ? null : usd(output.satoshis),
        currency,
        satoshis: String(output.satoshis),
        'token-id': token?.id ?? null,
        'token-units': token?.units ?? null,
        'token-validity': token?.validity ?? null,
        'asset-id': token?.assetId ?? null,
      },
    };
  });
  const operationResources = payment.cryptoOperations.map((operation): OperationResource => ({
    id: `${payment.id}-${operation.id}`,
    type: 'crypto-operations',
    attributes: {
      name: operation.name,
      method: operation.method,
      data: operation.data,
      'data-encoding': operation.dataEncoding,
      value: operation.value,
      'value-encoding': operation.valueEncoding,
      key: operation.key,
      algorithm: operation.algorithm,
      'public-key': operation.publicKey,
      paymail: operation.paymail,
      signature: operation.signature,
      verified: operation.verified,
      checked: isChecked(operation),
    },
  }));
  const references = (resources: readonly IncludedResource[]) => ({
    data: resources.map(({ id, type }) => ({ id, type })),
  });
  return {
    payment: {
      id: payment.id,
      type: 'payments',
      attributes: {
        'created-at': createdAt,
        'user-id': payment.userId === null ? null : String(payment.userId),
        'user-paymail': payment.senderPaymail,
        'client-identifier': payment.clientIdentifier,
        txid: payment.txid,
        'normalized-txid': payment.normalizedTxid,
        amount: payment.amount,
        currency: paidUnit(payment.currency, payment),
        satoshis: String(payment.satoshis),
        status: payment.status,
        'status-description': payment.statusDescription,
        'button-id': payment.buttonId,
        'button-data': payment.buttonData,
        'payer-note': payment.payerNote,
        'amount-usd': isAssetName(payment.currency) ? null : usd(payment.satoshis),
        'service-amount': worthOf(payment.satoshis, payment),
        'amount-deviates': amountDeviates({ payment, outputs }),
        'input-amount-usd': usd(input),
        'input-amount-satoshis': input?.toString() ?? null,
        'spend-amount-usd': usd(spend),
        'spend-amount-satoshis': spend?.toString() ?? null,
        'fee-amount-usd': usd(fee),
        'fee-amount-satoshis': fee?.toString() ?? null,
        'change-amount-usd': usd(change),
        'change-amount-satoshis': change?.toString() ?? null,
        rawtx: rawtxListed ? hex(payment.rawtx) : null,
      },
      relationships: {
        'payment-outputs': references(outputResources),
        'crypto-operations': references(operationResources),
      },
    },
    included: [...outputResources, ...operationResources],
  };
}
