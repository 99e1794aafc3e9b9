// @vitest-environment happy-dom
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ServiceError, toPageError } from '../../../protocol/errors/service-error.ts';
import { pageMethods, type PageReply, type PageRequest } from '../../../protocol/messages/page-messages.ts';
import { CHANNEL, PRESENT_EVENT } from '../../../protocol/messages/wire.ts';
import type { LanguageCode } from '../../../protocol/languages.ts';
import { SITE_TEXTS } from '../../page/texts.ts';
import { signInPage, type Landing } from './sign-in-page.ts';

const SCRIPT = ['ask-wallet.js', 'sign-in.js']
  .map((name) => readFileSync(path.join(import.meta.dirname, '../assets', name), 'utf8'))
  .join('\n');
const CHALLENGE = {
  nonce: 'nonce-0123456789abcdef',
  issuedAt: '2026-01-01T00:00:00.000Z',
  expiresAt: '2026-01-01T00:05:00.000Z',
};
const SIGNED = { publicKey: `02${'ab'.repeat(32)}`, signature: 'c2ln', receivingXpub: null };

type WalletReply = Pick<PageReply, 'result' | 'error'> | null;
let asked: PageRequest[];
let sent: { path: string; body: unknown }[];
let wallet: (request: PageRequest) => WalletReply;
let server: Record<string, () => { status: number; body: unknown }>;
const replaced = vi.fn();
const reloaded = vi.fn();
/** The script's `location`. Its `window` is {@link page}, without the listeners from earlier tests. */
const location = { origin: 'http://localhost:3000', replace: replaced, reload: reloaded };
let listeners: Map<string, (event: object) => void>;
const happens = (type: string, event: object = {}) => listeners.get(type)?.(event);
const page = {
  addEventListener: (type: string, listener: (event: object) => void) => void listeners.set(type, listener),
  postMessage(message: PageRequest) {
    asked.push(message);
    expect(
      pageMethods[message.method].safeParse(message.params).success,
      `${message.method} ${JSON.stringify(message.params)}`,
    ).toBe(true);
    const answer = wallet(message);
    if (answer) queueMicrotask(() => reply({ id: message.id, ...answer }));
  },
};
const reply = (message: object) =>
  happens('message', { source: page, origin: location.origin, data: { channel: CHANNEL, to: 'page', ...message } });

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  sent = [];
  wallet = ({ method }) => ({ result: method === 'wallet/hello' ? { version: '1', network: 'devnet' } : SIGNED });
  server = {};
  listeners = new Map();
  vi.stubGlobal('fetch', async (to: string, init?: { body?: string }) => {
    sent.push({ path: to, body: init?.body === undefined ? undefined : JSON.parse(init.body) });
    const { status, body } = server[to]?.() ?? {
      status: 200,
      body: to.endsWith('challenges') ? CHALLENGE : { available: true },
    };
    return { ok: status < 300, status, json: async () => body };
  });
  replaced.mockReset();
  reloaded.mockReset();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function open(landing: Landing = 'login', language: LanguageCode = 'en'): Promise<void> {
  document.body.innerHTML = signInPage({
    landing,
    returnTo: '/account?tab=1',
    application: null,
    paymailDomain: 'pay.example',
  })(SITE_TEXTS[language], language).main.toString();
  // oxlint-disable-next-line no-new-func -- a plain script; its window and location are the test's
  new Function('window', 'location', SCRIPT)(page, location);
  await settle();
}

const settle = () => vi.advanceTimersByTimeAsync(0);
async function rest(milliseconds: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(milliseconds);
  await settle();
}
const state = () => document.getElementById('sign-in')?.dataset.state;
const shown = (id: string) => document.getElementById(id)?.hidden === false;
const problem = () => document.querySelector<HTMLElement>('#message [data-code]');
async function submit(): Promise<void> {
  document.querySelector('form')?.dispatchEvent(new Event('submit', { cancelable: true }));
  await settle();
}
async function type(id: string, text: string): Promise<void> {
  const input = document.getElementById(id) as HTMLInputElement;
  input.value = text;
  input.dispatchEvent(new Event('input'));
  await settle();
}
const refuse = (code: string, message = '') => ({ status: 400, body: { error: { code, message } } });

test('signs in with the wallet’s signature of a challenge, and returns to the previous page', async () => {
  await open();
  expect([state(), shown('login'), shown('no-wallet')]).toEqual(['ready', true, false]);
  await submit();
  expect(asked.at(-1)).toMatchObject({ method: 'identity/sign-in', params: { ...CHALLENGE, register: null } });
  expect(sent).toEqual([
    { path: '/api/v2/sign-in/challenges', body: {} },
    {
      path: '/api/v2/sign-in',
      body: { publicKey: SIGNED.publicKey, nonce: CHALLENGE.nonce, signature: SIGNED.signature },
    },
  ]);
  expect(state()).toBe('done');
  expect(replaced.mock.calls).toEqual([[`${location.origin}/account?tab=1`]]);
});

test('creates an account with the handle, the name and the xpub that the wallet signed', async () => {
  wallet = ({ method }) => ({
    result:
      method === 'wallet/hello'
        ? { version: '1', network: 'devnet' }
        : { ...SIGNED, receivingXpub: 'xpub-of-the-wallet' },
  });
  await open('register');
  await type('handle', ' Ada ');
  await type('name', ' Ada L. ');
  await submit();
  expect(asked.at(-1)).toMatchObject({ params: { register: { handle: 'ada', name: 'Ada L.' } } });
  expect(sent.at(-1)).toEqual({
    path: '/api/v2/users',
    body: {
      publicKey: SIGNED.publicKey,
      nonce: CHALLENGE.nonce,
      signature: SIGNED.signature,
      register: { handle: 'ada', name: 'Ada L.', receivingXpub: 'xpub-of-the-wallet' },
    },
  });
  expect(replaced).toHaveBeenCalledOnce();
});

test('the page explains how to get a missing wallet, and continues by itself once it is installed', async () => {
  wallet = () => null;
  await open();
  expect(state()).toBe('looking');
  await vi.advanceTimersByTimeAsync(600);
  expect([state(), shown('login'), shown('no-wallet')]).toEqual(['no-wallet', false, true]);
  expect(document.querySelector('#no-wallet a')?.getAttribute('href')).toBe('/wallet');
  // In Chrome, open pages get no relay, so returning to the page reloads it.
  happens('focus');
  expect(reloaded).toHaveBeenCalledOnce();
  // Firefox injects the relay into open pages.
  reply({ event: PRESENT_EVENT });
  expect([state(), shown('login')]).toEqual(['ready', true]);
  happens('focus');
  expect(reloaded).toHaveBeenCalledOnce();
});

test.each([
  ['sign-in-refused', 'You refused in your wallet'],
  ['wallet-locked', 'Your wallet is locked'],
  ['wallet-not-set-up', 'Your wallet isn’t set up yet'],
  ['busy', 'is already waiting for you'],
  ['site-blocked', 'You blocked this site'],
  ['wallet-disconnected', 'updated or switched off'],
  ['some-other', 'Words of the wallet.'],
])('shows an error after the wallet’s %s, submits nothing, and can be tried again', async (code, words) => {
  let answer: WalletReply = {
    error: { ...toPageError(new ServiceError('internal')), code: code as never, message: 'Words of the wallet.' },
  };
  wallet = ({ method }) => (method === 'wallet/hello' ? { result: { version: '1', network: 'devnet' } } : answer);
  await open();
  await submit();
  expect(problem()?.dataset.code).toBe(code);
  expect(problem()?.textContent).toContain(words);
  expect(sent.map((one) => one.path)).toEqual(['/api/v2/sign-in/challenges']);
  expect(state()).toBe('ready');
  answer = { result: SIGNED };
  await submit();
  expect(problem()).toBeNull();
  expect(replaced).toHaveBeenCalledOnce();
});

test('a wallet without an account gets the registration form, and one with an account doesn’t', async () => {
  server['/api/v2/sign-in'] = () => refuse('unknown-account');
  await open();
  await submit();
  expect(problem()?.querySelector('a')?.getAttribute('href')).toBe(
    '/sign-in?landing=register&return=%2Faccount%3Ftab%3D1',
  );
  server['/api/v2/users'] = () => refuse('key-taken');
  await open('register');
  await type('handle', 'ada');
  await submit();
  expect(problem()?.querySelector('a')?.getAttribute('href')).toBe('/sign-in?return=%2Faccount%3Ftab%3D1');
  expect(replaced).not.toHaveBeenCalled();
});

test('a handle registered by another user in between is reported below its field', async () => {
  server['/api/v2/users'] = () => refuse('handle-taken');
  await open('register');
  await type('handle', 'ada');
  await submit();
  expect(problem()?.textContent).toContain('This handle, or one that looks like it, is already taken');
  expect(document.getElementById('handle')?.getAttribute('aria-invalid')).toBe('true');
});

test('shows whether a handle is free when typing pauses, and ignores outdated responses', async () => {
  await open('register');
  const hint = () => document.getElementById('handle-hint')?.textContent;
  const error = () => document.getElementById('handle-error')?.textContent;
  await type('handle', 'ad');
  await rest(300);
  expect([hint(), error()]).toEqual(['3 to 30 letters, digits, dots or hyphens.', '']);
  await rest(600);
  expect(error()).toContain('lowercase letters');
  await type('handle', 'adam');
  await type('handle', 'ada');
  expect([hint(), error()]).toEqual(['Checking…', '']);
  await rest(300);
  expect(sent.map((one) => one.path)).toEqual(['/api/v2/handles/ada']);
  expect(hint()).toBe('ada is available. Your paymail will be ada@pay.example');
  server['/api/v2/handles/bob'] = () => ({ status: 200, body: { available: false } });
  await type('handle', 'bob');
  await rest(300);
  expect(error()).toBe('This handle, or one that looks like it, is already taken.');
  server['/api/v2/handles/eve'] = () => refuse('too-many-requests');
  await type('handle', 'eve');
  await rest(300);
  expect([hint(), error()]).toEqual([
    'We can’t check handles right now. You’ll find out when you create the account.',
    '',
  ]);
});

test('submits no invalid handle, and nothing twice concurrently', async () => {
  await open('register');
  await type('handle', 'a');
  await submit();
  expect(sent).toEqual([]);
  expect(document.getElementById('handle-error')?.textContent).toContain('lowercase letters');
  wallet = () => null;
  await type('handle', 'ada');
  await submit();
  await submit();
  expect(asked.filter(({ method }) => method === 'identity/sign-in')).toHaveLength(1);
});

test('sends a new relay the same request ID, by which the wallet recognizes the request', async () => {
  wallet = ({ method }) => (method === 'wallet/hello' ? { result: { version: '1', network: 'devnet' } } : null);
  await open();
  await submit();
  reply({ event: PRESENT_EVENT });
  const questions = asked.filter(({ method }) => method === 'identity/sign-in');
  expect(questions).toHaveLength(2);
  expect(new Set(questions.map(({ id }) => id)).size).toBe(1);
});

test.each(Object.keys(SITE_TEXTS) as LanguageCode[])(
  'every problem and the form use the page’s language (%s)',
  async (language) => {
    const { script, handleHint } = SITE_TEXTS[language].signIn;
    server['/api/v2/sign-in'] = () => refuse('unknown-account');
    await open('login', language);
    await submit();
    expect(problem()?.querySelector('.banner-title')?.textContent).toBe(script.problems['unknown-account'][0]);
    expect(problem()?.querySelector('a')?.textContent).toBe(script.createAccount);
    await open('register', language);
    await type('handle', 'ada');
    await rest(1000);
    const hint = document.getElementById('handle-hint');
    expect(hint?.textContent).toBe(
      `${script.free({ handle: 'ada' })} ${script.paymail({ paymail: 'ada@pay.example' })}`,
    );
    await type('handle', '-');
    await rest(2000);
    expect([hint?.textContent, document.getElementById('handle-error')?.textContent]).toEqual([
      handleHint,
      script.badHandle,
    ]);
  },
);
