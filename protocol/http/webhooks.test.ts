import { describe, expect, test } from 'vitest';
import type * as z from 'zod/mini';
import { readAnswer } from './testing-members.ts';
import { leastStoredPayment as payment } from '../payments/testing-payment.ts';
import {
  resendResponse,
  testEventResponse,
  webhookEvent,
  WEBHOOK_EVENTS,
  webhookEventsQuery,
  webhookEventsResponse,
  webhookWithSecret,
} from './webhooks.ts';
import { LATER_METADATA } from '../payments/metadata.ts';

const event = {
  id: 'msg_a',
  type: 'payment.received',
  paymentId: 'p',
  state: 'pending',
  createdAt: 'c',
  nextAttemptAt: 'n',
  deliveries: [{ attemptedAt: 'a', durationMs: 120, status: 200, error: null, response: 'ok' }],
};

test.each<[string, z.ZodMiniType, object, string[]?]>([
  [
    'signed body',
    webhookEvent,
    {
      type: 'payment.refunded',
      timestamp: 't',
      data: { payment, refund: { paymentId: 'p', txid: 't', satoshis: '1' } },
    },
    [...LATER_METADATA.map((name) => `data.payment.${name}`), 'data.refund'],
  ],
  [
    'body with a secret',
    webhookWithSecret,
    { secret: 's', payment, test: true },
    [...LATER_METADATA.map((name) => `payment.${name}`), 'test'],
  ],
  ['list of events', webhookEventsResponse, { events: [event], nextCursor: null }],
  ['answer to a test', testEventResponse, { id: 'msg_a' }],
  ['answer to a resend', resendResponse, {}],
])('a %s has all listed members, and no others', (_, schema, whole, optional = []) => {
  expect(readAnswer(schema, whole)).toEqual({ read: whole, optional });
});

describe('an event', () => {
  const announced = (type: string) => webhookEvent.safeParse({ type, timestamp: 't', data: { payment } }).success;
  const listed = (change: object) =>
    webhookEventsResponse.safeParse({ events: [{ ...event, ...change }], nextCursor: 'c' }).success;

  test('an event has a type known to receivers', () => {
    expect(WEBHOOK_EVENTS.filter((type) => !announced(type))).toEqual([]);
    expect(['', 'payment.pending'].filter(announced)).toEqual([]);
  });

  test.each([
    { state: 'delivered', nextAttemptAt: null },
    { state: 'given-up', nextAttemptAt: null },
    { type: 'webhook.test', paymentId: null },
    { deliveries: [{ attemptedAt: 'a', durationMs: 1, status: null, error: 'timeout', response: null }] },
  ])('a listed event with %j is valid', (change) => {
    expect(listed(change)).toBe(true);
  });

  test.each([{ state: '' }, { state: 'lost' }])('a listed event with %j is rejected', (change) => {
    expect(listed(change)).toBe(false);
  });
});

test('the member test of a body with a secret can’t be false', () => {
  expect(webhookWithSecret.safeParse({ secret: 's', payment, test: false }).success).toBe(false);
});

describe('the query of the list', () => {
  const takes = (query: object) => webhookEventsQuery.safeParse(query).success;

  test('the query of the list accepts a limit from 1 to 100', () => {
    const limited = (limit: string) => takes({ limit });
    expect(['1', '9', '10', '99', '100'].filter((limit) => !limited(limit))).toEqual([]);
    expect(['', '0', '01', '00', '101', '1000', '1100', '-1', '1e1', 'x1', '1x'].filter(limited)).toEqual([]);
  });

  test('the query of the list accepts a cursor from the list', () => {
    const at = (cursor: string) => takes({ cursor });
    const good = ['0_msg_a', '12345678901234_msg_aZ09', `1_msg_${'a'.repeat(40)}`];
    expect(good.filter((cursor) => !at(cursor))).toEqual([]);
    const bad = [
      '',
      '_msg_a',
      '123456789012345_msg_a',
      '1_msg_',
      '1_evt_a',
      '1_msg_a-b',
      `1_msg_${'a'.repeat(41)}`,
      'x1_msg_a',
      '1_msg_a ',
      'x_msg_a',
    ];
    expect(bad.filter(at)).toEqual([]);
  });

  test('the query of the list may be empty, and rejects other parameters', () => {
    const whole = { limit: '20', cursor: '1_msg_a' };
    expect(webhookEventsQuery.parse(whole)).toEqual(whole);
    expect([takes({}), takes({ type: 'payment.received' }), takes({ limit: ['1', '2'] })]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
