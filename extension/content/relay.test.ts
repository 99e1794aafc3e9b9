// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ServiceError, toPageError } from '../../protocol/errors/service-error.ts';
import { MAX_CALL_LENGTH, MAX_REQUEST_LENGTH } from '../../protocol/payments/limits.ts';
import {
  CHANNEL,
  OFFER_EVENT,
  OVERLAY_SCRIPT,
  PAGE_PORT,
  PRESENT_EVENT,
  REQUESTS_SCRIPT,
} from '../../protocol/messages/wire.ts';

class Port {
  readonly sent: any[] = [];
  #reply: ((message: unknown) => void) | undefined;
  #gone: (() => void) | undefined;
  onMessage = { addListener: (listener: (message: unknown) => void) => void (this.#reply = listener) };
  onDisconnect = { addListener: (listener: () => void) => void (this.#gone = listener) };

  postMessage(message: unknown): void {
    this.sent.push(message);
  }

  reply(message: unknown): void {
    this.#reply?.(message);
  }

  disconnect(): void {
    this.#gone?.();
  }
}

let ports: Port[] = [];
let names: string[] = [];
let extensionGone = false;
let toPage: { message: any; origin: unknown }[] = [];
let stop: AbortController;

/** Returns the URL of a module that is loaded later and calls a global function set by the test. */
const laterPart = (name: string) =>
  `data:text/javascript,export const ${name} = (...given) => globalThis.${name}(...given)`;

function urlOf(path: string): string {
  if (extensionGone) throw new Error('Extension context invalidated.');
  expect(path).toBe(REQUESTS_SCRIPT);
  return laterPart('beginRequests');
}

/** Restarts the relay, including its second part if `isWhole`. */
async function start({ isWhole = true } = {}): Promise<void> {
  stop?.abort();
  stop = new AbortController();
  vi.resetModules();
  vi.stubGlobal('beginRequests', (await import('./requests.ts')).beginRequests);
  await import('./relay.iife.ts');
  if (!isWhole) return;
  post({ channel: CHANNEL, to: 'wallet' }); // Loads the second part. The wallet ignores this message.
  await arrived();
}

async function arrived(): Promise<void> {
  await import(/* @vite-ignore */ laterPart('beginRequests'));
  await new Promise((resolve) => setImmediate(resolve));
}

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  ports = [];
  names = [];
  toPage = [];
  extensionGone = false;
  stop = new AbortController();
  vi.stubGlobal('chrome', {
    runtime: {
      getURL: urlOf,
      connect: ({ name }: { name: string }) => {
        if (extensionGone) throw new Error('Extension context invalidated.');
        names.push(name);
        const port = new Port();
        ports.push(port);
        return port;
      },
    },
  });
  vi.spyOn(window, 'postMessage').mockImplementation(
    ((message: unknown, origin: unknown) => void toPage.push({ message, origin })) as never,
  );
  // Removes listeners, because an earlier test's relay must not receive this test's messages.
  const add = window.addEventListener.bind(window);
  vi.spyOn(window, 'addEventListener').mockImplementation(((
    name: string,
    listener: never,
    options: AddEventListenerOptions,
  ) => {
    add(name, listener, {
      ...options,
      signal: AbortSignal.any([stop.signal, ...(options.signal ? [options.signal] : [])]),
    });
  }) as never);
  await start();
});
afterEach(() => {
  stop.abort();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const request = (id: string, more: object = {}) => ({
  channel: CHANNEL,
  to: 'wallet',
  id,
  method: 'wallet/hello',
  params: {},
  ...more,
});
function post(data: unknown, { origin = location.origin, from = window as unknown } = {}): void {
  window.dispatchEvent(new MessageEvent('message', { data, origin, source: from as never }));
}
/** Returns the messages to the page, except announcements. */
const told = () => toPage.map((one) => one.message).filter(({ to, event }) => to === 'page' && event === undefined);
const claims = () =>
  toPage.map((one) => one.message).filter(({ to, relay }) => to === 'wallets' && relay !== undefined);
const greetings = () => toPage.map((one) => one.message).filter(({ beside }) => beside !== undefined);
const port = () => ports.at(-1) as Port;

describe('the relay', () => {
  test('announces itself only to its own page, and opens no connection for that', () => {
    expect(toPage).toEqual([
      { message: { channel: CHANNEL, to: 'page', event: PRESENT_EVENT }, origin: location.origin },
    ]);
    expect(ports).toEqual([]);
  });

  test('neither sends nor listens in a sandboxed page, even if the page forges an event', async () => {
    stop.abort();
    stop = new AbortController();
    toPage = [];
    vi.stubGlobal('origin', 'null');
    vi.resetModules();
    await import('./relay.iife.ts');
    post(request('message-1'));
    post(request('message-2'), { origin: 'null' });
    expect([toPage, ports]).toEqual([[], []]);
  });

  test('forwards a request to the wallet and the response back, both unchanged', () => {
    post(request('message-1', { params: { a: [1, 'x'] }, origin: 'https://evil.example' }));
    expect(names).toEqual([PAGE_PORT]);
    expect(port().sent).toEqual([
      { id: 'message-1', method: 'wallet/hello', params: { a: [1, 'x'] }, userActivation: 'none' },
    ]);
    port().reply({ channel: CHANNEL, to: 'page', id: 'message-1', result: { version: '1' } });
    expect(told()).toEqual([{ channel: CHANNEL, to: 'page', id: 'message-1', result: { version: '1' } }]);
    expect(toPage.every((one) => one.origin === location.origin)).toBe(true);
    post(request('message-2'));
    port().reply({ id: 'message-2', error: { code: 'refused', message: 'no' } });
    expect(told().at(-1)).toEqual({
      channel: CHANNEL,
      to: 'page',
      id: 'message-2',
      error: { code: 'refused', message: 'no' },
    });
    expect(ports).toHaveLength(1);
  });

  test('holds back the requests from a prerendered page until the page is shown', async () => {
    Object.defineProperty(document, 'prerendering', { value: true, configurable: true });
    try {
      await start({ isWhole: false });
      post(request('message-1'));
      post(request('message-2', { method: 'payment/request' }));
      await arrived();
      expect(ports).toEqual([]);
    } finally {
      Reflect.deleteProperty(document, 'prerendering');
    }
    toPage = [];
    document.dispatchEvent(new Event('prerenderingchange'));
    await arrived();
    expect(port().sent.map(({ id, userActivation }) => [id, userActivation])).toEqual([
      ['message-1', 'none'],
      ['message-2', 'none'],
    ]);
    expect(toPage.map(({ message }) => message)).toContainEqual({ channel: CHANNEL, to: 'page', event: PRESENT_EVENT });
  });

  test('delivers the response to each request once, and no others', () => {
    post(request('message-1'));
    port().reply({ id: 'message-1', result: 1 });
    port().reply({ id: 'message-1', result: 2 });
    port().reply({ id: 'never-asked', result: 3 });
    for (const message of [null, undefined, 5, {}, { id: 7 }]) port().reply(message);
    expect(told()).toHaveLength(1);
  });

  test.each<[string, () => void]>([
    ['another window', () => post(request('message-1'), { from: {} })],
    ['no window', () => post(request('message-1'), { from: null })],
    ['another origin', () => post(request('message-1'), { origin: 'https://evil.example' })],
    ['an origin without a name', () => post(request('message-1'), { origin: 'null' })],
    ['another program', () => post(request('message-1', { channel: 'other' }))],
    ['an older protocol', () => post(request('message-1', { channel: 'service-button/0' }))],
    ['itself', () => post(request('message-1', { to: 'page' }))],
    ['nobody', () => post(request('message-1', { to: undefined }))],
  ])('ignores %s', (_, say) => {
    say();
    expect(ports).toEqual([]);
    expect(told()).toEqual([]);
  });

  test.each([undefined, null, 0, 5, '', 'text', true, [], {}, { id: 'message-1' }, 10n])('ignores value %#', (data) => {
    post(data);
    expect([ports, told()]).toEqual([[], []]);
  });

  test.each([
    undefined,
    null,
    5,
    '',
    'short',
    'x'.repeat(65),
    'with space',
    'line\nbreak',
    'ünïcödé-',
    ['message-1'],
    {},
  ])('ignores a request named %j', (id) => {
    post(request(id as string));
    expect([ports, told()]).toEqual([[], []]);
  });

  test.each([undefined, null, 5, '', 'vault/unlock', 'approval/decide', '__proto__', 'constructor', 'wallet/hello '])(
    'does not forward the method %j',
    (method) => {
      post(request('message-1', { method }));
      expect(ports).toEqual([]);
      expect(told()).toEqual([
        {
          channel: CHANNEL,
          to: 'page',
          id: 'message-1',
          error: toPageError(new ServiceError('unsupported-method')),
        },
      ]);
    },
  );

  test.each<[string, () => unknown]>([
    ['nothing', () => undefined],
    ['number too large for JSON', () => 10n],
    [
      'circle',
      () => {
        const circle: { self?: unknown } = {};
        circle.self = circle;
        return circle;
      },
    ],
  ])('does not forward %s', (_, params) => {
    post(request('message-1', { params: params() }));
    expect(ports).toEqual([]);
    expect(told()[0].error.code).toBe('invalid-request');
  });

  test('forwards parameters as their JSON, and no object of the page', () => {
    const params = { at: new Date(0), map: new Map([['a', 1]]), nothing: undefined, list: [undefined] };
    post(request('message-1', { params }));
    expect(port().sent[0].params).toEqual({ at: '1970-01-01T00:00:00.000Z', map: {}, list: [null] });
  });

  test('forwards messages up to the protocol’s maximum length, and none longer', () => {
    const params = { x: 'y'.repeat(MAX_REQUEST_LENGTH - JSON.stringify({ x: '' }).length) };
    post(request('message-1', { params }));
    expect(port().sent).toHaveLength(1);
    post(request('message-2', { params: { x: `${params.x}y` } }));
    expect(port().sent).toHaveLength(1);
    expect(told()).toEqual([
      expect.objectContaining({ id: 'message-2', error: expect.objectContaining({ code: 'too-large' }) }),
    ]);
  });

  test('keeps at most fifty pending requests, and no duplicates', () => {
    for (let i = 0; i < 1000; i += 1) post(request(`message-${i}`));
    expect(port().sent).toHaveLength(50);
    expect(told()).toHaveLength(950);
    expect(told().every((message) => message.error.code === 'too-many-requests')).toBe(true);
    post(request('message-0'));
    expect(port().sent).toHaveLength(50);
    port().reply({ id: 'message-0', result: 1 });
    post(request('message-0'));
    expect(port().sent).toHaveLength(51);
  });
});

describe('user activation', () => {
  const browserSays = (isActive: boolean) => vi.stubGlobal('navigator', { userActivation: { isActive } });
  /** Dispatches a user gesture, or a synthetic one if `isTrusted` is false. */
  const act = (name = 'pointerdown', isTrusted = true, repeat?: boolean) => {
    const event = new Event(name);
    Object.defineProperties(event, { isTrusted: { value: isTrusted }, repeat: { value: repeat } });
    window.dispatchEvent(event);
  };
  let n = 0;
  /** Returns the user activation that the wallet receives with a request. */
  const told = (more: object = {}) => {
    n += 1;
    post(request(`gesture-${n}`, { method: 'payment/request', ...more }));
    return port().sent.at(-1).userActivation;
  };

  test('one user gesture, as reported by the browser, counts for only one payment', () => {
    browserSays(false);
    act();
    expect(told()).toBe('none');
    browserSays(true);
    expect([told(), told(), told()]).toEqual(['new', 'active', 'active']);
    act('keydown');
    expect([told(), told()]).toEqual(['new', 'active']);
  });

  test('a page’s messages or events can’t fake user activation', () => {
    browserSays(false);
    expect(told({ userActivation: 'new', params: { userActivation: 'new' } })).toBe('none');
    browserSays(true);
    act('pointerdown', false);
    act('keydown', false);
    expect(told({ userActivation: 'new' })).toBe('active');
  });

  test('a key that is held down counts as one user gesture', () => {
    browserSays(true);
    act('keydown', true, false);
    expect(told()).toBe('new');
    act('keydown', true, true);
    expect(told()).toBe('active');
  });

  test.each(['allowance/ask', 'identity/sign-in', 'asset/mint'])('a user gesture is also used up by %s', (method) => {
    browserSays(true);
    act();
    expect([told({ method }), told({ method }), told()]).toEqual(['new', 'active', 'active']);
  });

  test('a user gesture expires after ten seconds, regardless of the browser’s report', () => {
    const clock = vi.spyOn(performance, 'now').mockReturnValue(5000);
    browserSays(true);
    act();
    clock.mockReturnValue(15_000);
    expect([told(), told()]).toEqual(['active', 'active']);
    act();
    clock.mockReturnValue(24_999);
    expect(told()).toBe('new');
  });

  test.each<[string, string[], string]>([
    ['another site', ['https://evil.example'], 'embedded'],
    ['another site’s page in a page of this one', ['https://evil.example', location.origin], 'embedded'],
    ['a page without an origin', ['null'], 'embedded'],
    ['this site', [location.origin, location.origin], 'new'],
  ])('user activation in a frame of %s is reported correctly', (_, ancestorOrigins, expected) => {
    vi.spyOn(window, 'top', 'get').mockReturnValue({} as never);
    Object.defineProperty(location, 'ancestorOrigins', { value: ancestorOrigins, configurable: true });
    browserSays(true);
    act();
    expect(told()).toBe(expected);
    Reflect.deleteProperty(location, 'ancestorOrigins');
  });

  test('a user gesture isn’t used up by requests other than payments by a user', () => {
    browserSays(true);
    act();
    expect(told({ method: 'rates/read' })).toBe('active');
    expect(told({ params: { automatic: true } })).toBe('active');
    expect(told()).toBe('new');
  });

  test('user activation is reported as of the page’s request, even if the relay repeats it later', () => {
    browserSays(true);
    act();
    expect(told()).toBe('new');
    browserSays(false);
    port().disconnect();
    vi.advanceTimersByTime(250);
    expect(port().sent.map(({ userActivation }) => userActivation)).toEqual(['new']);
  });

  test('user activation expires when the page is left and restored', () => {
    browserSays(true);
    act();
    expect(told()).toBe('new');
    window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }));
    expect(port().sent.map(({ userActivation }) => userActivation)).toEqual(['none']);
  });

  test('a request from an embedded page is still reported as embedded after the page is left and restored', () => {
    vi.spyOn(window, 'top', 'get').mockReturnValue({} as never);
    Object.defineProperty(location, 'ancestorOrigins', { value: ['https://evil.example'], configurable: true });
    expect(told({ params: { automatic: true } })).toBe('embedded');
    window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }));
    expect(ports).toHaveLength(2);
    expect(port().sent.map(({ userActivation }) => userActivation)).toEqual(['embedded']);
    Reflect.deleteProperty(location, 'ancestorOrigins');
  });
});

describe('when the worker is stopped', () => {
  test('only unanswered requests are repeated, with the same ids', () => {
    for (const id of ['message-1', 'message-2', 'message-3']) post(request(id));
    port().reply({ id: 'message-2', result: 1 });
    port().disconnect();
    expect(ports).toHaveLength(1);
    vi.advanceTimersByTime(250);
    expect(ports).toHaveLength(2);
    expect(port().sent.map((message) => message.id)).toEqual(['message-1', 'message-3']);
    port().reply({ id: 'message-1', result: 1 });
    expect(told().map((message) => message.id)).toEqual(['message-2', 'message-1']);
  });

  test('the worker rests until the next request if nothing is unanswered', () => {
    post(request('message-1'));
    port().reply({ id: 'message-1', result: 1 });
    port().disconnect();
    vi.advanceTimersByTime(60_000);
    expect(ports).toHaveLength(1);
    post(request('message-2'));
    expect(ports).toHaveLength(2);
  });

  test('a request sent before the repetition is sent only once', () => {
    post(request('message-1'));
    port().disconnect();
    post(request('message-2'));
    vi.advanceTimersByTime(250);
    expect(ports).toHaveLength(2);
    expect(
      port()
        .sent.map((message) => message.id)
        .sort(),
    ).toEqual(['message-1', 'message-2']);
  });

  test('requests are repeated each time the worker stops', () => {
    post(request('message-1'));
    for (let i = 2; i < 10; i += 1) {
      port().disconnect();
      vi.advanceTimersByTime(250);
      expect(ports).toHaveLength(i);
      expect(port().sent.map((message) => message.id)).toEqual(['message-1']);
    }
    expect(told()).toEqual([]);
  });

  test('requests from a page in the back/forward cache are repeated when it is restored', () => {
    post(request('message-1'));
    port().disconnect();
    window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }));
    expect(ports).toHaveLength(2);
    expect(port().sent.map((message) => message.id)).toEqual(['message-1']);
    vi.advanceTimersByTime(1000);
    expect(port().sent.map((message) => message.id)).toEqual(['message-1']);
    window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: false }));
    expect(ports).toHaveLength(2);
  });

  test('a port that died while the page was in the back/forward cache is replaced', () => {
    post(request('message-1'));
    port().reply({ id: 'message-1', result: 1 });
    window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }));
    expect(ports).toHaveLength(1); // No request is pending, so no port is opened.
    post(request('message-2'));
    expect(ports).toHaveLength(2);
    expect(port().sent.map((message) => message.id)).toEqual(['message-2']);
  });
});

describe('when the extension is gone', () => {
  test('every open request fails with its code, and the relay stops', () => {
    post(request('message-1'));
    post(request('message-2'));
    extensionGone = true;
    port().disconnect();
    vi.advanceTimersByTime(250);
    expect(told().map((message) => [message.id, message.error.code])).toEqual([
      ['message-1', 'wallet-disconnected'],
      ['message-2', 'wallet-disconnected'],
    ]);
    post(request('message-3'));
    vi.advanceTimersByTime(10_000);
    expect(told()).toHaveLength(2);
    expect(ports).toHaveLength(1);
  });

  test('the next request fails with the same code', () => {
    extensionGone = true;
    post(request('message-1'));
    expect(told().map((message) => [message.id, message.error.code])).toEqual([['message-1', 'wallet-disconnected']]);
  });

  test('a port that breaks during a request fails with the same code', () => {
    post(request('message-1'));
    port().postMessage = () => {
      extensionGone = true;
      throw new Error('Attempting to use a disconnected port object');
    };
    expect(() => post(request('message-2'))).not.toThrow();
    port().disconnect();
    vi.advanceTimersByTime(250);
    expect(
      told()
        .map((message) => [message.id, message.error.code])
        .sort(),
    ).toEqual([
      ['message-1', 'wallet-disconnected'],
      ['message-2', 'wallet-disconnected'],
    ]);
  });
});

describe('next to another wallet in the same browser', () => {
  const other = { channel: CHANNEL, to: 'wallets', relay: 'other' };

  test('the relay leaves the page to the wallet that responded first, and reports that', () => {
    const warned = vi.spyOn(console, 'warn').mockReturnValue();
    post(request('message-1'));
    const opened = port();
    const left = vi.spyOn(opened, 'disconnect');
    post(other);
    opened.reply({ id: 'message-1', result: {} });
    post(request('message-2'));
    expect([told(), claims(), ports.length, opened.sent.length]).toEqual([[], [], 1, 1]);
    expect(left).toHaveBeenCalledOnce();
    expect(warned.mock.calls).toEqual([[expect.stringContaining('Another wallet')]]);
  });

  test('the first claim counts if both have responded: no later claim moves the page', () => {
    const warned = vi.spyOn(console, 'warn').mockReturnValue();
    post(request('message-1'));
    port().reply({ id: 'message-1', result: {} });
    const [own] = claims();
    expect(claims()).toHaveLength(1);
    post(own);
    post(other);
    post(request('message-2'));
    port().reply({ id: 'message-2', result: {} });
    expect(told().map(({ id }) => id)).toEqual(['message-1', 'message-2']);
    expect(claims()).toHaveLength(1);
    expect(warned).not.toHaveBeenCalled();
  });

  describe('a wallet that is not set up', () => {
    const beside = { channel: CHANNEL, to: 'wallets', beside: 'other' };
    const notSetUp = (id: string) => ({ id, result: { version: '1' }, isSetUp: false });

    test('leaves the page to a wallet that is set up, even if it responds first', () => {
      vi.spyOn(console, 'warn').mockReturnValue();
      post(request('message-1'));
      post(beside);
      port().reply(notSetUp('message-1'));
      expect([told(), claims()]).toEqual([[], []]);
      post(other);
      vi.runAllTimers();
      expect([told(), claims()]).toEqual([[], []]);
    });

    test('responds if the other wallet doesn’t within three seconds, and keeps the page from then on', () => {
      post(request('message-1'));
      post(beside);
      port().reply(notSetUp('message-1'));
      vi.advanceTimersByTime(2999);
      expect(claims()).toEqual([]);
      vi.advanceTimersByTime(1);
      const answered = { channel: CHANNEL, to: 'page', id: 'message-1', result: { version: '1' } };
      expect([told(), claims().length]).toEqual([[answered], 1]);
      post(claims()[0]);
      post(request('message-2'));
      port().reply({ ...notSetUp('message-2'), result: undefined, error: { code: 'wallet-not-set-up' } });
      expect(told().at(-1)).toEqual({
        channel: CHANNEL,
        to: 'page',
        id: 'message-2',
        error: { code: 'wallet-not-set-up' },
      });
    });

    test('a single wallet responds immediately, after its relay has informed the others once', () => {
      post(request('message-1'));
      post(greetings()[0]);
      port().reply(notSetUp('message-1'));
      post(request('message-2'));
      expect([told().map(({ id }) => id), greetings().length]).toEqual([['message-1'], 1]);
    });

    test('ignores a claim from another window or origin while it waits', () => {
      post(request('message-1'));
      post(beside, { origin: 'https://other.example' });
      post(beside, { from: null });
      port().reply(notSetUp('message-1'));
      expect(told()).toHaveLength(1);
    });

    test('responds without waiting if it is set up', () => {
      post(request('message-1'));
      post(beside);
      port().reply({ id: 'message-1', result: { version: '1' } });
      expect([told().length, claims().length]).toEqual([1, 1]);
    });
  });

  test('a claim from another window or origin is ignored', () => {
    const warned = vi.spyOn(console, 'warn').mockReturnValue();
    post(other, { origin: 'https://other.example' });
    post(other, { from: null });
    post(request('message-1'));
    port().reply({ id: 'message-1', result: {} });
    expect(told()).toHaveLength(1);
    expect(warned).not.toHaveBeenCalled();
  });
});

describe('a page that was already open', () => {
  const world = globalThis as { isLate?: boolean; hasRelay?: boolean };
  const isPresent = () => toPage.some(({ message }) => message.event === PRESENT_EVENT);
  const inquiries = () => toPage.map(({ message }) => message).filter(({ beside }) => beside !== undefined);

  beforeEach(() => {
    toPage = [];
    delete world.hasRelay;
    world.isLate = true;
  });
  afterEach(() => {
    delete world.isLate;
    delete world.hasRelay;
  });

  /** Delivers the last inquiry, as the browser would deliver it to all listeners. */
  const comesBack = () => post(inquiries().at(-1));

  test('the relay announces itself after the existing relays have responded', async () => {
    await start({ isWhole: false });
    expect([inquiries().length, isPresent()]).toEqual([1, false]);
    comesBack();
    expect([inquiries().length, isPresent()]).toEqual([2, false]);
    comesBack();
    expect(isPresent()).toBe(true);
    comesBack();
    expect(toPage).toHaveLength(3);
    post(request('message-1'));
    await arrived();
    port().reply({ id: 'message-1', result: {} });
    expect(told().map(({ id }) => id)).toEqual(['message-1']);
  });

  test('a relay that the browser injects later also waits for the existing relays', async () => {
    delete world.isLate;
    vi.spyOn(performance, 'getEntriesByType').mockReturnValue([{ domInteractive: 5 }] as never);
    await start({ isWhole: false });
    expect([inquiries().length, isPresent()]).toEqual([1, false]);
  });

  test('the relay stays silent in a page that has another wallet', async () => {
    await start({ isWhole: false });
    comesBack();
    post({ channel: CHANNEL, to: 'wallets', relay: 'other' });
    comesBack();
    post(request('message-1'));
    await arrived();
    expect([isPresent(), ports, told()]).toEqual([false, [], []]);
  });

  test('a second run of the relay does nothing', async () => {
    await start({ isWhole: false });
    toPage = [];
    vi.resetModules();
    await import('./relay.iife.ts');
    expect(toPage).toEqual([]);
  });

  test('the relay does nothing in an empty frame, which has no address', async () => {
    vi.stubGlobal('location', { origin: 'null' });
    await start({ isWhole: false });
    expect(toPage).toEqual([]);
  });
});

describe('when another relay starts', () => {
  const inquiry = { channel: CHANNEL, to: 'wallets', beside: 'late' };

  test('the relay that has claimed the page claims it again', () => {
    post(request('message-1'));
    port().reply({ id: 'message-1', result: {} });
    const [own] = claims();
    post(own);
    post(inquiry);
    expect(claims()).toEqual([own, own]);
  });

  test('a relay that has not responded to the page yet makes no claim', () => {
    post(request('message-1'));
    post(inquiry);
    expect(claims()).toEqual([]);
  });

  test('the relay from before an extension update keeps the page and its open requests', () => {
    post(request('message-1'));
    port().reply({ id: 'message-1', result: {} });
    post(claims()[0]);
    post(request('message-2'));
    const before = [told(), claims()];
    extensionGone = true;
    port().disconnect();
    post(inquiry);
    vi.runAllTimers();
    post(request('message-3'));
    expect([told(), claims()]).toEqual(before);
    expect(ports).toHaveLength(1);
  });
});

describe('the overlay', () => {
  const overlay = { hear: vi.fn(), lost: vi.fn() };
  const made = vi.fn();
  let loaded: string[];

  beforeEach(async () => {
    loaded = [];
    for (const one of [overlay.hear, overlay.lost, made]) one.mockReset();
    made.mockReturnValue(overlay);
    vi.stubGlobal(
      'IntersectionObserverEntry',
      class {
        isVisible = true;
        static {
          Object.defineProperty(this.prototype, 'isVisible', { value: true });
        }
      },
    );
    if (!('popover' in HTMLElement.prototype))
      Object.defineProperty(HTMLElement.prototype, 'popover', { value: null, configurable: true });
    Object.assign(chrome.runtime, {
      getURL: (path: string) => {
        if (path === REQUESTS_SCRIPT) return urlOf(path);
        loaded.push(path);
        return laterPart('createOverlay');
      },
    });
    vi.stubGlobal('createOverlay', made);
    await start();
  });

  const offer = (detail: string, element = document.body.appendChild(document.createElement('div'))) => {
    element.dispatchEvent(new CustomEvent(OFFER_EVENT, { composed: true, detail }));
    return element;
  };
  const isMade = () => vi.waitFor(() => expect(made).toHaveBeenCalled());
  const surroundings = () => made.mock.calls[0]![0] as { tell(message: object): void; noteGesture(): void };

  test('the overlay is loaded for the first button that can be swiped, and gets the earlier offers', async () => {
    offer('');
    expect(loaded).toEqual([]);
    const [one, two] = [offer('{"a":1}'), offer('{"b":1}')];
    offer('{"a":2}', one);
    await isMade();
    expect(loaded).toEqual([OVERLAY_SCRIPT]);
    expect([...made.mock.calls[0]![1]]).toEqual([
      [one, '{"a":2}'],
      [two, '{"b":1}'],
    ]);
    offer('{"c":1}');
    expect([loaded.length, ports.length]).toEqual([1, 0]);
  });

  test('the overlay talks to the wallet through the same port, which it opens, and is notified when it closes', async () => {
    offer('{}');
    await isMade();
    surroundings().tell({ swipe: 'offer', button: 1 });
    expect(names).toEqual([PAGE_PORT]);
    expect(port().sent).toEqual([{ swipe: 'offer', button: 1 }]);
    const answer = { swipe: 'offered', button: 1, id: 'x', secret: 'y' };
    port().reply(answer);
    expect(overlay.hear).toHaveBeenCalledExactlyOnceWith(answer);
    expect(told()).toEqual([]);
    port().disconnect();
    expect(overlay.lost).toHaveBeenCalledOnce();
    vi.runAllTimers();
    expect(ports).toHaveLength(1);
  });

  test('the overlay reports a trusted swipe, which then counts as one user gesture', async () => {
    vi.stubGlobal('navigator', { userActivation: { isActive: true } });
    offer('{}');
    await isMade();
    surroundings().noteGesture();
    for (const id of ['message-1', 'message-2']) post(request(id, { method: 'payment/request' }));
    expect(port().sent.map(({ userActivation }) => userActivation)).toEqual(['new', 'active']);
  });

  test.each<[string, () => void]>([
    ['a browser that cannot tell whether a frame is seen', () => vi.stubGlobal('IntersectionObserverEntry', Object)],
    ['a frame, whose page could mask it', () => vi.spyOn(window, 'top', 'get').mockReturnValue({} as never)],
    ['a sandbox', () => vi.stubGlobal('origin', 'null')],
  ])('the overlay isn’t loaded in %s', async (_, otherwise) => {
    otherwise();
    await start();
    offer('{}');
    expect(loaded).toEqual([]);
  });

  test('the overlay isn’t started once another wallet has claimed the page', async () => {
    vi.spyOn(console, 'warn').mockReturnValue();
    offer('{}');
    post({ channel: CHANNEL, to: 'wallets', relay: 'other' });
    await new Promise((resolve) => setImmediate(resolve));
    expect(made).not.toHaveBeenCalled();
  });
});

describe('before the lazy part has loaded', () => {
  beforeEach(() => start({ isWhole: false }));

  test('a button without an offer does not load it; one with an earlier offer can withdraw it', async () => {
    const loads = vi.spyOn(chrome.runtime, 'getURL');
    const offer = (detail: string) =>
      document.body.dispatchEvent(new CustomEvent(OFFER_EVENT, { composed: true, detail }));
    offer('');
    offer('');
    expect(loads).not.toHaveBeenCalled();
    const heard = vi.fn();
    vi.stubGlobal('beginRequests', () => heard);
    offer('{}');
    offer('');
    await arrived();
    offer('');
    expect(heard.mock.calls.map(([{ detail }]) => detail)).toEqual(['{}', '', '']);
  });

  const act = () => {
    const event = new Event('pointerdown');
    Object.defineProperty(event, 'isTrusted', { value: true });
    window.dispatchEvent(event);
  };
  const sent = () => port().sent.map(({ id, userActivation }) => [id, userActivation]);

  test('the relay loads nothing for a page that sends nothing to the wallet', async () => {
    const loads = vi.spyOn(chrome.runtime, 'getURL' as never);
    for (const data of [null, 'text', 5, {}, { channel: 'other' }, { channel: CHANNEL, to: 'page' }, { type: 'CWI' }])
      post(data);
    post(request('message-1'), { origin: 'https://evil.example' });
    post(request('message-1'), { from: {} });
    act();
    await arrived();
    expect(loads).not.toHaveBeenCalled();
  });

  test('no message is lost or reordered, and the part is loaded once', async () => {
    const loads = vi.spyOn(chrome.runtime, 'getURL' as never);
    for (let n = 1; n <= 60; n += 1) post(request(`message-${n}`));
    await arrived();
    expect(port().sent.map(({ id }) => id)).toEqual(Array.from({ length: 50 }, (_, n) => `message-${n + 1}`));
    expect(told().map(({ id, error }) => [id, error.code])).toEqual(
      Array.from({ length: 10 }, (_, n) => [`message-${n + 51}`, 'too-many-requests']),
    );
    post(request('message-61'));
    expect(told().at(-1).id).toBe('message-61');
    expect(loads).toHaveBeenCalledOnce();
  });

  test('a user gesture counts only for messages after it', async () => {
    vi.stubGlobal('navigator', { userActivation: { isActive: true } });
    const pay = { method: 'payment/request' };
    post(request('before-1', pay));
    act();
    post(request('after-01', pay));
    post(request('after-02', pay));
    await arrived();
    expect(sent()).toEqual([
      ['before-1', 'active'],
      ['after-01', 'new'],
      ['after-02', 'active'],
    ]);
  });

  test('a user gesture before any message counts for the first one', async () => {
    vi.stubGlobal('navigator', { userActivation: { isActive: true } });
    act();
    post(request('message-1', { method: 'payment/request' }));
    vi.stubGlobal('navigator', { userActivation: { isActive: false } });
    await arrived();
    expect(sent()).toEqual([['message-1', 'new']]);
  });

  test('requests from before the page was left don’t count as user gestures when it is restored', async () => {
    vi.stubGlobal('navigator', { userActivation: { isActive: true } });
    act();
    post(request('message-1', { method: 'payment/request' }));
    window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }));
    await arrived();
    expect(sent()).toEqual([['message-1', 'none']]);
  });

  test('nothing is forwarded after another wallet has claimed the page', async () => {
    vi.spyOn(console, 'warn').mockReturnValue();
    post(request('message-1'));
    post({ channel: CHANNEL, to: 'wallets', relay: 'other' });
    post(request('message-2'));
    await arrived();
    expect([told(), port().sent.map(({ id }) => id)]).toEqual([[], ['message-1']]);
  });

  test.each<[string, object, object]>([
    [
      'a request',
      request('message-1'),
      {
        to: 'page',
        id: 'message-1',
        error: expect.objectContaining({ code: 'wallet-disconnected', moved: 'unknown' }),
      },
    ],
    [
      'a call',
      { type: 'CWI', isInvocation: true, id: 'call-1', call: 'getVersion', args: {} },
      { type: 'CWI', id: 'call-1', isInvocation: false, status: 'error', code: 1, name: 'WERR_UNAUTHORIZED' },
    ],
  ])('an extension that may be gone is reported to %s, and the relay stops', async (_, message, expected) => {
    extensionGone = true;
    toPage = [];
    post(message);
    post(request('message-2'));
    await arrived();
    expect(toPage.map((one) => one.message)).toEqual([expect.objectContaining(expected)]);
  });
});

describe('a call of the BSV wallet interface', () => {
  const call = (id: string, more: object = {}) => ({
    type: 'CWI',
    isInvocation: true,
    id,
    call: 'getPublicKey',
    args: { identityKey: true },
    ...more,
  });
  const answers = () => toPage.map(({ message }) => message).filter(({ type }) => type === 'CWI');
  const lastSent = () => port().sent.at(-1);

  test('a call is forwarded as its name and the JSON of its arguments, and the response has the interface’s form', () => {
    post(call('a+/=b'));
    expect(port().sent).toEqual([
      {
        id: expect.stringMatching(/^cwi:[0-9a-z]+:a\+\/=b$/),
        method: 'brc100/call',
        params: { call: 'getPublicKey', args: '{"identityKey":true}' },
        userActivation: 'none',
      },
    ]);
    port().reply({ id: lastSent().id, result: { result: { publicKey: '02' } } });
    expect(answers()).toEqual([
      { type: 'CWI', id: 'a+/=b', isInvocation: false, status: 'success', result: { publicKey: '02' } },
    ]);
    expect(told()).toEqual([]);
  });

  test('an error of the interface arrives with its fields, none of which can overwrite the response’s own', () => {
    post(call('one'));
    const error = {
      code: 6,
      name: 'WERR_INVALID_PARAMETER',
      description: 'No.',
      parameter: 'keyID',
      status: 'success',
    };
    port().reply({ id: lastSent().id, result: { error } });
    expect(answers()).toEqual([{ ...error, type: 'CWI', id: 'one', isInvocation: false, status: 'error' }]);
  });

  test('an error of the wallet arrives in the same form', () => {
    post(call('one'));
    port().reply({ id: lastSent().id, error: toPageError(new ServiceError('wallet-not-set-up')) });
    expect(answers()).toEqual([
      expect.objectContaining({
        status: 'error',
        code: 1,
        name: 'WERR_UNAUTHORIZED',
        description: expect.stringContaining('set up'),
        reason: 'wallet-not-set-up',
      }),
    ]);
  });

  test('typed arrays become arrays, at any depth', () => {
    post(call('one', { args: { a: Uint8Array.of(1, 255), b: [{ c: Uint8Array.of(7) }] } }));
    expect(lastSent().params.args).toBe('{"a":[1,255],"b":[{"c":[7]}]}');
  });

  test.each<[string, unknown, string | undefined]>([
    ['no arguments', undefined, '{}'],
    ['null', null, '{}'],
    ['a getter', Object.defineProperty({}, 'x', { get: () => 5 }), '{}'],
    ['inherited fields', Object.create({ identityKey: true }), '{}'],
    ['a field named __proto__', JSON.parse('{"__proto__":{"a":1}}'), '{"__proto__":{"a":1}}'],
    ['NaN and infinite numbers', { a: NaN, b: Infinity, c: [NaN] }, '{"a":null,"b":null,"c":[null]}'],
  ])('a call with %s becomes its JSON', (_, args, expected) => {
    post(call('one', { args }));
    expect(lastSent().params.args).toBe(expected);
  });

  test.each<[string, unknown, string]>([
    ['a bigint', { a: 1n }, 'invalid-request'],
    ['typed arrays of bigints', { a: BigInt64Array.of(1n) }, 'invalid-request'],
    ['more text than a call may have', { a: 'x'.repeat(MAX_CALL_LENGTH) }, 'too-large'],
    ['an array of nothing, four thousand million times', { a: Object.assign([], { length: 4e9 }) }, 'too-large'],
    ['more bytes than a call may have', { a: new Uint8Array(MAX_CALL_LENGTH + 1) }, 'too-large'],
  ])('a call with %s isn’t forwarded', (_, args, reason) => {
    post(call('one', { args }));
    expect(ports).toEqual([]);
    expect(answers()).toEqual([expect.objectContaining({ id: 'one', status: 'error', code: 1, reason })]);
  });

  test('a call of the largest size is forwarded', () => {
    const args = { a: 'x'.repeat(MAX_CALL_LENGTH - '{"a":""}'.length) };
    post(call('one', { args }));
    expect(lastSent().params.args).toHaveLength(MAX_CALL_LENGTH);
  });

  test.each([undefined, 5, '', 'x'.repeat(65), 'line\nbreak', 'ünï'])('a call with the id %j is ignored', (id) => {
    post({ ...call('one'), id });
    expect([ports, answers()]).toEqual([[], []]);
  });

  test('a call from another window or origin is ignored, and so is a response', () => {
    post(call('one'), { from: {} });
    post(call('one'), { from: null });
    post(call('one'), { origin: 'https://evil.example' });
    post(call('one', { isInvocation: false, status: 'success' }));
    expect([ports, answers()]).toEqual([[], []]);
  });

  test('a call isn’t a button’s request, regardless of its id', () => {
    post(call('message-1'));
    post(request('message-1'));
    expect(port().sent.map(({ id }) => id)).toEqual([expect.stringMatching(/^cwi:[0-9a-z]+:message-1$/), 'message-1']);
    post(request(port().sent[0].id));
    expect(port().sent).toHaveLength(2);
  });

  test('a call has a different ID in each document, and the same id when the relay repeats it', async () => {
    post(call('1'));
    port().disconnect();
    vi.advanceTimersByTime(250);
    const [before] = port().sent;
    await start();
    post(call('1'));
    expect(ports[0]!.sent[0].id).toBe(before.id);
    expect(lastSent().id).toMatch(/^cwi:[0-9a-z]+:1$/);
    expect(lastSent().id).not.toBe(before.id);
  });

  test.each<unknown>([undefined, null, 5, {}, { toString: 1, valueOf: 1 }, ['getVersion']])(
    'a call of a method named %j is forwarded without a name, and the wallet rejects it',
    (name) => {
      post(call('one', { call: name }));
      expect(lastSent().params.call).toBe('');
      post(call('two'));
      expect(lastSent().params.call).toBe('getPublicKey');
    },
  );

  test('a call uses up a user gesture only if it may prompt the user', () => {
    vi.stubGlobal('navigator', { userActivation: { isActive: true } });
    const event = new Event('keydown');
    Object.defineProperty(event, 'isTrusted', { value: true });
    window.dispatchEvent(event);
    const hands = ['getVersion', 'isAuthenticated', 'createAction', 'createAction'].map((name, n) => {
      post(call(`call-${n}`, { call: name }));
      return lastSent().userActivation;
    });
    expect(hands).toEqual(['active', 'active', 'new', 'active']);
  });
});
