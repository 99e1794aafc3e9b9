/** Test data: a payment as stored by the service, with only the required fields. */
import type { PaymentResponse } from '../http/api.ts';
import { metadataOf } from './metadata.ts';

export const leastStoredPayment: PaymentResponse['payment'] = {
  id: 'p',
  ...metadataOf({}),
  status: 'RECEIVED',
  txid: 't',
  normalizedTxid: 'n',
  amount: '1',
  currency: 'USD',
  satoshis: '2000',
  outputs: [],
  paymentOutputs: [],
  cryptoOperations: [],
  userId: null,
  senderPaymail: null,
  amountUsd: null,
  rawtx: '00',
  statusDescription: null,
  network: 'seen',
  clientIdentifier: null,
  serviceAmount: null,
  amountDeviates: null,
  inputSatoshis: null,
  spendSatoshis: null,
  feeSatoshis: null,
  changeSatoshis: null,
  refundSatoshis: null,
  refundedSatoshis: '0',
  createdAt: '2026-01-31T23:59:59.000Z',
};
