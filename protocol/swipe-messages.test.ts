import { describe, expect, test } from 'vitest';
import { frameMessage, relayMessage } from './swipe-messages.ts';

const NAME = '0123456789abcdef'.repeat(2);
const options = { outputs: [{ to: 'alice@example.com', amount: '1', currency: 'USD' }] };
const offer = { swipe: 'offer', button: 0, options, scale: 1.5 };
const bind = { swipe: 'bind', secret: NAME, ancestors: ['https://shop.example'], scale: 1 };
const fromRelay = (message: unknown) => relayMessage.safeParse(message).success;
const fromFrame = (message: unknown) => frameMessage.safeParse(message).success;

describe('a relay', () => {
  test.each([
    offer,
    { ...offer, button: Number.MAX_SAFE_INTEGER, service: 'https://pay.example' },
    { swipe: 'intact', id: NAME },
    { swipe: 'end', id: NAME },
  ])('says %j', (message) => {
    expect(relayMessage.parse(message)).toEqual(message);
  });

  test.each([
    null,
    'offer',
    {},
    { swipe: 'swiped', id: NAME },
    { ...offer, swipe: '' },
    { ...offer, button: -1 },
    { ...offer, button: 0.5 },
    { ...offer, button: '0' },
    { ...offer, options: { outputs: [] } },
    { ...offer, options: { ...options, origin: 'https://bank.example' } },
    { ...offer, service: null },
    { ...offer, service: ['https://pay.example'] },
    { ...offer, scale: '1' },
    { ...offer, scale: NaN },
    { ...offer, scale: Infinity },
    { ...offer, scale: undefined },
    { ...offer, origin: 'https://bank.example' },
    { swipe: 'intact' },
    { swipe: 'intact', id: NAME, button: 1 },
    { swipe: 'end', id: NAME, button: 1 },
    { swipe: '', id: NAME },
    // A page's request, which a relay forwards.
    { channel: 'service-button/1', to: 'wallet', id: NAME, method: 'wallet/hello', params: {} },
  ])('does not say %j', (message) => {
    expect(fromRelay(message)).toBe(false);
  });

  test('names the service in at most 300 characters', () => {
    const offered = (length: number) => fromRelay({ ...offer, service: 'x'.repeat(length) });
    expect([300, 301].map(offered)).toEqual([true, false]);
  });
});

describe('a frame', () => {
  test.each([
    bind,
    { ...bind, ancestors: ['https://shop.example', 'null'], scale: 0.3 },
    ...['near', 'began', 'let-go', 'swiped', 'details'].map((swipe) => ({ swipe })),
  ])('says %j', (message) => {
    expect(frameMessage.parse(message)).toEqual(message);
  });

  test.each([
    null,
    'near',
    {},
    { swipe: '' },
    { swipe: 'paid' },
    { swipe: 'intact', id: NAME },
    { ...bind, swipe: '' },
    { ...bind, secret: undefined },
    { ...bind, ancestors: undefined },
    { ...bind, ancestors: [null] },
    { ...bind, scale: '1' },
    { ...bind, scale: undefined },
    { ...bind, origin: 'https://bank.example' },
    ...['near', 'began', 'let-go', 'swiped', 'details'].map((swipe) => ({ swipe, secret: NAME })),
  ])('does not say %j', (message) => {
    expect(fromFrame(message)).toBe(false);
  });

  test('names 1 to 50 origins around it, each in at most 2000 characters', () => {
    const bound = (length: number) => fromFrame({ ...bind, ancestors: Array.from({ length }, () => 'null') });
    expect([0, 1, 50, 51].map(bound)).toEqual([false, true, true, false]);
    const named = (length: number) => fromFrame({ ...bind, ancestors: ['x'.repeat(length)] });
    expect([2000, 2001].map(named)).toEqual([true, false]);
  });
});

test.each(['', NAME.slice(1), `${NAME}0`, `${NAME}\n`, ` ${NAME}`, NAME.toUpperCase(), `g${NAME.slice(1)}`, 7])(
  'an offer or a secret is 32 hexadecimal digits: not %j',
  (name) => {
    expect([
      fromRelay({ swipe: 'intact', id: name }),
      fromRelay({ swipe: 'end', id: name }),
      fromFrame({ ...bind, secret: name }),
    ]).toEqual([false, false, false]);
  },
);
