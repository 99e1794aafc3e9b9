import { describe, expect, test } from 'vitest';
import type * as z from 'zod/mini';
import { MAX_PAYMAIL } from '../payments/limits.ts';
import {
  MAX_RECORDS_PER_REQUEST,
  receivedRecord,
  recordsList,
  recordsQuery,
  recordsResponse,
  sentRecord,
} from './records.ts';
import { readAnswer } from './testing-members.ts';

const TXID = '0123456789abcdef'.repeat(4);
const script = { script: '76a9', satoshis: '0' };
const output = { type: 'PAYMAIL', to: 'bob@two.example', scripts: [script] };
const sent = {
  txid: TXID,
  origin: 'https://shop.example',
  clientIdentifier: 'shop',
  label: 'A book',
  buttonId: 'b',
  buttonData: '{}',
  refundOf: 'r',
  outputs: [output],
};
const received = { txid: TXID, scripts: [script], sender: 'bob@two.example', senderVerified: true, note: 'for lunch' };

const takes = (schema: z.ZodMiniType, value: unknown) => schema.safeParse(value).success;
const many = <T>(length: number, one: T) => Array.from({ length }, () => one);
const takesSent = (change: object) => takes(sentRecord, { ...sent, ...change });
const takesReceived = (change: object) => takes(receivedRecord, { ...received, ...change });

describe('the query', () => {
  const asks = (txids: string) => takes(recordsQuery, { txids });

  test('the query has 1 to 50 transactions', () => {
    expect(
      [1, 2, MAX_RECORDS_PER_REQUEST, MAX_RECORDS_PER_REQUEST + 1].map((length) => asks(many(length, TXID).join(','))),
    ).toEqual([true, true, true, false]);
  });

  test.each([
    '',
    ',',
    `${TXID},`,
    `,${TXID}`,
    `${TXID},,${TXID}`,
    `${TXID} ${TXID}`,
    `${TXID}, ${TXID}`,
    `${TXID}${TXID}`,
    TXID.slice(1),
    `${TXID},${TXID.slice(1)}`,
    TXID.toUpperCase(),
    `${TXID}\n`,
  ])('the query can’t be %j', (txids) => {
    expect(asks(txids)).toBe(false);
  });

  test('the query rejects other members', () => {
    expect(takes(recordsQuery, { txids: TXID, limit: '1' })).toBe(false);
    expect(takes(recordsQuery, {})).toBe(false);
  });
});

describe('a reported payment', () => {
  test('a reported payment is parsed with all known members, and unknown ones are dropped', () => {
    const known = { ...sent, serviceAmount: '0.10', currency: 'USD' };
    expect(readAnswer(sentRecord, known)).toEqual({ read: known, optional: ['serviceAmount', 'currency'] });
  });

  test.each([
    { origin: null, clientIdentifier: null, label: null, buttonId: null, buttonData: null, refundOf: null },
    { serviceAmount: null },
    { serviceAmount: '12' },
    { serviceAmount: '0.01' },
    { currency: 'gold@pay.example' },
    { outputs: [{ ...output, type: 'SCRIPT', to: '', scripts: [] }] },
    { outputs: [{ ...output, scripts: [{ ...script, satoshis: '9'.repeat(16) }] }] },
  ])('a reported payment with %j is valid', (change) => {
    expect(sentRecord.parse({ ...sent, ...change })).toEqual({ ...sent, ...change });
  });

  test.each([
    { txid: TXID.slice(1) },
    { txid: `${TXID}0` },
    { txid: `0${TXID}` },
    { txid: TXID.toUpperCase() },
    { serviceAmount: '' },
    { serviceAmount: '-1' },
    { serviceAmount: '1.' },
    { serviceAmount: '.1' },
    { serviceAmount: '1.x' },
    { serviceAmount: '1x' },
    { serviceAmount: '1e3' },
    { serviceAmount: 1 },
    { currency: 'Usd' },
    { currency: null },
    { outputs: [{ ...output, type: 'BANK' }] },
    { outputs: [{ ...output, scripts: [{ ...script, script: '' }] }] },
    { outputs: [{ ...output, scripts: [{ ...script, script: '76a' }] }] },
    { outputs: [{ ...output, scripts: [{ ...script, script: 'x76a9' }] }] },
    { outputs: [{ ...output, scripts: [{ ...script, script: '76a9x' }] }] },
    { outputs: [{ ...output, scripts: [{ ...script, script: '76A9' }] }] },
    { outputs: [{ ...output, scripts: [{ ...script, satoshis: '' }] }] },
    { outputs: [{ ...output, scripts: [{ ...script, satoshis: '-1' }] }] },
    { outputs: [{ ...output, scripts: [{ ...script, satoshis: '1.5' }] }] },
    { outputs: [{ ...output, scripts: [{ ...script, satoshis: '9'.repeat(17) }] }] },
  ])('a reported payment with %j is rejected', (change) => {
    expect(takesSent(change)).toBe(false);
  });

  test.each<[string, number, (text: string) => object]>([
    ['origin', 300, (origin) => ({ origin })],
    ['clientIdentifier', 100, (clientIdentifier) => ({ clientIdentifier })],
    ['label', 200, (label) => ({ label })],
    ['buttonId', 1000, (buttonId) => ({ buttonId })],
    ['buttonData', 20_000, (buttonData) => ({ buttonData })],
    ['refundOf', 36, (refundOf) => ({ refundOf })],
    ['serviceAmount', 40, (serviceAmount) => ({ serviceAmount })],
    ['recipient', MAX_PAYMAIL, (to) => ({ outputs: [{ ...output, to }] })],
    ['script', 1000, (hex) => ({ outputs: [{ ...output, scripts: [{ ...script, script: hex }] }] })],
  ])('a reported payment accepts a text %s of at most %d characters', (_, most, made) => {
    // The value consists of digits, which are valid in every field. A script in hex must have an even number of digits.
    expect([most, most + 1, most + 2].map((length) => takesSent(made('1'.repeat(length))))).toEqual([
      true,
      false,
      false,
    ]);
  });

  test('a reported payment has 1 to 100 outputs, each with at most 100 scripts', () => {
    expect([0, 1, 100, 101].map((length) => takesSent({ outputs: many(length, output) }))).toEqual([
      false,
      true,
      true,
      false,
    ]);
    const scripts = (length: number) => takesSent({ outputs: [{ ...output, scripts: many(length, script) }] });
    expect([0, 100, 101].map(scripts)).toEqual([true, true, false]);
  });
});

describe('a received transaction', () => {
  test('a received transaction is parsed with all known members, and unknown ones are dropped', () => {
    expect(readAnswer(receivedRecord, received)).toEqual({ read: received, optional: [] });
    const unknown = { ...received, scripts: [], sender: null, senderVerified: false, note: null };
    expect(receivedRecord.parse(unknown)).toEqual(unknown);
  });

  test('a received transaction has a sender of at most 320 characters, a note of at most 500, and at most 100 scripts', () => {
    const sender = (length: number) => takesReceived({ sender: 'x'.repeat(length) });
    const note = (length: number) => takesReceived({ note: 'x'.repeat(length) });
    const scripts = (length: number) => takesReceived({ scripts: many(length, script) });
    expect([MAX_PAYMAIL, MAX_PAYMAIL + 1].map(sender)).toEqual([true, false]);
    expect([500, 501].map(note)).toEqual([true, false]);
    expect([100, 101].map(scripts)).toEqual([true, false]);
  });

  test.each([{ txid: '' }, { senderVerified: 'true' }, { scripts: [{ ...script, script: '' }] }])(
    'a received transaction with %j is rejected',
    (change) => {
      expect(takesReceived(change)).toBe(false);
    },
  );
});

test('the response requires both lists, limits their length, and an invalid record hides no others', () => {
  const answer = { sent: [sent], received: [received] };
  expect(recordsResponse.parse(answer)).toEqual(answer);
  expect(takes(recordsResponse, { sent: [null], received: [] })).toBe(false);
  expect(recordsList.parse({ sent: [null, sent], received: ['x'] })).toEqual({ sent: [null, sent], received: ['x'] });
  const listed = (ofSent: number, ofReceived: number) =>
    takes(recordsList, { sent: many(ofSent, sent), received: many(ofReceived, received) });
  expect([listed(50, 200), listed(51, 0), listed(0, 201)]).toEqual([true, false, false]);
  expect([takes(recordsList, { sent: [] }), takes(recordsList, { received: [] })]).toEqual([false, false]);
});
