/** Converts a payment to the format used by the API and webhooks. Pure. */
import type { PaymentResponse } from '../../protocol/http/api.ts';
import { isAssetName } from '../../protocol/assets/asset-name.ts';
import { metadataOf } from '../../protocol/payments/metadata.ts';
import type { StoredOutput } from '../../protocol/payments/payment-types.ts';
import type { StoredPayment } from './stored-payment.ts';
import { isChecked } from './check-operations.ts';
import { inUsd, sumsOf } from './sums.ts';
import { paidUnit, tokenIn } from './token.ts';
import { amountDeviates, worthOf } from './worth.ts';

export function paymentView({ payment, outputs }: StoredPayment): PaymentResponse {
  const views = outputs.map((output) => outputView(output, payment));
  const { input, spend, fee, change } = sumsOf(payment);
  return {
    payment: {
      id: payment.id,
      ...metadataOf(payment),
      status: payment.status,
      statusDescription: payment.statusDescription,
      network: payment.network,
      clientIdentifier: payment.clientIdentifier,
      txid: payment.txid,
      normalizedTxid: payment.normalizedTxid,
      // Verified values precede the sender's claims.
      satoshis: payment.satoshis.toString(),
      // A token output's single satoshi isn't the token's value.
      amountUsd: isAssetName(payment.currency) ? null : inUsd(payment.satoshis, payment.usdRate),
      serviceAmount: worthOf(payment.satoshis, payment),
      amountDeviates: amountDeviates({ payment, outputs }),
      amount: payment.amount,
      currency: paidUnit(payment.currency, payment),
      inputSatoshis: input?.toString() ?? null,
      spendSatoshis: spend?.toString() ?? null,
      feeSatoshis: fee?.toString() ?? null,
      changeSatoshis: change?.toString() ?? null,
      outputs: views,
      paymentOutputs: views,
      cryptoOperations: payment.cryptoOperations.map((operation) => ({ ...operation, checked: isChecked(operation) })),
      userId: payment.userId === null ? null : String(payment.userId),
      senderPaymail: payment.senderPaymail,
      refundSatoshis: payment.refundSatoshis?.toString() ?? null,
      refundedSatoshis: payment.refundedSatoshis.toString(),
      rawtx: hex(payment.rawtx),
      createdAt: payment.createdAt.toISOString(),
    },
    paymentOutputs: views,
  };
}

export function outputView(
  { recipientId, scripts, ...output }: StoredPayment['outputs'][number],
  payment: Pick<StoredPayment['payment'], 'tokenId' | 'assetId' | 'tokenValidity'>,
): StoredOutput {
  const { type, to, paymail, userId, address, script, amount, currency, satoshis } = output;
  const token = tokenIn({ currency, scripts });
  const given = recipientId === null ? null : scripts.map((one) => ({ script: one.script, satoshis: one.satoshis }));
  return {
    type,
    to,
    paymail,
    userId,
    address,
    script,
    amount,
    currency: paidUnit(currency, payment),
    satoshis: satoshis.toString(),
    scripts: given,
    ...(token && {
      token: { ...token, validity: payment.tokenValidity ?? 'unverified', assetId: payment.assetId },
    }),
  };
}

/** Converts bytes to hex, quickly even for megabytes. */
export function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}
