import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { PageResults } from '../../protocol/messages/page-messages.ts';
import { walletError } from './testing-relay.ts';
import { createWalletPresence, HELLO_WAIT, START_WAIT, type Presence } from './wallet-presence.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function setUp() {
  let answer!: { resolve(result: PageResults['wallet/hello']): void; reject(error: unknown): void };
  const promise = new Promise<PageResults['wallet/hello']>((resolve, reject) => (answer = { resolve, reject }));
  const hello = vi.fn(() => promise);
  const presence = createWalletPresence(hello);
  const seen: Presence[] = [];
  return { answer, hello, presence, seen, watch: () => presence.watch((now) => seen.push(now)) };
}

test('the first watcher sends the only query', () => {
  const { hello, watch } = setUp();
  expect(hello).not.toHaveBeenCalled();
  watch();
  watch();
  expect(hello).toHaveBeenCalledOnce();
});

test('a response in time means that a wallet is present', async () => {
  const { answer, presence, seen, watch } = setUp();
  watch();
  expect(presence.network()).toBeUndefined();
  answer.resolve({ version: '1', network: 'devnet' });
  await vi.advanceTimersByTimeAsync(HELLO_WAIT * 2);
  expect(seen).toEqual(['unknown', 'present']);
  expect(presence.network()).toBe('devnet');
});

test('silence means that the wallet is absent, until a late response', async () => {
  const { answer, seen, watch } = setUp();
  watch();
  await vi.advanceTimersByTimeAsync(HELLO_WAIT - 1);
  expect(seen).toEqual(['unknown']);
  await vi.advanceTimersByTimeAsync(1);
  expect(seen).toEqual(['unknown', 'absent']);
  answer.resolve({ version: '1', network: 'devnet' });
  await vi.advanceTimersByTimeAsync(0);
  expect(seen).toEqual(['unknown', 'absent', 'present']);
});

test('a wallet that has the request gets time to start', async () => {
  const { answer, presence, seen, watch } = setUp();
  watch();
  presence.heard();
  await vi.advanceTimersByTimeAsync(START_WAIT - 1);
  expect(seen).toEqual(['unknown']);
  answer.resolve({ version: '1', network: 'devnet' });
  await vi.advanceTimersByTimeAsync(START_WAIT);
  expect(seen).toEqual(['unknown', 'present']);
});

test('a wallet that has the request and never responds counts as absent', async () => {
  const { presence, seen, watch } = setUp();
  watch();
  presence.heard();
  await vi.advanceTimersByTimeAsync(START_WAIT);
  expect(seen).toEqual(['unknown', 'absent']);
});

test('silence means that the wallet is absent, until a relay announces itself', async () => {
  const { presence, seen, watch } = setUp();
  watch();
  await vi.advanceTimersByTimeAsync(HELLO_WAIT);
  presence.announce();
  expect(seen).toEqual(['unknown', 'absent', 'present']);
});

test.each([
  ['wallet-not-set-up', 'present'],
  ['wallet-disconnected', 'absent'],
])('the error %s means that the wallet is %s', async (code, expected) => {
  const { answer, seen, watch } = setUp();
  watch();
  answer.reject(walletError(code, ''));
  await vi.advanceTimersByTimeAsync(0);
  expect(seen).toEqual(['unknown', expected]);
});

test('a removed listener is not called', async () => {
  const { presence, seen, watch } = setUp();
  watch()();
  presence.announce();
  expect(seen).toEqual(['unknown']);
});
