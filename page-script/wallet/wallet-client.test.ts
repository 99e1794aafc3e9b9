import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi, type MockInstance } from 'vitest';
import type { PageRequest } from '../../protocol/messages/page-messages.ts';
import { pageMethods } from '../../protocol/messages/page-messages.ts';
import { PaymentError } from './payment-error.ts';
import { createWalletClient, randomId, type SendRequest } from './wallet-client.ts';

const CHANNEL = 'service-button/1';
let askWallet: SendRequest;
let listen: MockInstance<typeof window.addEventListener>;
let present: ReturnType<typeof vi.fn<() => void>>;
let heard: ReturnType<typeof vi.fn<() => void>>;
let posted: { message: PageRequest; target: unknown }[];

beforeEach(() => {
  posted = [];
  vi.spyOn(window, 'postMessage').mockImplementation(
    ((message: PageRequest, target: unknown) => void posted.push({ message, target })) as typeof window.postMessage,
  );
  present = vi.fn<() => void>();
  listen = vi.spyOn(window, 'addEventListener');
  heard = vi.fn<() => void>();
  askWallet = createWalletClient(window, present, heard);
});
afterEach(() => {
  for (const [type, listener] of listen.mock.calls) window.removeEventListener(type, listener as EventListener);
  vi.restoreAllMocks();
});

function arrive(data: unknown, from: Partial<{ source: unknown; origin: string }> = {}): void {
  const event = new MessageEvent('message', { data, origin: from.origin ?? window.location.origin });
  Object.defineProperty(event, 'source', { value: 'source' in from ? from.source : window });
  window.dispatchEvent(event);
}

function ask() {
  const outcome: { result?: unknown; error?: unknown } = {};
  const done = askWallet('wallet/hello', {}).then(
    (result) => void (outcome.result = result),
    (error: unknown) => void (outcome.error = error),
  );
  return { id: posted.at(-1)!.message.id, outcome, done };
}

test('the client posts the protocol’s request to the page’s own origin', () => {
  ask();
  const { message, target } = posted[0]!;
  expect(message).toEqual({
    channel: CHANNEL,
    to: 'wallet',
    id: expect.stringMatching(/^[0-9a-f]{32}$/),
    method: 'wallet/hello',
    params: {},
  });
  expect(target).toBe(window.location.origin);
  expect(pageMethods['wallet/hello'].safeParse(message.params).success).toBe(true);
});

test('a relay’s message to other relays shows that it has the request', () => {
  const { outcome } = ask();
  arrive({ channel: CHANNEL, to: 'wallets', relay: '1-2-3-4' });
  arrive({ channel: CHANNEL, to: 'wallets', beside: '1-2-3-4' }, { source: {} });
  expect(heard).not.toHaveBeenCalled();
  arrive({ channel: CHANNEL, to: 'wallets', beside: '1-2-3-4' });
  expect(heard).toHaveBeenCalledOnce();
  expect([outcome, present.mock.calls, posted.length]).toEqual([{}, [], 1]);
});

test('a request resolves with a result', async () => {
  const { id, outcome, done } = ask();
  arrive({ channel: CHANNEL, to: 'page', id, result: { version: '1', network: 'devnet' } });
  await done;
  expect(outcome).toEqual({ result: { version: '1', network: 'devnet' } });
});

test('a request rejects with an error', async () => {
  const { id, outcome, done } = ask();
  arrive({ channel: CHANNEL, to: 'page', id, error: { code: 'busy', message: 'One at a time.' } });
  await done;
  expect(outcome.error).toBeInstanceOf(PaymentError);
  expect(outcome.error).toMatchObject({ code: 'busy', message: 'One at a time.' });
});

test.each([
  ['no code', {}],
  ['a number', { code: 1, message: 2 }],
  ['a long code', { code: 'x'.repeat(100) }],
  ['markup', { code: '<b>', message: '' }],
])('an error with %s becomes the error internal', async (_, error) => {
  const { id, outcome, done } = ask();
  arrive({ channel: CHANNEL, to: 'page', id, error });
  await done;
  expect(outcome.error).toMatchObject({ code: 'internal', message: 'Something went wrong.' });
});

describe('the client ignores', () => {
  const good = (id: string) => ({ channel: CHANNEL, to: 'page', id, result: { version: '1', network: 'devnet' } });
  test.each<[string, (id: string) => unknown, Parameters<typeof arrive>[1]?]>([
    ['another channel', (id) => ({ ...good(id), channel: 'service-button/2' })],
    ['no channel', (id) => ({ ...good(id), channel: undefined })],
    [
      'our own request coming back',
      (id) => ({ channel: CHANNEL, to: 'wallet', id, method: 'wallet/hello', params: {}, result: {} }),
    ],
    ['another frame', good, { source: {} }],
    ['no source', good, { source: null }],
    ['another origin', good, { origin: 'https://evil.example' }],
    ['another id', () => good('0'.repeat(32))],
    ['an id that is a name of Object.prototype', () => good('constructor')],
    ['no id', (id) => ({ ...good(id), id: undefined })],
    ['an id that only prints the same', (id) => ({ ...good(id), id: { toString: () => id } })],
    ['both result and error', (id) => ({ ...good(id), error: { code: 'busy', message: '' } })],
    ['result null beside an error', (id) => ({ ...good(id), result: null, error: { code: 'busy', message: '' } })],
    ['neither', (id) => ({ channel: CHANNEL, to: 'page', id })],
    ['a result that is no object', (id) => ({ ...good(id), result: 'paid' })],
    ['a list', (id) => Object.assign([], good(id))],
    [
      'a result by its prototype',
      (id) => Object.assign(Object.create({ result: {} }) as object, { channel: CHANNEL, to: 'page', id }),
    ],
    ['everything by its prototype', (id) => Object.create(good(id))],
    [
      '__proto__ as a field',
      (id) => JSON.parse(`{"channel":"${CHANNEL}","to":"page","id":"${id}","__proto__":{"result":{}}}`),
    ],
    ['text', (id) => JSON.stringify(good(id))],
    ['nothing', () => null],
  ])('invalid responses: %s', async (_, forge, from) => {
    const { id, outcome, done } = ask();
    arrive(forge(id), from);
    await Promise.resolve();
    await Promise.resolve();
    expect(outcome).toEqual({});
    expect(({} as Record<string, unknown>).result).toBeUndefined();
    arrive(good(id));
    await done;
    expect(outcome.result).toBeDefined();
  });

  test('any other message', () => {
    const { outcome } = ask();
    fc.assert(fc.property(fc.anything({ withNullPrototype: true, withMap: true }), (data) => arrive(data)));
    expect(outcome).toEqual({});
    expect(present).not.toHaveBeenCalled();
  });

  test('a second response', async () => {
    const { id, outcome, done } = ask();
    arrive(good(id));
    arrive({ channel: CHANNEL, to: 'page', id, error: { code: 'busy', message: '' } });
    await done;
    expect(outcome).toEqual({ result: expect.anything() });
  });

  test('fields of Object.prototype that the page added', async () => {
    const { id, outcome, done } = ask();
    Object.assign(Object.prototype, { error: { code: 'busy', message: '' } });
    try {
      arrive(good(id));
      await done;
    } finally {
      delete (Object.prototype as { error?: unknown }).error;
    }
    expect(outcome.result).toBeDefined();
  });
});

test('a new relay gets the old one’s open requests, and no others', async () => {
  const first = ask();
  const second = ask();
  arrive({ channel: CHANNEL, to: 'page', id: first.id, result: {} });
  await first.done;
  posted.length = 0;
  arrive({ channel: CHANNEL, to: 'page', event: 'wallet-present' });
  expect(posted.map(({ message }) => message.id)).toEqual([second.id]);
  expect(present).toHaveBeenCalledOnce();
});

test('IDs are unique', () => {
  expect(new Set(Array.from({ length: 1000 }, randomId)).size).toBe(1000);
});
