import { expect, expectTypeOf, test } from 'vitest';
import type * as z from 'zod/mini';
import { metadataOf } from './metadata.ts';
import type * as published from './payment-types.ts';
import type { cryptoResult, paymentOutput } from './payment.ts';
import { payment as schema } from './payment.ts';

test('the types are those of the schemas', () => {
  expectTypeOf<published.Payment>().toEqualTypeOf<z.infer<typeof schema>>();
  expectTypeOf<published.PaymentOutput>().toEqualTypeOf<z.infer<typeof paymentOutput>>();
  expectTypeOf<published.CryptoResult>().toEqualTypeOf<z.infer<typeof cryptoResult>>();
});

test('a payment of the type is one for the schema', () => {
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
  expect(schema.parse(payment)).toEqual(payment);
});
