import { expect, expectTypeOf, test } from 'vitest';
import { metadataOf } from '../../protocol/metadata.ts';
import * as protocol from '../../protocol/payment.ts';
import type * as published from './payment-types.ts';

test('the published types are those of the protocol', () => {
  expectTypeOf<published.Payment>().toEqualTypeOf<protocol.Payment>();
  expectTypeOf<published.PaymentOutput>().toEqualTypeOf<protocol.PaymentOutput>();
  expectTypeOf<published.PaymentStatus>().toEqualTypeOf<protocol.PaymentStatus>();
  expectTypeOf<published.RecipientKind>().toEqualTypeOf<protocol.RecipientKind>();
  expectTypeOf<published.CryptoMethod>().toEqualTypeOf<protocol.CryptoMethod>();
  expectTypeOf<published.CryptoResult>().toEqualTypeOf<protocol.CryptoResult>();
});

test('a payment of the published type is one for the protocol', () => {
  const outputs: published.PaymentOutput[] = [
    {
      type: 'USER',
      to: '1',
      paymail: null,
      userId: '1',
      address: null,
      script: null,
      amount: '0.10',
      currency: 'USD',
      satoshis: '200000',
    },
  ];
  const payment: published.Payment = {
    id: 'p',
    ...metadataOf({}),
    status: 'RECEIVED',
    txid: 't',
    normalizedTxid: 'n',
    amount: '0.10',
    currency: 'USD',
    satoshis: '200000',
    cryptoOperations: [],
    userId: '1',
    senderPaymail: 'ada@pay.example',
    amountUsd: '0.10',
    rawtx: '00',
    outputs,
    paymentOutputs: outputs,
  };
  expect(protocol.payment.parse(payment)).toEqual(payment);
});
