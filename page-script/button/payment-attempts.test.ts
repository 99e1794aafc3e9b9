import { beforeEach, describe, expect, test, vi } from 'vitest';
import { ERRORS, type ErrorCode } from '../../protocol/errors/service-error.ts';
import type { PaymentOptions } from '../../protocol/payments/payment.ts';
import { PaymentError } from '../wallet/payment-error.ts';
import { ATTEMPTS_KEY, createPaymentAttempts } from './payment-attempts.ts';
import type { LineStorage } from '../page/session-lines.ts';

const coffee: PaymentOptions = { outputs: [{ to: 'a', amount: '1', currency: 'USD' }] };
const cake: PaymentOptions = { outputs: [{ to: 'a', amount: '2', currency: 'USD' }] };

let count = 0;
const newId = () => `id-${String((count += 1)).padStart(8, '0')}`;
let storage: LineStorage & { entries: Map<string, string> };

beforeEach(() => {
  vi.useRealTimers();
  const entries = new Map<string, string>();
  storage = {
    entries,
    getItem: (key) => entries.get(key) ?? null,
    setItem: (key, value) => void entries.set(key, value),
    removeItem: (key) => void entries.delete(key),
  };
});

const meaning = (code: ErrorCode | undefined) => code && new PaymentError(code, '', ERRORS[code]);

function asksAgain(...codes: (ErrorCode | undefined)[]): boolean {
  const attempts = createPaymentAttempts(() => storage, newId);
  const first = attempts.begin(coffee);
  attempts.end(first, meaning(codes[0]));
  for (const code of codes.slice(1)) attempts.end(attempts.begin(coffee), meaning(code));
  return attempts.begin(coffee).id === first.id;
}

test('a different label is not a different payment', () => {
  const attempts = createPaymentAttempts(() => storage, newId);
  const first = attempts.begin({ ...coffee, label: 'Nine left' });
  attempts.end(first, meaning('payment-pending'));
  expect(attempts.begin({ ...coffee, label: 'Eight left' })).toEqual({ id: first.id, again: true });
});

describe('the next swipe', () => {
  test.each<[string, boolean, (ErrorCode | undefined)[]]>([
    ['after success is a new payment', false, [undefined]],
    ['after refusal is a new payment', false, ['refused']],
    ['after busy is a new payment', false, ['busy']],
    ['after a lost connection is the same', true, ['wallet-disconnected']],
    ['after an unknown fault is the same', true, ['internal']],
    ['after a signed payment that was not sent is the same', true, ['payment-pending']],
    ['after a code without a meaning is the same', true, ['something-new' as ErrorCode]],
    ['after a lost connection, then busy, is still the same', true, ['wallet-disconnected', 'busy']],
    ['after a lost connection, then refusal, is a new payment', false, ['wallet-disconnected', 'refused']],
    ['after a lost connection, then success, is a new payment', false, ['wallet-disconnected', undefined]],
  ])('%s', (_, again, codes) => expect(asksAgain(...codes)).toBe(again));

  test.each((Object.keys(ERRORS) as ErrorCode[]).filter((code) => ERRORS[code].moved === 'no'))(
    'a swipe makes a new payment after %s, since no money has moved',
    (code) => expect(asksAgain(code)).toBe(false),
  );
});

test('a different payment gets a different ID', () => {
  const attempts = createPaymentAttempts(() => storage, newId);
  const first = attempts.begin(coffee);
  attempts.end(first, meaning('wallet-disconnected'));
  expect(attempts.begin(cake)).toEqual({ id: expect.not.stringMatching(first.id), again: false });
});

test('two buttons with concurrent identical requests make two payments', () => {
  const attempts = createPaymentAttempts(() => storage, newId);
  expect(attempts.begin(coffee).id).not.toBe(attempts.begin(coffee).id);
});

test('a repeated payment keeps its ID after a reload', () => {
  const { id } = createPaymentAttempts(() => storage, newId).begin(coffee);
  expect(createPaymentAttempts(() => storage, newId).begin(coffee)).toEqual({ id, again: true });
});

describe('two documents of a tab, such as a page and its frame', () => {
  const twoDocuments = () => [createPaymentAttempts(() => storage, newId), createPaymentAttempts(() => storage, newId)];

  test('a signed payment keeps its ID after the other document has begun a payment', () => {
    const [page, frame] = twoDocuments();
    const { id } = frame!.begin(coffee);
    page!.begin(cake);
    frame!.end({ id, again: false }, meaning('payment-pending'));
    page!.end(page!.begin(cake));
    expect(createPaymentAttempts(() => storage, newId).begin(coffee)).toEqual({ id, again: true });
  });

  test('a payment begun in the other document keeps its ID', () => {
    const [page, frame] = twoDocuments();
    const { id } = frame!.begin(coffee);
    expect(page!.begin(coffee)).toEqual({ id, again: true });
  });

  test('a payment that ended is not restored when the other document begins a payment', () => {
    const before = createPaymentAttempts(() => storage, newId).begin(coffee);
    const [page, frame] = twoDocuments();
    frame!.end(before);
    page!.begin(cake);
    expect(createPaymentAttempts(() => storage, newId).begin(coffee).again).toBe(false);
  });

  test('a payment signed after an hour keeps its ID although the other document has dropped it', () => {
    vi.useFakeTimers();
    const page = createPaymentAttempts(() => storage, newId);
    const attempt = page.begin(coffee);
    vi.advanceTimersByTime(3_600_001);
    createPaymentAttempts(() => storage, newId).begin(cake);
    page.end(attempt, meaning('payment-pending'));
    expect(createPaymentAttempts(() => storage, newId).begin(coffee).id).toBe(attempt.id);
  });
});

test('a repeated payment keeps its ID after the page has cleared its storage', () => {
  const attempts = createPaymentAttempts(() => storage, newId);
  const first = attempts.begin(coffee);
  attempts.end(first, meaning('payment-pending'));
  storage.entries.clear();
  expect(attempts.begin(coffee).id).toBe(first.id);
});

test('an expired ID is deleted by the next page', () => {
  vi.useFakeTimers();
  createPaymentAttempts(() => storage, newId).begin(coffee);
  vi.advanceTimersByTime(3_600_001);
  createPaymentAttempts(() => storage, newId);
  expect(storage.entries.size).toBe(0);
});

test('ended attempts are not stored', () => {
  const attempts = createPaymentAttempts(() => storage, newId);
  attempts.end(attempts.begin(coffee));
  attempts.end(attempts.begin(coffee), meaning('refused'));
  expect(storage.entries.size).toBe(0);
});

test('a swipe an hour later makes a new payment', () => {
  vi.useFakeTimers();
  const attempts = createPaymentAttempts(() => storage, newId);
  const { id } = attempts.begin(coffee);
  vi.advanceTimersByTime(3_600_001);
  expect(createPaymentAttempts(() => storage, newId).begin(coffee).id).not.toBe(id);
});

test('a signed payment keeps its ID until its outcome is known', () => {
  vi.useFakeTimers();
  const attempts = createPaymentAttempts(() => storage, newId);
  const signed = attempts.begin(coffee);
  attempts.end(signed, meaning('payment-pending'));
  vi.advanceTimersByTime(100 * 3_600_000);
  const reloaded = createPaymentAttempts(() => storage, newId);
  expect(reloaded.begin(coffee).id).toBe(signed.id);
  reloaded.end({ ...signed, again: true });
  expect(reloaded.begin(coffee).id).not.toBe(signed.id);
});

test.each(['', 'x', '{}', '[1]', '[["id",null]]', '[["<b>",{"key":"k","at":1}]]', 'null'])(
  'invalid data in the storage is ignored: %j',
  (text) => {
    storage.entries.set(ATTEMPTS_KEY, text);
    expect(createPaymentAttempts(() => storage, newId).begin(coffee).again).toBe(false);
  },
);

test('attempts are kept in memory if the storage is missing or throws', () => {
  const refuses = () => {
    throw new DOMException('no');
  };
  expect(createPaymentAttempts(refuses, newId).begin(coffee).again).toBe(false);
  const attempts = createPaymentAttempts(() => ({ getItem: refuses, setItem: refuses, removeItem: refuses }), newId);
  const first = attempts.begin(coffee);
  attempts.end(first, meaning('wallet-disconnected'));
  expect(attempts.begin(coffee).id).toBe(first.id);
});
