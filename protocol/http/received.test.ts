import { describe, expect, test } from 'vitest';
import type * as z from 'zod/mini';
import * as received from './received.ts';
import { readAnswer } from './testing-members.ts';

const TXID = '0123456789abcdef'.repeat(4);
const output = { script: '76a9', satoshis: '1', index: 0 };
const transaction = {
  id: 'one',
  txid: TXID,
  rawtx: '00ff',
  satoshis: '700',
  outputs: [output],
  paymentId: 'p',
  sender: 'bob@two.example',
  senderVerified: true,
  note: 'for lunch',
  createdAt: '2026-01-01T00:00:00.000Z',
};
const takes = (schema: z.ZodMiniType, value: unknown) => schema.safeParse(value).success;
const many = <T>(length: number, one: T) => Array.from({ length }, () => one);
const isTaken = (change: object) => takes(received.receivedTransaction, { ...transaction, ...change });

describe('a received transaction', () => {
  test('a received transaction is parsed with all known members, and unknown ones are dropped', () => {
    expect(readAnswer(received.receivedTransaction, transaction)).toEqual({ read: transaction, optional: [] });
    const unknown = { ...transaction, sender: null, senderVerified: false, note: null };
    expect(received.receivedTransaction.parse(unknown)).toEqual(unknown);
  });

  test('a received transaction has an ID of at most 100 characters, and 1 to 50 outputs', () => {
    expect([100, 101].map((length) => isTaken({ id: 'x'.repeat(length) }))).toEqual([true, false]);
    expect([0, 1, 50, 51].map((length) => isTaken({ outputs: many(length, output) }))).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });

  test('a received transaction pays addresses with any non-hardened index (BIP 32)', () => {
    const at = (index: unknown) => isTaken({ outputs: [{ ...output, index }] });
    expect([-1, 0, 0x7fff_ffff, 0x8000_0000, 0.5, '0'].map(at)).toEqual([false, true, true, false, false, false]);
  });

  test('a received transaction pays an amount in satoshis of at most 16 digits', () => {
    for (const satoshis of ['0', '9'.repeat(16)])
      expect([isTaken({ satoshis }), isTaken({ outputs: [{ ...output, satoshis }] })], satoshis).toEqual([true, true]);
    for (const satoshis of ['', '9'.repeat(17), '-1', '1.5', 1])
      expect([isTaken({ satoshis }), isTaken({ outputs: [{ ...output, satoshis }] })], `${satoshis}`).toEqual([
        false,
        false,
      ]);
  });

  test.each(['', '0', '000', 'x00', '00x', '0g', 'AB', '00\n', 12])(
    'a received transaction and its scripts are hexadecimal, not %j',
    (hex) => {
      expect([isTaken({ rawtx: hex }), isTaken({ outputs: [{ ...output, script: hex }] })]).toEqual([false, false]);
    },
  );

  test.each([TXID.slice(1), `${TXID}0`, `0${TXID}`, TXID.toUpperCase(), ''])(
    'a received transaction rejects the ID %j',
    (txid) => {
      expect(isTaken({ txid })).toBe(false);
    },
  );
});

test('a query begins after an ID of at most 100 characters, or at the beginning', () => {
  const asks = (query: object) => takes(received.receivedQuery, query);
  expect(received.receivedQuery.parse({ after: 'x'.repeat(100) })).toEqual({ after: 'x'.repeat(100) });
  expect([{}, { after: 'x'.repeat(101) }, { limit: '1' }].map(asks)).toEqual([true, false, false]);
});

test('1 to 100 transactions are acknowledged together, by IDs of 1 to 100 characters', () => {
  const acknowledges = (ids: unknown) => takes(received.acknowledgement, { ids });
  expect(received.acknowledgement.parse({ ids: ['one', 'two'] })).toEqual({ ids: ['one', 'two'] });
  expect([0, 1, 100, 101].map((length) => acknowledges(many(length, 'one')))).toEqual([false, true, true, false]);
  expect([0, 1, 100, 101].map((length) => acknowledges(['x'.repeat(length)]))).toEqual([false, true, true, false]);
  for (const wrong of [{}, { ids: 'one' }, { ids: [1] }, { ids: ['one'], all: true }])
    expect(takes(received.acknowledgement, wrong), JSON.stringify(wrong)).toBe(false);
});

test.each<[string, z.ZodMiniType, object]>([
  ['received transactions', received.receivedResponse, { received: [transaction], more: false }],
  ['an acknowledgement', received.acknowledgementResponse, { acknowledged: 1 }],
  ['a paymail', received.userPaymailResponse, { id: '1001', paymail: 'alice@example.com', name: 'Alice' }],
])('the response of %s has all listed members, and no others', (_, schema, whole) => {
  expect(readAnswer(schema, whole)).toEqual({ read: whole, optional: [] });
});
