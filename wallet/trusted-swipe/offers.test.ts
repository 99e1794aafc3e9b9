import { beforeEach, describe, expect, test } from 'vitest';
import { MAX_SWIPE_FRAMES } from '../../protocol/messages/wire.ts';
import type { TrustedSwipe } from '../payments/sources/page/trusted-swipe.ts';
import { createOffers, PLAN_LIFE_MS, type ButtonRequest, type Offers } from './offers.ts';

let now: number;
let offers: Offers;
let names: number;
beforeEach(() => {
  now = 1_800_000_000_000;
  names = 0;
  offers = createOffers(
    () => `name-${(names += 1)}`,
    () => now,
  );
});

const RELAY = { client: {}, tab: 1, origin: 'https://shop.example', scale: 1 };
const asks = (amount = '1', service: string | null = null): ButtonRequest => ({
  options: { outputs: [{ to: 'someone', amount, currency: 'USD' }] },
  service,
});
const planOf = (satoshis: bigint, feeSatoshis = 1n, paymail = 'charity@pay.example') =>
  ({ quote: { satoshis, outputs: [{ host: { paymail } }] }, feeSatoshis }) as unknown as TrustedSwipe;

/** Creates an offer with a frame that has shown a plan long enough for the user to read it. */
function shown(asked = asks(), host = RELAY, plan = planOf(100n)) {
  const frame = {};
  const { id, secret } = offers.make(host, asked) as { id: string; secret: string };
  offers.bind(secret, frame, host.tab);
  offers.plan(frame, plan);
  now += 500;
  return { id, secret, frame, plan, asked };
}
function swiped(...given: Parameters<typeof shown>) {
  const offer = shown(...given);
  offers.began(offer.frame);
  now += 300;
  offers.swiped(offer.frame);
  offers.intact((given[1] ?? RELAY).client, offer.id);
  return offer;
}

describe('an offer', () => {
  test('a swiped offer lets the page request the plan that its frame showed, once', () => {
    const { frame, id, plan, asked } = shown();
    offers.began(frame);
    expect(offers.take(RELAY.client, asked)).toBeNull();
    expect(offers.swiped(frame)).toBe(true);
    expect(offers.take(RELAY.client, asked)).toBeNull();
    expect(offers.intact(RELAY.client, id)).toBe(true);
    expect(offers.take(RELAY.client, asked)?.swipe).toBe(plan);
    expect(offers.take(RELAY.client, asked)).toBeNull();
  });

  test('an offer that can no longer be paid doesn’t keep its old plan', () => {
    const { frame } = shown();
    offers.plan(frame, null);
    offers.began(frame);
    expect(offers.swiped(frame)).toBe(false);
  });

  test('an offer is confirmed when the swipe is known, and not earlier', () => {
    const { frame, id, asked } = shown();
    offers.began(frame);
    expect(offers.intact(RELAY.client, id)).toBe(false);
    offers.swiped(frame);
    expect(offers.take(RELAY.client, asked)).toBeNull();
    expect(offers.intact(RELAY.client, id)).toBe(true);
  });

  test('an offer can be confirmed and swiped only once, and neither extends it', () => {
    const { id, frame, asked } = swiped();
    now += 2000;
    offers.began(frame);
    expect([offers.swiped(frame), offers.intact(RELAY.client, id)]).toEqual([false, false]);
    now += 1001;
    expect(offers.take(RELAY.client, asked)).toBeNull();
  });

  test.each<[string, () => unknown]>([
    ['another document', () => offers.take({}, asks())],
    ['another amount', () => offers.take(RELAY.client, asks('2'))],
    ['another service', () => offers.take(RELAY.client, asks('1', 'https://service.example'))],
    [
      'later',
      () => {
        now += 3001;
        return offers.take(RELAY.client, asks());
      },
    ],
    [
      'a document that is gone',
      () => {
        offers.gone(RELAY.client);
        return offers.take(RELAY.client, asks());
      },
    ],
  ])('an offer can’t be used for %s', (_, take) => {
    swiped();
    expect(take()).toBeNull();
  });

  test('a swiped offer stays when its frame is removed', () => {
    const { id, frame, plan, asked } = swiped();
    offers.end(RELAY.client, id);
    offers.gone(frame);
    expect(offers.take(RELAY.client, asked)?.swipe).toBe(plan);
  });

  test.each<[string, (offer: ReturnType<typeof shown>) => void]>([
    ['the relay takes it back', ({ id }) => offers.end(RELAY.client, id)],
    ['the frame is removed', ({ frame }) => offers.gone(frame)],
    ['the document is removed', () => offers.gone(RELAY.client)],
    ['another plan arrives', ({ frame }) => offers.plan(frame, planOf(101n))],
    ['the hand lets go', ({ frame }) => offers.letGo(frame)],
    ['the same is planned again', ({ frame }) => offers.plan(frame, planOf(100n))],
  ])('an offer can’t be swiped any longer once %s under the pointer', (_, change) => {
    const offer = shown();
    offers.began(offer.frame);
    change(offer);
    offers.swiped(offer.frame);
    offers.intact(RELAY.client, offer.id);
    expect(offers.take(RELAY.client, offer.asked)).toBeNull();
  });

  test('an offer counts only for a swipe over a readable plan that is not too old', () => {
    for (const age of [0, 499, PLAN_LIFE_MS + 1]) {
      const { frame, id, asked } = shown();
      now += age - 500;
      offers.began(frame);
      offers.swiped(frame);
      offers.intact(RELAY.client, id);
      expect(offers.take(RELAY.client, asked), `${age}`).toBeNull();
      offers.gone(RELAY.client);
    }
  });

  test.each([
    ['sum', planOf(101n)],
    ['fee', planOf(100n, 2n)],
    ['recipient', planOf(100n, 1n, 'thief@pay.example')],
  ])('an offer with a new %s just before the pointer arrived was not readable long enough', (_, plan) => {
    const { frame } = shown();
    offers.plan(frame, plan);
    offers.began(frame);
    expect(offers.swiped(frame)).toBe(false);
  });

  test('an offer with an equal new plan counts as readable all the time', () => {
    const { frame, id, asked } = shown();
    const again = planOf(100n);
    offers.plan(frame, again);
    offers.began(frame);
    expect(offers.swiped(frame)).toBe(true);
    offers.intact(RELAY.client, id);
    expect(offers.take(RELAY.client, asked)?.swipe).toBe(again);
  });

  test('an offer ends if the relay takes too long to confirm it', () => {
    const { frame, id, asked } = shown();
    offers.began(frame);
    offers.swiped(frame);
    now += 3001;
    expect(offers.intact(RELAY.client, id)).toBe(false);
    expect(offers.take(RELAY.client, asked)).toBeNull();
  });
});

describe('a frame', () => {
  test('a frame presents its relay’s secret once, in the same tab', () => {
    const { secret } = offers.make(RELAY, asks()) as { secret: string };
    const frame = {};
    expect([offers.bind('name-1', frame, 1), offers.bind('guessed', frame, 1), offers.bind(secret, frame, 2)]).toEqual([
      null,
      null,
      null,
    ]);
    expect(offers.bind(secret, frame, 1)).toMatchObject({ host: RELAY });
    expect(offers.bind(secret, {}, 1)).toBeNull();
  });

  test('a frame belongs to one offer', () => {
    const first = shown();
    const { secret } = offers.make(RELAY, asks('2')) as { secret: string };
    expect(offers.bind(secret, first.frame, 1)).toBeNull();
  });

  test('a frame without a secret or a plan swipes nothing', () => {
    const stranger = {};
    offers.plan(stranger, planOf(1n));
    offers.began(stranger);
    expect(offers.swiped(stranger)).toBe(false);
    const frame = {};
    const { id, secret } = offers.make(RELAY, asks()) as { id: string; secret: string };
    offers.bind(secret, frame, 1);
    offers.began(frame);
    offers.swiped(frame);
    offers.intact(RELAY.client, id);
    expect(offers.take(RELAY.client, asks())).toBeNull();
  });
});

describe('a document', () => {
  test('a document has few concurrent offers, and space again once one is swiped or ended', () => {
    const made = Array.from({ length: MAX_SWIPE_FRAMES }, () => offers.make(RELAY, asks()));
    expect(offers.make(RELAY, asks())).toBeNull();
    expect(offers.make({ ...RELAY, client: {} }, asks())).not.toBeNull();
    offers.end(RELAY.client, made[0]?.id ?? '');
    expect(offers.make(RELAY, asks())).not.toBeNull();
  });

  test('a document cannot affect another document’s offer', () => {
    const { frame, id, asked } = shown();
    const other = {};
    offers.end(other, id);
    offers.began(frame);
    offers.swiped(frame);
    expect(offers.intact(other, id)).toBe(false);
    expect(offers.take(other, asked)).toBeNull();
    expect(offers.intact(RELAY.client, id)).toBe(true);
  });
});
