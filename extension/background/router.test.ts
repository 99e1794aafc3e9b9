import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Runtime } from 'webextension-polyfill';
import { CHANNEL, PAGE_PORT } from '../../protocol/messages/wire.ts';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { WALLET_WINDOWS, walletMethods, type WalletMethod } from '../../protocol/messages/wallet-messages.ts';
import { MINIMAL_PARAMS } from '../../protocol/messages/wallet-messages/testing-parameters.ts';
import { TestBrowser } from '../../testkit/wallet/browser.ts';
import { useWallet, wallet } from '../../testkit/wallet/current.ts';
import { testPlatform } from '../../testkit/wallet/platform.ts';

const ID = 'wallet-extension-id';
const ROOT = `chrome-extension://${ID}/`;
const { approvalId: APPROVAL } = MINIMAL_PARAMS['approval/read'];

const handled = vi.hoisted(() => ({
  page: [] as unknown[][],
  wallet: [] as unknown[][],
  gone: [] as object[],
  opened: [] as object[],
}));
const vault = vi.hoisted(() => ({ stored: true }));
/** While the user decides, requests stay pending until this promise resolves. */
const user = vi.hoisted(() => ({ deciding: null as Promise<void> | null }));
vi.mock('../../wallet/store/database.ts', () => ({ hasKey: async () => vault.stored }));
// Mocks that only record calls, because the handlers have their own tests.
vi.mock('../../wallet/page-handlers.ts', () => ({
  pageHandlers: () =>
    new Proxy(
      {},
      {
        get:
          (_, method) =>
          async (...args: unknown[]) => {
            handled.page.push([method, ...args]);
            await user.deciding;
            if (method === 'payment/request') throw new Error('a secret of the inside');
            if (method === 'identity/sign-in') throw new ServiceError('wallet-not-set-up');
            return { version: '1' };
          },
      },
    ),
}));
vi.mock('../../wallet/wallet-handlers.ts', () => ({
  walletHandlers: () =>
    new Proxy(
      {},
      {
        get:
          (_, method) =>
          async (...args: unknown[]) => {
            handled.wallet.push([method, ...args]);
            if (method === 'vault/unlock') throw Object.assign(new Error('wrong horse'), { code: 'wrong-password' });
            return null;
          },
      },
    ),
}));
vi.mock('../../wallet/onboarding-tab.ts', () => ({
  openForPage: async (_wallet: unknown, sender: object) => void handled.opened.push(sender),
}));
vi.mock('../../wallet/prompts/request.ts', () => ({
  withdrawClient: async (_wallet: unknown, client: object) => void handled.gone.push(client),
}));
useWallet(testPlatform(new TestBrowser().api(async (_, call) => call())));

const { pageOrigin, servePort, serveWindow, walletWindow } = await import('./router.ts');

beforeEach(() => {
  for (const list of Object.values(handled)) list.length = 0;
  vault.stored = true;
  user.deciding = null;
});
afterEach(() => vi.useRealTimers());

type Sender = Runtime.MessageSender & { origin?: string; documentId?: string };
let nextSite = 0;
/** Returns a page of a new site so that no test uses up another test's request limit. */
const page = (): Sender => ({
  id: ID,
  url: `https://site-${(nextSite += 1)}.example/pay`,
  origin: `https://site-${nextSite}.example`,
  frameId: 0,
  tab: { id: nextSite } as never,
});

class TestPort {
  readonly name: string;
  readonly sender: Sender | undefined;
  readonly sent: any[] = [];
  disconnected = false;
  message: ((message: unknown) => void) | undefined;
  leave: (() => void) | undefined;
  onMessage = { addListener: (listener: (message: unknown) => void) => void (this.message = listener) };
  onDisconnect = { addListener: (listener: () => void) => void (this.leave = listener) };

  constructor(sender: Sender | undefined, name = PAGE_PORT) {
    this.sender = sender;
    this.name = name;
  }

  postMessage(message: unknown): void {
    this.sent.push(message);
  }

  disconnect(): void {
    this.disconnected = true;
  }
}

function connect(sender: Sender | undefined, name?: string): TestPort {
  const port = new TestPort(sender, name);
  servePort(wallet, port as never);
  return port;
}

/** Sends a message on a port and returns the response. */
async function answer(port: TestPort, message: unknown): Promise<any> {
  const before = port.sent.length;
  port.message?.(message);
  await vi.waitFor(() => expect(port.sent.length).toBeGreaterThan(before), { interval: 1 });
  return port.sent.at(-1);
}

const hello = { channel: CHANNEL, to: 'wallet', id: 'message-1', method: 'wallet/hello', params: {} };
const payment = {
  ...hello,
  method: 'payment/request',
  params: { id: 'request-1', options: { outputs: [{ to: '1', amount: '1', currency: 'USD' }] } },
};

test.each([
  ['new', true],
  ['active', false],
  ['none', false],
  ['embedded', false],
])(
  'a page opens onboarding only if no wallet is set up, and only after a user gesture: %s',
  async (userActivation, opens) => {
    const sender = page();
    const times = {
      nonce: 'a'.repeat(43),
      issuedAt: '2026-01-01T00:00:00Z',
      expiresAt: '2026-01-01T00:05:00Z',
      register: null,
    };
    const asked = { ...hello, method: 'identity/sign-in', params: times, userActivation };
    expect((await answer(connect(sender), asked)).error).toMatchObject({ code: 'wallet-not-set-up' });
    expect(handled.opened).toEqual(opens ? [sender] : []);
  },
);

test('the relay is notified that no wallet is set up, so it yields to an existing one', async () => {
  const port = connect(page());
  expect(await answer(port, hello)).toEqual({
    channel: CHANNEL,
    to: 'page',
    id: 'message-1',
    result: { version: '1' },
  });
  vault.stored = false;
  expect(await answer(port, hello)).toMatchObject({ isSetUp: false, result: { version: '1' } });
  vault.stored = true;
  const signIn = { nonce: 'a'.repeat(43), issuedAt: '2026-01-01T00:00:00Z', expiresAt: '2026-01-01T00:05:00Z' };
  const asked = { ...hello, method: 'identity/sign-in', params: { ...signIn, register: null } };
  expect(await answer(port, asked)).toMatchObject({ isSetUp: false, error: { code: 'wallet-not-set-up' } });
});

describe('the origin of a page', () => {
  test.each<[string, Partial<Sender>, string | null]>([
    ['of a secure page', {}, 'https://shop.example'],
    [
      'of a frame in another page',
      { url: 'https://pay.example/x', origin: 'https://pay.example', frameId: 7 },
      'https://pay.example',
    ],
    [
      'of a page on a port',
      { url: 'https://shop.example:8443/a', origin: 'https://shop.example:8443' },
      'https://shop.example:8443',
    ],
    ['of this machine', { url: 'http://localhost:3000/', origin: 'http://localhost:3000' }, 'http://localhost:3000'],
    [
      'of this machine by number',
      { url: 'http://127.0.0.1:3000/', origin: 'http://127.0.0.1:3000' },
      'http://127.0.0.1:3000',
    ],
    ['unknown to the browser, regardless of the URL', { origin: undefined as never }, null],
    ['of an insecure page', { url: 'http://shop.example/', origin: 'http://shop.example' }, null],
    [
      'of an insecure page that is named like this machine',
      { url: 'http://localhost.evil.example/', origin: 'http://localhost.evil.example' },
      null,
    ],
    ['of a page without an origin of its own', { origin: 'null' }, null],
    ['of a file', { url: 'file:///tmp/a.html', origin: 'file://' }, null],
    ['of a data address', { url: 'data:text/html,x', origin: 'null' }, null],
    ['of a page of an extension', { url: `${ROOT}extension/popup/index.html`, origin: ROOT.slice(0, -1) }, null],
    ['of another extension', { id: 'another-extension-id' }, null],
    ['of nobody', { id: undefined as never }, null],
    ['that is shown', { documentLifecycle: 'active' } as never, 'https://shop.example'],
    ['of a prerendered page that has not been shown', { documentLifecycle: 'prerender' } as never, null],
    ['that was left and is kept aside', { documentLifecycle: 'cached' } as never, null],
    ['that is going away', { documentLifecycle: 'pending_deletion' } as never, null],
    ['of something outside a tab', { tab: undefined as never }, null],
    ['of something without an address', { url: undefined as never }, null],
    ['that is broken', { origin: 'nonsense' }, null],
  ])('the origin is verified: %s', (_, change, expected) => {
    const sender = {
      id: ID,
      url: 'https://shop.example/pay',
      origin: 'https://shop.example',
      frameId: 0,
      tab: {},
      ...change,
    } as Sender;
    expect(pageOrigin(wallet, sender)).toBe(expected);
    const port = connect(sender);
    expect(port.disconnected).toBe(expected === null);
    expect(port.message === undefined).toBe(expected === null);
  });

  test('a port needs an origin and the right name', () => {
    expect(pageOrigin(wallet, undefined)).toBeNull();
    expect(connect(undefined).disconnected).toBe(true);
    expect(connect(page(), 'another port').disconnected).toBe(true);
  });
});

describe('a port of a page', () => {
  test('reaches the handler with the browser-verified origin, regardless of the message', async () => {
    const sender = page();
    const port = connect(sender);
    await answer(port, { ...hello, origin: 'https://bank.example', sender: { origin: 'https://bank.example' } });
    expect(handled.page).toEqual([
      [
        'wallet/hello',
        {},
        { origin: sender.origin, client: port, message: 'message-1', userActivation: 'none', isTop: true },
      ],
    ]);
    expect(port.sent).toEqual([{ channel: CHANNEL, to: 'page', id: 'message-1', result: { version: '1' } }]);
    await answer(connect({ ...page(), frameId: 1 }), { ...hello, isTop: true });
    expect(handled.page.at(-1)?.[2]).toMatchObject({ isTop: false });
  });

  test.each<[unknown, string]>([
    ['new', 'new'],
    ['active', 'active'],
    ['none', 'none'],
    [undefined, 'none'],
    ['NEW', 'none'],
    [true, 'none'],
    [{}, 'none'],
  ])('uses the relay’s report %j of the user activation, and not the page’s', async (said, taken) => {
    await answer(connect(page()), { ...hello, userActivation: said });
    expect(handled.page[0]?.[2]).toMatchObject({ userActivation: taken });
    // A value in the page's own parameters is rejected.
    handled.page.length = 0;
    expect((await answer(connect(page()), { ...hello, params: { userActivation: 'new' } })).error.code).toBe(
      'invalid-request',
    );
    await answer(connect(page()), { ...payment, params: { ...payment.params, userActivation: 'new' } });
    expect(handled.page).toEqual([]);
  });

  test.each([
    ...Object.keys(walletMethods),
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'valueOf',
    '',
    'wallet/hello ',
    'Wallet/Hello',
    undefined,
    null,
    5,
    ['wallet/hello'],
  ])('a page has no method %j', async (method) => {
    expect((await answer(connect(page()), { ...hello, method })).error.code).toBe('unsupported-method');
    expect(handled).toMatchObject({ page: [], wallet: [] });
  });

  test.each([undefined, null, [], 'x', { a: 1 }, { __proto__: { a: 1 }, b: 1 }])(
    'a greeting with %j gets no response',
    async (params) => {
      expect((await answer(connect(page()), { ...hello, params })).error.code).toBe('invalid-request');
      expect(handled.page).toEqual([]);
    },
  );

  test.each([
    undefined,
    null,
    5,
    'text',
    [],
    {},
    { ...hello, id: undefined },
    { ...hello, id: 7 },
    { ...hello, id: 'x'.repeat(101) },
  ])('the port doesn’t respond to %j', async (message) => {
    const port = connect(page());
    port.message?.(message);
    await answer(port, hello);
    expect(port.sent).toHaveLength(1);
  });

  test('reveals no internals if something breaks', async () => {
    const reply = await answer(connect(page()), payment);
    expect(reply.error).toMatchObject({ code: 'internal', message: expect.not.stringContaining('secret') });
    expect(reply).not.toHaveProperty('result');
  });

  test('a closed port gets no response, and the wallet is notified that the page is gone', async () => {
    const port = connect(page());
    port.message?.(hello);
    port.leave?.();
    await answer(connect(page()), hello);
    expect(port.sent).toEqual([]);
    expect(handled.gone).toEqual([port]);
  });

  test('a port has at most its tab’s computing time, in frames of any site, and then gets an error; another tab’s port has its own', async () => {
    vi.useFakeTimers({ now: Date.now() });
    const { tab } = page();
    const large = {
      ...payment,
      params: { id: 'request-1', options: { ...payment.params.options, opReturn: 'x'.repeat(99_000) } },
    };
    const ports = Array.from({ length: 20 }, () => connect({ ...page(), frameId: nextSite, tab } as Sender));
    for (const port of ports) for (let i = 0; i < 8; i += 1) port.message?.(large);
    await vi.advanceTimersByTimeAsync(0);
    const codes = () => ports.flatMap(({ sent }) => sent.map(({ error }) => error.code));
    expect(codes().filter((code) => code !== 'internal')).toEqual([]);
    const worked = handled.page.length;
    expect(worked).toBeGreaterThan(20);
    expect(worked).toBeLessThan(100);
    const other = connect(page());
    other.message?.(hello);
    await vi.advanceTimersByTimeAsync(0);
    expect(other.sent).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1000);
    expect(codes().filter((code) => code === 'too-many-requests')).toHaveLength(160 - worked);
    expect(handled.page).toHaveLength(worked + 1);
  });

  test('pending payment requests of a site, also repeated in many tabs, use at most 16 MB', async () => {
    let decide = () => {};
    user.deciding = new Promise((resolve) => (decide = resolve));
    const to = `OP_FALSE OP_RETURN ${'ab'.repeat(60_000)}`;
    const outputs = Array.from({ length: 3 }, () => ({ to, amount: '0', currency: 'BSV' }));
    const large = { ...payment, params: { id: 'request-1', options: { outputs } } };
    const { url, origin } = page();
    const ports = Array.from({ length: 55 }, () => connect({ ...page(), url, origin } as Sender));
    for (const port of ports) port.message?.(large);
    const codes = () => ports.flatMap(({ sent }) => sent.map(({ error }) => error.code));
    await vi.waitFor(() => expect(codes()).toEqual(Array(11).fill('too-many-requests')), { interval: 1 });
    expect(handled.page).toHaveLength(44); // 360,000 characters each
    decide();
    await vi.waitFor(() => expect(codes()).toHaveLength(55), { interval: 1 });
    expect((await answer(connect({ ...page(), url, origin } as Sender), large)).error.code).toBe('internal');
  });

  test('requests that wait for their tab’s computing time also count toward the 16 MB', async () => {
    vi.useFakeTimers({ now: Date.now() });
    user.deciding = new Promise(() => undefined);
    const port = connect(page());
    const call = { ...hello, method: 'brc100/call', params: { call: 'encrypt', args: 'x'.repeat(4_000_000) } };
    for (let i = 1; i <= 5; i += 1) port.message?.({ ...call, id: `call-${i}` });
    await vi.advanceTimersByTimeAsync(0);
    const refused = () => port.sent.map(({ id, error }) => [id, error.code]);
    // Two calls use up the computing time, and two wait.
    expect(refused()).toEqual([['call-5', 'too-many-requests']]);
    expect(handled.page).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(1000);
    expect(refused().map(([id]) => id)).toEqual(['call-5', 'call-3', 'call-4']);
  });

  test('a request with more data than is allowed is refused before any work on it', async () => {
    const cryptoOperations = Array.from({ length: 20 }, (_, i) => ({
      name: `n${String.fromCharCode(97 + i)}`,
      method: 'sign',
      data: '\ufdfa'.repeat(33_000),
    }));
    const reply = await answer(connect(page()), {
      ...payment,
      params: { ...payment.params, options: { outputs: [], cryptoOperations } },
    });
    expect(reply.error.code).toBe('data-too-large');
    expect(handled.page).toEqual([]);
  });

  test('a page that floods the wallet has to wait, in any of its frames; other sites do not', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const sender = page();
    const ports = [connect(sender), connect({ ...sender, frameId: 3 })];
    const replies = await Promise.all(
      Array.from(
        { length: 200 },
        (_, i) =>
          new Promise<any>((resolve) => {
            const port = connect(ports[i % 2]?.sender);
            port.postMessage = resolve;
            port.message?.(hello);
          }),
      ),
    );
    expect(replies.filter((r) => r.error?.code === 'too-many-requests')).toHaveLength(140);
    expect(handled.page).toHaveLength(60);
    expect((await answer(connect(page()), hello)).result).toBeDefined();
    vi.setSystemTime(Date.now() + 1000);
    expect((await answer(connect(sender), hello)).result).toBeDefined();
  });
});

const windowOf = (name: string, more: Partial<Sender> = {}): Sender => ({
  id: ID,
  url: `${ROOT}extension/${name}/index.html`,
  ...more,
});
describe("a message of the wallet's windows", () => {
  test.each(WALLET_WINDOWS)('a message from %s reaches the methods of that window, and no other', async (name) => {
    for (const [method, { callers }] of Object.entries(walletMethods)) {
      handled.wallet.length = 0;
      const reply = await serveWindow(
        wallet,
        { method, params: MINIMAL_PARAMS[method as WalletMethod] },
        windowOf(name, { url: `${ROOT}extension/${name}/index.html?id=${APPROVAL}` }),
      );
      const may = (callers as readonly string[]).includes(name);
      expect(
        handled.wallet.map(([one]) => one),
        `${name} ${method}`,
      ).toEqual(may ? [method] : []);
      if (!may) expect(reply).toEqual({ error: expect.objectContaining({ code: 'unsupported-method' }) });
    }
  });

  test.each<[string, Sender]>([
    ['a page', page()],
    [
      'a page with the path of a window',
      { id: ID, url: 'https://evil.example/extension/popup/index.html', tab: {} as never, frameId: 0 },
    ],
    ['a window framed in a page', windowOf('popup', { frameId: 4, tab: {} as never })],
    ['another extension', windowOf('popup', { id: 'another-extension-id' })],
    [
      "another extension's window",
      { id: 'another-extension-id', url: 'chrome-extension://another-extension-id/extension/popup/index.html' },
    ],
    [
      'a document of another extension with our ID',
      { id: ID, url: 'chrome-extension://another-extension-id/extension/popup/index.html' },
    ],
    ['another document of ours', { id: ID, url: `${ROOT}extension/other/index.html` }],
    ['a document below a window', { id: ID, url: `${ROOT}extension/popup/index.html/x` }],
    ['the folder of a window', { id: ID, url: `${ROOT}extension/popup/` }],
    ['a document of no address', { id: ID }],
    ['a document of a broken address', { id: ID, url: 'nonsense' }],
    ['nobody', {}],
  ])('a message from %s gets no response', (_, sender) => {
    expect(walletWindow(wallet, sender)).toBeNull();
    expect(serveWindow(wallet, { method: 'vault/status', params: {} }, sender)).toBeUndefined();
    expect(handled.wallet).toEqual([]);
  });

  test('a message from a window in a separate tab is answered', async () => {
    expect(walletWindow(wallet, windowOf('onboarding', { frameId: 0, tab: {} as never }))).toBe('onboarding');
    expect(walletWindow(wallet, windowOf('approval', { url: `${ROOT}extension/approval/index.html?id=x#y` }))).toBe(
      'approval',
    );
    expect(await serveWindow(wallet, { method: 'vault/status', params: {} }, windowOf('popup'))).toEqual({
      result: null,
    });
  });

  test.each(['', '?id=', `?id=${'f'.repeat(32)}`, `?id=${APPROVAL}x`, `?ID=${APPROVAL}`, `#id=${APPROVAL}`])(
    'approval methods are accepted only from the window of that approval, not from %j',
    async (query) => {
      const sender = windowOf('approval', { url: `${ROOT}extension/approval/index.html${query}` });
      for (const method of ['approval/read', 'approval/decide'] as const) {
        expect(await serveWindow(wallet, { method, params: MINIMAL_PARAMS[method] }, sender)).toEqual({
          error: expect.objectContaining({ code: 'approval-unknown' }),
        });
      }
      expect(handled.wallet).toEqual([]);
    },
  );

  test.each([
    '__proto__',
    'constructor',
    'toString',
    'payment/request',
    'wallet/hello',
    '',
    undefined,
    null,
    5,
    ['vault/status'],
  ])('a window has no method %j', async (method) => {
    expect(await serveWindow(wallet, { method, params: {} }, windowOf('popup'))).toEqual({
      error: expect.objectContaining({ code: 'unsupported-method' }),
    });
    expect(handled.wallet).toEqual([]);
  });

  test.each([undefined, null, 5, 'text', []])('a message can’t be %j', async (message) => {
    expect(await serveWindow(wallet, message, windowOf('popup'))).toEqual({
      error: expect.objectContaining({ code: 'unsupported-method' }),
    });
  });

  test.each<[WalletMethod, object]>([
    ['vault/status', { extra: 1 }],
    ['vault/unlock', {}],
    ['vault/unlock', { password: '' }],
    ['vault/unlock', { password: 'x'.repeat(1001) }],
    ['wallet/faucet', { satoshis: 0 }],
    ['wallet/faucet', { satoshis: 1.5 }],
    ['wallet/faucet', { satoshis: '5' }],
    ['activity/list', { limit: 101 }],
    ['activity/list', { limit: 1, search: 'x'.repeat(101) }],
    ['activity/list', { limit: 1, extra: 1 }],
    ['activity/list', { limit: 1, before: 'x/y' }],
    ['settings/change', { network: 'mainnet' }],
    ['settings/change', { serviceUrl: 7 }],
    ['settings/change', { lockAfterMinutes: 0 }],
    ['settings/change', { currency: 'usd' }],
    ['sites/block', { origin: 'https://a.example', hours: 2 }],
    ['sites/change', { token: APPROVAL, amount: '', period: 'day', perPayment: null, rate: null }],
    ['sites/change', { token: APPROVAL, amount: '1', period: 'year', perPayment: null, rate: null }],
  ])('%s does not accept %j', async (method, params) => {
    expect(await serveWindow(wallet, { method, params }, windowOf('popup'))).toEqual({
      error: expect.objectContaining({ code: 'invalid-request' }),
    });
    expect(handled.wallet).toEqual([]);
  });

  test('an internal failure reveals no details', async () => {
    expect(await serveWindow(wallet, { method: 'vault/unlock', params: { password: 'x' } }, windowOf('popup'))).toEqual(
      {
        error: { code: 'internal', message: expect.not.stringContaining('horse') },
      },
    );
  });
});
