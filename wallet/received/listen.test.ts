/** Tests how long the wallet listens for payments, and how it handles a broken stream. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { freshModules } from '../../testing/fresh-modules.ts';
import type * as Database from '../store/database.ts';
import type * as Client from '../service/client.ts';
import type * as Fetch from './fetch.ts';
import type * as Listen from './listen.ts';
import { wallet } from '../../testkit/wallet/current.ts';

const SECOND = 1000;

/** An open stream, and the data sent on it by the service. */
interface Stream {
  send: (text: string) => void;
  end: () => void;
  isCut: () => boolean;
}

const world = {
  account: 'there' as 'there' | 'none' | 'unreadable',
  isDown: false,
  /** Times of the attempts to open a stream (seconds since the start). */
  tried: [] as number[],
  streams: [] as Stream[],
  fetched: 0,
};
let listen: typeof Listen.listen;
let start = 0;

beforeEach(async () => {
  Object.assign(world, { account: 'there', isDown: false, tried: [], streams: [], fetched: 0 });
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
  start = Date.now();
  freshModules();
  vi.doMock('../store/database.ts', () => ({
    readKey: (async (_wallet: unknown, key) => {
      if (world.account === 'unreadable') throw new Error('locked');
      return world.account === 'there' && key === 'account' ? ({} as never) : undefined;
    }) satisfies typeof Database.readKey,
  }));
  vi.doMock('./fetch.ts', () => ({
    receive: (async () => void (world.fetched += 1)) satisfies typeof Fetch.receive,
  }));
  vi.doMock('../service/client.ts', () => ({
    openReceivedEvents: (async (_wallet: unknown, signal) => {
      world.tried.push((Date.now() - start) / SECOND);
      if (world.isDown) throw new Error('nobody there');
      return new ReadableStream({
        start(controller) {
          signal.addEventListener('abort', () => controller.error(signal.reason));
          world.streams.push({
            send: (text) => controller.enqueue(new TextEncoder().encode(text)),
            end: () => controller.close(),
            isCut: () => signal.aborted,
          });
        },
      });
    }) satisfies typeof Client.openReceivedEvents,
  }));
  ({ listen } = await import('./listen.ts'));
});
afterEach(() => {
  vi.useRealTimers();
});

const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * SECOND);
/** Simulates a window that is open for this many seconds and sends a message every ten seconds. */
async function open(seconds: number): Promise<void> {
  for (let passed = 0; passed < seconds; passed += 10) {
    listen(wallet);
    await pass(Math.min(10, seconds - passed));
  }
}
/** Opens a stream. @returns the stream, and a function that sends text and returns the number of fetches it causes */
async function heard(): Promise<{ stream: Stream; fetches: (text: string) => Promise<number> }> {
  listen(wallet);
  await pass(0);
  const stream = world.streams.at(-1)!;
  return {
    stream,
    fetches: async (text) => {
      const before = world.fetched;
      stream.send(text);
      await pass(0);
      return world.fetched - before;
    },
  };
}

test('an opened window fetches everything and opens one stream, regardless of its number of messages', async () => {
  listen(wallet);
  listen(wallet);
  await pass(0);
  listen(wallet);
  await pass(0);
  expect([world.fetched, world.tried]).toEqual([1, [0]]);
});

describe('received payments', () => {
  test.each([
    ['event: received\n\n', 1],
    ['event:received\n\n', 1],
    ['event: received\r\n\r\n', 1],
    ['event: received\ndata: {}\n\n', 1],
    [': hello\n\nid: 1\nevent: received\n\n', 1],
    ['event: received\n\nevent: received\n\n', 1],
    [': still here\n\n', 0],
    ['event: other\n\n', 0],
    ['event: received later\n\n', 0],
    ['data: event: received\n\n', 0],
    ['event:  received\n\n', 0],
    ['event: received\n', 0],
    ['\n\n', 0],
  ])('payments are fetched after %j: %i times', async (text, times) => {
    expect(await (await heard()).fetches(text)).toBe(times);
  });

  test('a payment is fetched once its event is complete, in any number of parts', async () => {
    const { fetches } = await heard();
    expect([await fetches('event: rec'), await fetches('eived\n'), await fetches('\nevent: ')]).toEqual([0, 0, 1]);
    expect([await fetches('received\r\n'), await fetches('\r\n'), await fetches('\n\n')]).toEqual([0, 1, 0]);
  });
});

test('an event has at most ten thousand characters, and a longer one closes the stream', async () => {
  const { stream, fetches } = await heard();
  await fetches('x'.repeat(10_000));
  expect(stream.isCut()).toBe(false);
  await fetches('x');
  expect(stream.isCut()).toBe(true);
});

test('many short events are not counted as one long event', async () => {
  const { stream, fetches } = await heard();
  for (let n = 0; n < 5; n += 1) await fetches(`: ${'x'.repeat(9000)}\n\n`);
  expect(stream.isCut()).toBe(false);
});

describe('the stream', () => {
  test('the stream ends half a minute after the window’s last message, and only the next window opens another', async () => {
    await open(20);
    const { stream } = await heard();
    stream.send(': still here\n\n');
    await pass(29);
    expect(stream.isCut()).toBe(false);
    await pass(1);
    expect(stream.isCut()).toBe(true);
    await pass(60);
    expect([world.tried, world.fetched]).toEqual([[0], 1]);
    listen(wallet);
    await pass(0);
    expect([world.tried, world.fetched]).toEqual([[0, 110], 2]);
  });

  test('a stream that ended with its window doesn’t delay the next', async () => {
    const { stream } = await heard();
    await pass(30);
    expect(stream.isCut()).toBe(true);
    listen(wallet);
    await pass(0);
    expect([world.tried, world.fetched]).toEqual([[0, 30], 2]);
  });

  test('a stream that the service closes is reopened after a second, every time', async () => {
    for (let n = 0; n < 3; n += 1) {
      listen(wallet);
      await pass(0);
      world.streams.at(-1)!.end();
      await pass(1);
    }
    expect(world.tried).toEqual([0, 1, 2, 3]);
  });

  test('a stream that the service closes after the window is gone is not reopened', async () => {
    const { stream } = await heard();
    await pass(29.5);
    stream.end();
    await pass(60);
    expect(world.tried).toEqual([0]);
  });

  test('a stream without data for more than forty seconds is reopened, and a comment counts as data', async () => {
    await open(30);
    const [stream] = world.streams as [Stream];
    stream.send(': still here\n\n');
    await open(40);
    expect(stream.isCut()).toBe(false);
    listen(wallet);
    await pass(1);
    expect(stream.isCut()).toBe(true);
    await pass(1);
    expect(world.tried).toEqual([0, 72]);
  });

  test('a stream that can’t be opened is retried with growing delays of up to sixteen seconds', async () => {
    world.isDown = true;
    await open(70);
    expect(world.tried).toEqual([0, 2, 6, 14, 30, 46, 62]);
    world.isDown = false;
    await open(10);
    expect(world.tried.at(-1)).toBe(78);
    world.isDown = true;
    world.streams.at(-1)!.end();
    await open(4);
    expect(world.tried.slice(-2)).toEqual([81, 83]);
  });
});

test.each(['none', 'unreadable'] as const)(
  'no stream opens while the account is %s, until there is an account',
  async (account) => {
    world.account = account;
    await open(60);
    expect(world.tried).toEqual([]);
    world.account = 'there';
    await open(10);
    expect(world.tried).toEqual([60]);
  },
);
