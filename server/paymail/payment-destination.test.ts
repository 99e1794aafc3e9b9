import { BSM, PrivateKey, Utils } from '@bsv/sdk';
import { expect, test } from 'vitest';
import { paymentDestinationMessage, paymentDestinationRequest } from '../../protocol/http/paymail.ts';
import { checkSender } from './payment-destination.ts';

const KEY = PrivateKey.fromRandom();
const PUBLIC_KEY = KEY.toPublicKey().toString();
const NOW = Date.UTC(2025, 5, 1, 12);
const SENDER = 'ann@a.example';
const sign = (text: string, key = KEY) => BSM.sign(Utils.toArray(text, 'utf8'), key, 'base64') as string;

const signed = (fields: { dt: string } & Record<string, unknown>, key = KEY) => {
  const request = { senderHandle: SENDER, ...fields };
  return paymentDestinationRequest.parse({ ...request, signature: sign(paymentDestinationMessage(request), key) });
};

const check = async (request: ReturnType<typeof signed>, isTheirs = true) => {
  const asked: [paymail: string, publicKey: string][] = [];
  const isSender = async (paymail: string, publicKey: string) => {
    asked.push([paymail, publicKey]);
    return isTheirs;
  };
  try {
    await checkSender(request, isSender, new Date(NOW));
    return asked;
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    return { code, message, asked: asked.length };
  }
};
const refused = (message: string, asked = 0) => ({ code: 'invalid-signature', message, asked });
const TIME = refused('dt must be within two minutes of the current time.');
const SIGNATURE = refused('The signature isn’t valid.');

test('a signed request is accepted only if the sender’s host confirms the key that signed it', async () => {
  const request = signed({ dt: '2025-06-01T12:00:00Z' });
  expect(await check(request)).toEqual([[SENDER, PUBLIC_KEY]]);
  expect(await check({ ...request, pubkey: PUBLIC_KEY.toUpperCase() })).toEqual([[SENDER, PUBLIC_KEY]]);
  expect(await check(request, false)).toEqual(
    refused('The sender’s host doesn’t confirm that this is the sender’s key.', 1),
  );
});

test.each([
  ['none', null],
  ['an empty one', ''],
])('a request whose signature is %s gets an error that requires one', async (_what, signature) => {
  expect(await check({ ...signed({ dt: '2025-06-01T12:00:00Z' }), signature })).toEqual(
    refused('The request for a payment destination must be signed by the sender.'),
  );
});

test('the signature must be by the named key and cover all fields, before any host is queried', async () => {
  const request = signed({ dt: '2025-06-01T12:00:00Z', amount: 5, purpose: 'tea' });
  const another = PrivateKey.fromRandom();
  for (const change of [
    { senderHandle: 'eve@a.example' },
    { dt: '2025-06-01T12:00:01Z' },
    { amount: 6 },
    { amount: null },
    { purpose: 'coffee' },
    { purpose: null },
  ])
    expect(await check({ ...request, ...change, pubkey: PUBLIC_KEY }), JSON.stringify(change)).toEqual(SIGNATURE);
  expect(await check({ ...request, pubkey: another.toPublicKey().toString() })).toEqual(SIGNATURE);
  expect(await check({ ...signed({ dt: '2025-06-01T12:00:00Z' }, another), pubkey: PUBLIC_KEY })).toEqual(SIGNATURE);
  expect(await check({ ...request, signature: 'AAAA' })).toEqual(SIGNATURE);
  expect(await check({ ...request, signature: `${request.signature}=` })).toEqual(SIGNATURE);
});

test('a sender that is not a paymail is rejected', async () => {
  const request = signed({ dt: '2025-06-01T12:00:00Z', senderHandle: 'ann' });
  expect(await check(request)).toEqual({
    code: 'invalid-request',
    message: 'senderHandle must be a paymail.',
    asked: 0,
  });
});

test.each([
  '2025-06-01T12:00:00Z',
  '2025-06-01T12:00Z',
  '2025-06-01T12:00:00.5Z',
  '2025-06-01T12:00:00.123456789Z',
  '2025-06-01T14:00:00+02:00',
  '2025-06-01T14:00:00+0200',
  '2025-06-01T04:30:00-0730',
  '2025-06-01T04:30-07:30',
  '2025-06-01T11:58:00Z',
  '2025-06-01T12:02:00.000Z',
])('%s counts as the current time', async (dt) => {
  expect(await check(signed({ dt }))).toHaveLength(1);
});

test.each([
  '2025-06-01T11:57:59.999Z',
  '2025-06-01T12:02:00.001Z',
  '2024-06-01T12:00:00Z',
  '2025-06-01T12:00:00+02:00',
  '2025-06-01T12:00:00+0200',
])('%s is too far from the current time', async (dt) => {
  expect(await check(signed({ dt }))).toEqual(TIME);
});

// Malformed times. V8's Date.parse accepts most malformed times, some in the local time zone.
test.each([
  '',
  '2025-06-01T12:00:00',
  '2025-06-01 12:00:00Z',
  '2025-06-01T12Z',
  '2025-06-01T12:00:00.Z',
  '2025-06-01T12:00:00.1234567890Z',
  '2025-06-01T12:00:00z',
  '2025-06-01T12:00:00+02',
  '2025-06-01T12:00:00Z ',
  ' 2025-06-01T12:00:00Z',
  'Sun, 01 Jun 2025 12:00:00 GMT',
  'x2025-06-01T12:00:00Z',
  '2025-06-01T12:00:00Z(x)',
  '12025-06-01T12:00:00Z',
  '+002025-06-01T12:00:00Z',
  '2025-6-1T12:00:00Z',
  '2025-06-31T99:00:00Z',
  '1748779200000',
])('%j is rejected as a time', async (dt) => {
  expect(await check(signed({ dt }))).toEqual(TIME);
});
