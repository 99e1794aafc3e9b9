import { describe, expect, test } from 'vitest';
import type * as z from 'zod/mini';
import * as api from './api.ts';
import { MAX_CRYPTO_OPERATIONS } from '../payments/limits.ts';
import { readAnswer } from './testing-members.ts';
import { leastStoredPayment } from '../payments/testing-payment.ts';
import { LATER_METADATA } from '../payments/metadata.ts';

const KEY = `02${'0a'.repeat(32)}`;
const SIGNATURE = `${'aZ09+/x'.repeat(12)}abc=`;
const NONCE = 'aZ09-_xxxxxxxxxx';
const registration = { handle: 'alice', name: 'Alice', receivingXpub: `xpub${'6'.repeat(107)}` };
const takes = (schema: z.ZodMiniType, value: unknown) => schema.safeParse(value).success;

describe('a handle', () => {
  test.each(['abc', '1ab', 'a-1.b', 'a'.repeat(30), '007.agent', '12345a'])('a handle may be %s', (handle) => {
    expect(takes(api.handle, handle)).toBe(true);
  });

  test.each([
    '',
    'ab',
    'a'.repeat(31),
    '123',
    '1.2-3',
    'Alice',
    'a_b',
    'älice',
    '.abc',
    '-abc',
    'abc.',
    'abc-',
    'a..b',
    'a.-b',
    'a b',
    'abc\n',
    'alice@example.com',
  ])('a handle can’t be %j', (handle) => {
    expect(takes(api.handle, handle)).toBe(false);
  });
});

test.each([KEY, `03${'f9'.repeat(32)}`])('%s has the form of a public key', (key) => {
  expect(takes(api.publicKey, key)).toBe(true);
});

test.each([
  `04${'ab'.repeat(32)}`,
  `12${'ab'.repeat(32)}`,
  KEY.toUpperCase(),
  `${KEY}0`,
  KEY.slice(1),
  ` ${KEY}`,
  `0${KEY}`,
])('%s does not have the form of a public key', (key) => {
  expect(takes(api.publicKey, key)).toBe(false);
});

describe('a registration', () => {
  test.each([
    {},
    { name: '' },
    { name: 'x'.repeat(100) },
    { receivingXpub: `tpub${'z'.repeat(100)}` },
    { receivingXpub: `xpub${'19AHJNPZakmz'.repeat(9)}aaaaaaa` },
  ])('a registration with %j is valid', (more) => {
    expect(api.registration.parse({ ...registration, ...more })).toEqual({ ...registration, ...more });
  });

  test.each([
    { handle: 'Alice' },
    { handle: undefined },
    { name: undefined },
    { name: 'x'.repeat(101) },
    { receivingXpub: undefined },
    { receivingXpub: `xprv${'6'.repeat(107)}` },
    { receivingXpub: `ypub${'6'.repeat(107)}` },
    { receivingXpub: `xpub${'6'.repeat(99)}` },
    { receivingXpub: `xpub${'6'.repeat(116)}` },
    { receivingXpub: `xpub${'6'.repeat(106)}0` },
    { receivingXpub: `xpub${'6'.repeat(106)}l` },
    { receivingXpub: `xpub${'6'.repeat(107)}\n` },
    { receivingXpub: ` xpub${'6'.repeat(107)}` },
    { paymail: 'alice@example.com' },
  ])('a registration with %j is rejected', (more) => {
    expect(takes(api.registration, { ...registration, ...more })).toBe(false);
  });
});

describe('a sign-in of the wallet', () => {
  const signed = { publicKey: KEY, nonce: NONCE, signature: SIGNATURE };

  test('a sign-in has a key, then a nonce and a signature; a registration also has the account’s fields', () => {
    expect(api.challengeRequest.parse({ publicKey: KEY })).toEqual({ publicKey: KEY });
    expect(api.challengeRequest.parse({ publicKey: KEY, register: registration })).toEqual({
      publicKey: KEY,
      register: registration,
    });
    expect(api.signedChallenge.parse(signed)).toEqual(signed);
    expect(api.signedRegistration.parse(signed)).toEqual(signed);
    const asked = { ...signed, register: registration };
    expect(api.signedRegistration.parse(asked)).toEqual(asked);
  });

  test('a sign-in rejects null as registration', () => {
    expect(takes(api.challengeRequest, { publicKey: KEY, register: null })).toBe(false);
    expect(takes(api.signedRegistration, { ...signed, register: null })).toBe(false);
  });

  test('a sign-in rejects other members', () => {
    expect(takes(api.challengeRequest, { publicKey: KEY, message: 'x' })).toBe(false);
    expect(takes(api.signedChallenge, { ...signed, register: registration })).toBe(false);
    expect(takes(api.signedRegistration, { ...signed, message: 'x' })).toBe(false);
    expect(takes(api.challengeRequest, { publicKey: KEY, register: { ...registration, id: '1' } })).toBe(false);
  });

  test.each([
    { publicKey: undefined },
    { publicKey: KEY.toUpperCase() },
    { nonce: undefined },
    { nonce: 'x'.repeat(15) },
    { nonce: 'x'.repeat(101) },
    { nonce: `.${NONCE}` },
    { nonce: `${NONCE}.` },
    { signature: undefined },
    { signature: `${SIGNATURE}=` },
    { signature: `=${SIGNATURE}` },
    { signature: SIGNATURE.slice(1) },
    { signature: `x${SIGNATURE}` },
    { signature: SIGNATURE.replace('+', '-') },
  ])('a sign-in can’t be %j', (more) => {
    expect(takes(api.signedChallenge, { ...signed, ...more })).toBe(false);
    expect(takes(api.signedRegistration, { ...signed, ...more })).toBe(false);
  });

  test('a sign-in has a nonce of 16 to 100 characters', () => {
    const nonces = ['x'.repeat(16), NONCE, 'x'.repeat(100)];
    expect(nonces.filter((nonce) => !takes(api.signedChallenge, { ...signed, nonce }))).toEqual([]);
  });
});

test('a text to sign has at most 4000 characters', () => {
  const answer = (length: number) => ({ nonce: NONCE, message: 'x'.repeat(length), expiresAt: 't' });
  expect([4000, 4001].map((length) => takes(api.challengeResponse, answer(length)))).toEqual([true, false]);
  expect(takes(api.challengeResponse, { ...answer(1), nonce: 'short' })).toBe(false);
});

const output = {
  type: 'USER',
  to: '1001',
  paymail: null,
  userId: '1001',
  address: null,
  script: null,
  amount: '1',
  currency: 'USD',
  satoshis: '2000',
};
const operation = {
  id: '1',
  name: 'a',
  method: 'public-key',
  data: null,
  dataEncoding: null,
  value: KEY,
  valueEncoding: 'hex',
  key: 'identity',
  algorithm: null,
  publicKey: null,
  paymail: null,
  signature: null,
  verified: null,
};

describe('a report of a payment', () => {
  const script = { script: '76a9', satoshis: '2000' };
  const reported = { ...output, scripts: [script] };
  const report = {
    id: '0f8fad5b-d9cb-469f-a165-70867728950e',
    inputProof: SIGNATURE,
    rawtx: '00ff',
    amount: '1',
    currency: 'USD',
    origin: null,
    clientIdentifier: null,
    outputs: [reported],
  };
  const isTaken = (change: object) => takes(api.paymentReport, { ...report, ...change });
  const many = <T>(length: number, one: T) => Array.from({ length }, () => one);

  test.each([
    {},
    { inputs: ['0', '9'.repeat(16)] },
    { currency: 'gold' },
    {
      origin: 'https://shop.example',
      clientIdentifier: 'c',
      label: 'l',
      buttonId: 'b',
      buttonData: 'd',
      refundOf: 'r',
    },
    { label: null, buttonId: null, buttonData: null, refundOf: null },
    { outputs: [{ ...reported, reference: null }] },
    { outputs: [{ ...reported, scripts: [{ ...script, satoshis: '0' }] }] },
    { outputs: [{ ...reported, reference: 'r' }] },
    { outputs: [{ ...reported, scripts: [{ ...script, satoshis: '9'.repeat(16) }] }] },
    { outputs: [{ ...reported, token: { id: `${'ab'.repeat(32)}_0`, units: '5' } }] },
    { cryptoOperations: [] },
    { cryptoOperations: [operation] },
  ])('a report with %j is valid', (more) => {
    expect(api.paymentReport.parse({ ...report, ...more })).toEqual({ ...report, ...more });
  });

  test('a report from a newer wallet is accepted without its unknown members', () => {
    const newer = { ...report, mood: 'x', outputs: [{ ...reported, mood: 'x', scripts: [{ ...script, mood: 'x' }] }] };
    expect(api.paymentReport.parse(newer)).toEqual(report);
  });

  test.each([
    { id: undefined },
    { id: 'request-1' },
    { inputProof: undefined },
    { inputProof: `${SIGNATURE}=` },
    { rawtx: undefined },
    { rawtx: '' },
    { rawtx: '0' },
    { rawtx: '000' },
    { rawtx: '0g' },
    { rawtx: 'AB' },
    { rawtx: ' 00' },
    { rawtx: '00\n' },
    { inputs: null },
    { inputs: [''] },
    { inputs: ['9'.repeat(17)] },
    { inputs: ['-1'] },
    { inputs: ['1.0'] },
    { inputs: ['1', 1] },
    { amount: undefined },
    { currency: 'Usd' },
    { origin: undefined },
    { clientIdentifier: undefined },
    { outputs: undefined },
    { outputs: [output] },
    { outputs: [{ ...reported, scripts: [{ ...script, script: '' }] }] },
    { outputs: [{ ...reported, scripts: [{ ...script, script: '0' }] }] },
    { outputs: [{ ...reported, scripts: [{ ...script, script: '0x00' }] }] },
    { outputs: [{ ...reported, scripts: [{ ...script, script: '00 00' }] }] },
    { outputs: [{ ...reported, scripts: [{ ...script, script: ' 00' }] }] },
    { outputs: [{ ...reported, scripts: [{ ...script, satoshis: '' }] }] },
    { outputs: [{ ...reported, scripts: [{ ...script, satoshis: '-1' }] }] },
    { outputs: [{ ...reported, scripts: [{ ...script, satoshis: '1.0' }] }] },
    { outputs: [{ ...reported, scripts: [{ ...script, satoshis: '9'.repeat(17) }] }] },
    { cryptoOperations: [{ ...operation, id: '0' }] },
    { cryptoOperations: null },
    { label: ['l'] },
    { outputs: [{ ...reported, reference: ['r'] }] },
    { outputs: [{ ...reported, token: null }] },
  ])('a report with %j is rejected', (more) => {
    expect(isTaken(more)).toBe(false);
  });

  test.each([
    ['amount', 60],
    ['origin', 300],
    ['clientIdentifier', 100],
    ['label', 200],
    ['buttonId', 1000],
    ['buttonData', 20_000],
    ['refundOf', 36],
  ])('a report accepts a text %s of at most %d characters', (name, most) => {
    expect([0, most, most + 1].map((length) => isTaken({ [name]: 'x'.repeat(length) }))).toEqual([true, true, false]);
  });

  test('a report accepts a reference of at most 1000 characters', () => {
    const referred = (length: number) => isTaken({ outputs: [{ ...reported, reference: 'x'.repeat(length) }] });
    expect([1000, 1001].map(referred)).toEqual([true, false]);
  });

  test.each<[string, number, (length: number) => object]>([
    ['inputs', api.MAX_REPORTED_INPUTS, (length) => ({ inputs: many(length, '1') })],
    ['outputs', 100, (length) => ({ outputs: many(length, reported) })],
    ['scripts of an output', 100, (length) => ({ outputs: [{ ...reported, scripts: many(length, script) }] })],
  ])('a report accepts 1 to the maximum number of %s: %d', (_, most, made) => {
    expect([0, 1, most, most + 1].map((length) => isTaken(made(length)))).toEqual([false, true, true, false]);
  });

  test('a report accepts at most 20 results of crypto operations', () => {
    const operations = (length: number) => isTaken({ cryptoOperations: many(length, operation) });
    expect([MAX_CRYPTO_OPERATIONS, MAX_CRYPTO_OPERATIONS + 1].map(operations)).toEqual([true, false]);
  });

  test('a report accepts a transaction and scripts of at most ten million bytes', () => {
    const [most, more] = ['ab'.repeat(10_000_000), 'ab'.repeat(10_000_001)];
    const paying = (hex: string) => ({ outputs: [{ ...reported, scripts: [{ ...script, script: hex }] }] });
    expect([isTaken({ rawtx: most }), isTaken({ rawtx: more })]).toEqual([true, false]);
    expect([isTaken(paying(most)), isTaken(paying(more))]).toEqual([true, false]);
  });
});

describe('a response', () => {
  const token = { id: `${'ab'.repeat(32)}_0`, units: '5', validity: 'valid', assetId: null };
  const kept = { ...output, scripts: [{ script: '76a9', satoshis: '2000' }], token };
  const payment = {
    ...leastStoredPayment,
    outputs: [kept],
    paymentOutputs: [{ ...output, scripts: null }],
    cryptoOperations: [{ ...operation, checked: true }],
  };
  const user = { id: '1001', handle: 'alice', paymail: 'alice@example.com', name: 'Alice' };

  test.each<[string, z.ZodMiniType, object, string[]?]>([
    ['a text to sign', api.challengeResponse, { nonce: NONCE, message: 'm', expiresAt: 'e' }],
    ['what a page’s wallet signs', api.openChallengeResponse, { nonce: NONCE, issuedAt: 'i', expiresAt: 'e' }],
    ['a session', api.session, { user, accessToken: 'wallet_x', expiresIn: 3600 }],
    ['a handle', api.handleResponse, { handle: 'alice', available: false }],
    [
      'the network',
      api.networkResponse,
      { network: 'testnet', arcUrl: 'a', wocUrl: 'w', feePolicy: { satoshis: 1, bytes: 1000 } },
    ],
    ['rates', api.ratesResponse, { rates: { USD: '50.1' }, time: 't' }, ['rates.USD']],
    ['an error', api.errorResponse, { error: { code: 'c', message: 'm' } }],
    ['a report without an account', api.anonymousReportResponse, { payment: { id: 'p', txid: 't', status: 'FAILED' } }],
    [
      'a payment',
      api.paymentResponse,
      { payment, paymentOutputs: [kept] },
      [...LATER_METADATA.map((name) => `payment.${name}`), 'payment.outputs.0.token', 'paymentOutputs.0.token'],
    ],
  ])('a response of %s has all listed members, and no others', (_, schema, whole, optional = []) => {
    expect(readAnswer(schema, whole)).toEqual({ read: whole, optional });
  });

  test('a response contains exchange rates as text', () => {
    const priced = (rate: unknown) => takes(api.ratesResponse, { rates: { USD: rate }, time: 't' });
    expect(['50.1', 50.1, null].map(priced)).toEqual([true, false, false]);
  });

  test.each(['mainnet', 'testnet', 'devnet'])('a response names the network %s, and rejects other names', (network) => {
    const named = (name: string) =>
      takes(api.networkResponse, { network: name, arcUrl: '', wocUrl: '', feePolicy: { satoshis: 1, bytes: 1 } });
    expect([network, `${network}2`, ''].map(named)).toEqual([true, false, false]);
  });
});
