import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { VerificationError } from './verification-error.ts';
import { verifyWebhook } from './webhook.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const OTHER = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
const NOW = Date.UTC(2025, 5, 1);
const payment = {
  id: '1',
  status: 'RECEIVED',
  txid: '00',
  amount: '1',
  currency: 'BSV',
  satoshis: '100000000',
  rawtx: '00',
  outputs: [],
};
const event = (change: object = {}) =>
  JSON.stringify({ type: 'payment.received', timestamp: '2025-06-01T00:00:00.000Z', data: { payment }, ...change });
const headersOf = (body: string, { id = 'msg_1', at = NOW, secret = SECRET } = {}) => ({
  'webhook-id': id,
  'webhook-timestamp': String(at / 1000),
  'webhook-signature': new Webhook(secret).sign(id, new Date(at), body),
});
const codeOf = (work: () => unknown) => {
  try {
    return work();
  } catch (error) {
    return error instanceof VerificationError ? error.code : error;
  }
};

test('accepts messages signed by the reference implementation, in any type of headers and body', () => {
  const body = event();
  const headers = headersOf(body);
  const told = { id: 'msg_1', type: 'payment.received', timestamp: '2025-06-01T00:00:00.000Z', payment, refund: null };
  expect(verifyWebhook(headers, body, SECRET, { now: NOW })).toEqual(told);
  expect(verifyWebhook(new Headers(headers), Buffer.from(body), SECRET, { now: NOW })).toEqual(told);
  expect(
    verifyWebhook(
      Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value])),
      new TextEncoder().encode(body),
      SECRET,
      { now: NOW },
    ),
  ).toEqual(told);
});

test('accepts either secret during a rotation, and either signature', () => {
  const body = event();
  const headers = headersOf(body, { secret: OTHER });
  expect(verifyWebhook(headers, body, [SECRET, OTHER], { now: NOW }).id).toBe('msg_1');
  const two = {
    ...headers,
    'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')} v2,x ${headers['webhook-signature']}`,
  };
  expect(verifyWebhook(two, body, OTHER, { now: NOW }).id).toBe('msg_1');
});

test('rejects a changed message, another signer, and an unsigned message', () => {
  const body = event();
  const headers = headersOf(body);
  const cases: [object, string, string][] = [
    [headers, body.replace('RECEIVED', 'FAILED'), SECRET],
    [headers, `${body} `, SECRET],
    [headers, body, OTHER],
    [{ ...headers, 'webhook-id': 'msg_2' }, body, SECRET],
    [{ ...headers, 'webhook-timestamp': String(NOW / 1000 + 1) }, body, SECRET],
    [{ ...headers, 'webhook-signature': 'v1,' }, body, SECRET],
    [{ ...headers, 'webhook-signature': headers['webhook-signature'].replace('v1,', 'v1a,') }, body, SECRET],
    [{ ...headers, 'webhook-signature': headers['webhook-signature'].slice(3) }, body, SECRET],
    [{ ...headers, 'webhook-signature': 'v1,AAAA' }, body, SECRET],
  ];
  for (const [given, text, secret] of cases)
    expect(
      codeOf(() => verifyWebhook(given as Record<string, string>, text, secret, { now: NOW })),
      JSON.stringify(given),
    ).toBe('invalid-signature');
  for (const name of Object.keys(headers))
    expect(codeOf(() => verifyWebhook({ ...headers, [name]: undefined }, body, SECRET, { now: NOW }))).toBe(
      'malformed',
    );
});

test('reports missing secrets, and uses one that is set while another is missing', () => {
  const body = event();
  const headers = headersOf(body);
  for (const unset of [undefined, [], [undefined]])
    expect(() => verifyWebhook(headers, body, unset, { now: NOW }), String(unset)).toThrow(
      new TypeError('The webhook secret is missing. Set the variable that contains it.'),
    );
  expect(() => verifyWebhook(headers, body, '', { now: NOW })).toThrow(new TypeError('The webhook secret is empty.'));
  for (const none of ['whsec_', [SECRET, 'whsec_']])
    expect(() => verifyWebhook(headers, body, none, { now: NOW })).toThrow(
      new TypeError('A webhook secret must be whsec_ and a key in base64.'),
    );
  expect(verifyWebhook(headers, body, [undefined, SECRET], { now: NOW }).id).toBe('msg_1');
});

test('rejects old events, and events from the future', () => {
  const body = event();
  const at = (seconds: number, toleranceSeconds?: number) =>
    codeOf(() =>
      verifyWebhook(headersOf(body), body, SECRET, {
        now: NOW + seconds * 1000,
        ...(toleranceSeconds && { toleranceSeconds }),
      }),
    );
  expect([at(301), at(-301), at(61, 60)]).toEqual(['stale', 'stale', 'stale']);
  expect([at(300), at(-300), at(60, 60)]).toEqual(Array(3).fill(expect.objectContaining({ id: 'msg_1' })));
  expect(codeOf(() => verifyWebhook({ ...headersOf(body), 'webhook-timestamp': 'now' }, body, SECRET))).toBe(
    'malformed',
  );
});

test.each([
  '{',
  'null',
  '[]',
  '1',
  event({ type: '' }),
  event({ type: 7 }),
  event({ timestamp: undefined }),
  event({ data: {} }),
  event({ data: { payment: { ...payment, rawtx: 1 } } }),
  event({ data: { payment: { ...payment, outputs: [{}] } } }),
])('%s is rejected even if signed', (body) => {
  expect(codeOf(() => verifyWebhook(headersOf(body), body, SECRET, { now: NOW }))).toBe('malformed');
});

test('accepts a refund, with the refunded payment and the refund', () => {
  const refund = { paymentId: 'p-2', txid: 'aa'.repeat(32), satoshis: '500' };
  const body = event({ type: 'payment.refunded', data: { payment, refund } });
  expect(verifyWebhook(headersOf(body), body, SECRET, { now: NOW })).toMatchObject({ payment, refund });
  for (const wrong of [undefined, null, 7, { ...refund, satoshis: '-1' }, { ...refund, txid: 1 }]) {
    const other = event({ type: 'payment.refunded', data: { payment, refund: wrong } });
    expect(codeOf(() => verifyWebhook(headersOf(other), other, SECRET, { now: NOW }))).toBe('malformed');
  }
});

test('returns events of unknown types so that an older shop can ignore them', () => {
  const body = event({ type: 'payment.expired', data: { order: { id: 'o-1' } } });
  const known = verifyWebhook(headersOf(body), body, SECRET, { now: NOW });
  expect(known).toEqual({
    id: 'msg_1',
    type: 'payment.expired',
    timestamp: '2025-06-01T00:00:00.000Z',
    payment: null,
    refund: null,
    data: { order: { id: 'o-1' } },
  });
  // Unknown events must also be signed.
  expect(codeOf(() => verifyWebhook(headersOf(body), `${body} `, SECRET, { now: NOW }))).toBe('invalid-signature');
});

test('returns payments with unknown fields, status and output types', () => {
  const later = {
    ...payment,
    status: 'EXPIRED',
    expiresAt: 1,
    outputs: [{ type: 'ORDER', to: 'x', amount: '1', currency: 'BSV', satoshis: '1', more: {} }],
  };
  const body = event({ data: { payment: later, more: [] }, more: true });
  expect(verifyWebhook(headersOf(body), body, SECRET, { now: NOW }).payment).toEqual(later);
});

test.each<[string, unknown]>([
  ['an object', JSON.parse(event())],
  ['nothing', undefined],
  ['null', null],
])('explains how to get the raw body if it is given %s', (_what, given) => {
  expect(() => verifyWebhook(headersOf(event()), given as string, SECRET, { now: NOW })).toThrow(TypeError);
  const frameworks = /pass the raw body, before express\.json\(\)[^]*Express[^]*Fastify[^]*Next\.js[^]*Koa[^]*NestJS/;
  expect(() => verifyWebhook(headersOf(event()), given as string, SECRET, { now: NOW })).toThrow(frameworks);
});

test('explains that a reserialized body no longer matches its signature', () => {
  const body = event().replaceAll(':', ': ');
  const again = JSON.stringify(JSON.parse(body));
  expect(verifyWebhook(headersOf(body), body, SECRET, { now: NOW }).id).toBe('msg_1');
  expect(() => verifyWebhook(headersOf(body), again, SECRET, { now: NOW })).toThrow(/parsed and serialized again/);
});
