import { expect, test } from 'vitest';
import { METADATA, METADATA_NAMES, metadataOf } from './metadata.ts';
import { payment, paymentOptions } from './payment.ts';

test('metadata is extracted from the options, with null for missing fields', () => {
  const options = { outputs: [], buttonId: 'order-7' };
  const none = Object.fromEntries(METADATA_NAMES.map((name) => [name, null]));
  expect(metadataOf(options)).toEqual({ ...none, buttonId: 'order-7' });
});

test.each(METADATA_NAMES)('%s has a maximum length in requests, and may be null in payments', (name) => {
  const options = (length: number) => ({
    outputs: [{ to: '1', amount: '1', currency: 'USD' }],
    [name]: 'x'.repeat(length),
  });
  expect(paymentOptions.safeParse(options(METADATA[name])).success).toBe(true);
  expect(paymentOptions.safeParse(options(METADATA[name] + 1)).success).toBe(false);
  expect(payment.shape[name].safeParse(null).success).toBe(true);
});
