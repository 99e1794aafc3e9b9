import { describe, expect, test } from 'vitest';
import { frameMessage, relayMessage } from './swipe-messages.ts';
import { looseParts, orMissing, text, unexpected, integer, type Kind } from '../http/testing-fields.ts';

const ID = '0123456789abcdef'.repeat(2);
const OFFER = {
  swipe: 'offer',
  button: 1,
  options: { outputs: [{ to: 'a', amount: '1', currency: 'USD' }] },
  scale: 1,
};
const BIND = { swipe: 'bind', secret: ID, ancestors: ['https://a.example'], scale: 1 };

test.each([OFFER, { swipe: 'intact', id: ID }, { swipe: 'end', id: ID }])('a relay may send %j', (message) => {
  expect(relayMessage.safeParse(message).data).toEqual(message);
  expect(looseParts(relayMessage, message)).toEqual([]);
  expect(frameMessage.safeParse(message).success).toBe(false);
});

test.each([BIND, ...['near', 'began', 'let-go', 'swiped', 'details'].map((swipe) => ({ swipe }))])(
  'a frame may send %j',
  (message) => {
    expect(frameMessage.safeParse(message).data).toEqual(message);
    expect(looseParts(frameMessage, message)).toEqual([]);
    expect(relayMessage.safeParse(message).success).toBe(false);
  },
);

const SCALE: Kind = [
  [1, 0.5, 3],
  ['1', NaN, Infinity, null],
];
const NAME: Kind = [
  [ID],
  ['', ID.slice(1), `${ID}0`, ID.toUpperCase(), `${ID.slice(1)}g`, `${ID.slice(1)}\n`, `x${ID}`, 5],
];

describe('a field', () => {
  test.each<[string, Kind]>([
    ['button', integer(0)],
    ['options', [[], [{ outputs: [] }, {}, null]]],
    ['service', orMissing(text(0, 300))],
    ['scale', SCALE],
  ])('an offer is checked: %s', (name, kind) => {
    expect(unexpected(relayMessage, OFFER, name, kind)).toEqual([]);
  });

  test.each(['intact', 'end'])('the message %s is checked: id', (swipe) => {
    expect(unexpected(relayMessage, { swipe, id: ID }, 'id', NAME)).toEqual([]);
  });

  test.each<[string, Kind]>([
    ['secret', NAME],
    ['scale', SCALE],
    ['ancestors', [[Array(50).fill('a')], [[], Array(51).fill('a'), 'a', [null]]]],
    ['ancestors.0', text(0, 2000)],
  ])('a binding is checked: %s', (name, kind) => {
    expect(unexpected(frameMessage, BIND, name, kind)).toEqual([]);
  });
});
