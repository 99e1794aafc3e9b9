import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/preact';
import { afterEach, expect, test, vi } from 'vitest';
import { ERRORS } from '../../protocol/errors/service-error.ts';
import { fakeWallet, overview, Refusal, settings } from '../ui/window/fake-wallet.ts';
import { Onboarding } from './onboarding.tsx';

const runtime = vi.hoisted(() => ({ sendMessage: undefined as unknown as (message: never) => Promise<unknown> }));
vi.mock('webextension-polyfill', () => ({
  default: { runtime: { sendMessage: (message: never) => runtime.sendMessage(message) } },
}));

const words = 'legal winner thank year wave sausage worth useful castle dolphin ribbon yellow';
const password = 'orbit-lantern-maple-47';
const account = { id: '7', handle: 'ada', paymail: 'ada@localhost', name: '' };
afterEach(cleanup);

async function open(handlers: Parameters<typeof fakeWallet>[0] = {}) {
  const wallet = fakeWallet({
    'vault/status': () => ({ exists: false, locked: true, lockAt: null }),
    'vault/generate-words': () => ({ words }),
    'vault/check-words': ({ words: typed }) => ({ valid: typed === words }),
    'vault/create': () => null,
    'settings/read': () => settings,
    'service/read': () => ({ builtIn: settings.serviceUrl }),
    'wallet/overview': () => ({ ...overview, account: null, satoshis: '0' }),
    'account/check-handle': ({ handle }) =>
      handle === 'taken' ? { available: false, problem: 'handle-taken' } : { available: true, problem: null },
    'account/register': () => account,
    'account/sign-in': () => null,
    ...handlers,
  });
  runtime.sendMessage = wallet.sendMessage;
  render(<Onboarding />);
  await screen.findByText('Create a new wallet');
  return wallet;
}

const text = () => document.body.textContent ?? '';
const type = (label: string, value: string) => fireEvent.input(screen.getByLabelText(label), { target: { value } });

async function passPassword() {
  await screen.findByText('Choose a password');
  type('Password', password);
  type('Confirm password', password);
  fireEvent.click(screen.getByText('Continue'));
}

function answer(right: boolean) {
  const all = words.split(' ');
  document.querySelectorAll('fieldset').forEach((question, i) => {
    const word = all[Number(/\d+/.exec(question.querySelector('legend')?.textContent ?? '')?.[0]) - 1];
    const options = [...question.querySelectorAll('button')];
    const chosen = options.find((option) => (option.textContent === word) === (right || i > 0));
    if (chosen) fireEvent.click(chosen);
  });
  fireEvent.click(screen.getByText('Create wallet'));
}

async function toCheck(handlers: Parameters<typeof fakeWallet>[0] = {}) {
  const wallet = await open(handlers);
  fireEvent.click(screen.getByText('Create a new wallet'));
  await passPassword();
  await screen.findByText('Write down your recovery words');
  return wallet;
}

test('a weak password and a mistyped one are rejected with the reason', async () => {
  const wallet = await open();
  fireEvent.click(screen.getByText('Create a new wallet'));
  await screen.findByText('Choose a password');
  type('Password', 'password1');
  type('Confirm password', 'password1');
  fireEvent.click(screen.getByText('Continue'));
  await screen.findByText('This password is too easy to guess.');
  type('Password', password);
  type('Confirm password', `${password}x`);
  fireEvent.click(screen.getByText('Continue'));
  await screen.findByText('The passwords don’t match.');
  expect(wallet.asked('vault/generate-words')).toEqual([]);
});

test('the words are hidden until the user reveals them, then checked, and removed afterwards', async () => {
  const wallet = await toCheck();
  expect(text()).not.toContain('sausage');
  fireEvent.click(screen.getByText('Show the words'));
  for (const word of words.split(' ')) expect(text()).toContain(word);
  fireEvent.click(screen.getByText('I’ve written them down'));
  await screen.findByText('Check what you wrote down');
  answer(false);
  await screen.findByText(/That’s not word/);
  expect(wallet.asked('vault/create')).toEqual([]);
  answer(true);
  await screen.findByText('Choose your handle');
  expect(wallet.asked('vault/create')).toEqual([{ words, password, restored: false }]);
  for (const word of words.split(' ').filter((w) => w.length > 5))
    expect(document.documentElement.outerHTML).not.toContain(word);
  expect(document.documentElement.outerHTML).not.toContain(password);
});

test('a handle is checked while typing, then registered', async () => {
  const wallet = await toCheck();
  fireEvent.click(screen.getByText('Show the words'));
  fireEvent.click(screen.getByText('I’ve written them down'));
  answer(true);
  await screen.findByLabelText('Handle');
  type('Handle', 'taken');
  await screen.findByText(ERRORS['handle-taken'].message);
  type('Handle', 'Ada');
  await screen.findByText('ada is available');
  expect(text()).toContain('ada@localhost');
  fireEvent.click(screen.getByText('Create account'));
  await screen.findByText('Your wallet is ready');
  expect(wallet.asked('account/register')).toEqual([{ handle: 'ada', name: '' }]);
});

test('the account can be at another service, where this key may already have one', async () => {
  let serviceUrl = settings.serviceUrl;
  const wallet = await toCheck({
    'settings/change': (change) => {
      if (change.serviceUrl === 'https://nobody.example') throw new Refusal('service-unavailable');
      serviceUrl = change.serviceUrl ?? serviceUrl;
      return { ...settings, serviceUrl };
    },
    'account/sign-in': () => null,
  });
  fireEvent.click(screen.getByText('Show the words'));
  fireEvent.click(screen.getByText('I’ve written them down'));
  answer(true);
  fireEvent.click(await screen.findByText('Another service'));
  expect(screen.queryByLabelText('Handle')).toBeNull();
  type('Service address', 'https://nobody.example');
  fireEvent.click(screen.getByText('Use this service'));
  await screen.findByText(/We can’t reach the service right now. Nothing has changed./);
  type('Service address', 'https://pay.example');
  fireEvent.click(screen.getByText('Use this service'));
  await screen.findByLabelText('Handle');
  expect(wallet.asked('account/sign-in')).toHaveLength(1);
  type('Handle', 'ada');
  await screen.findByText(/ada@pay.example/);
});

test('the handle can be registered later while the service is down', async () => {
  const wallet = await toCheck({
    'settings/change': (change) => ({ ...settings, ...change }) as typeof settings,
    'account/check-handle': () => {
      throw new Refusal('service-unavailable');
    },
    'account/register': () => {
      throw new Refusal('service-unavailable');
    },
  });
  fireEvent.click(screen.getByText('Show the words'));
  fireEvent.click(screen.getByText('I’ve written them down'));
  answer(true);
  await screen.findByLabelText('Handle');
  type('Handle', 'ada');
  await waitFor(() => expect(text()).toContain('can’t check handles'));
  fireEvent.click(screen.getByText('Create account'));
  await screen.findByText(/You can create one later/);
  fireEvent.click(screen.getByText('No account'));
  fireEvent.click(screen.getByText('Continue without an account'));
  await screen.findByText('Your wallet is ready');
  expect(wallet.asked('settings/change').at(-1)).toEqual({ noAccount: true });
});

test('restoring shows clear errors, then finds the old account', async () => {
  const wallet = await open({ 'account/sign-in': () => account });
  fireEvent.click(screen.getByText('Restore from recovery words'));
  const field = screen.getByLabelText<HTMLInputElement>('Recovery words');
  expect([field.type, field.name, field.autocomplete]).toEqual(['password', '', 'off']);
  type('Recovery words', 'legal winner');
  fireEvent.click(screen.getByText('Check words'));
  await screen.findByText('You entered 2 words. There should be 12, 15, 18, 21 or 24.');
  type('Recovery words', words.replace('thank', 'thänk'));
  fireEvent.click(screen.getByText('Check words'));
  await screen.findByText(/can’t be a recovery word/);
  type('Recovery words', words.replace('thank', 'winner'));
  fireEvent.click(screen.getByText('Check words'));
  await screen.findByText(/recovery words aren’t valid/);
  type('Recovery words', words.toUpperCase());
  fireEvent.click(screen.getByText('Check words'));
  await screen.findByText('Choose a password');
  expect(document.documentElement.outerHTML).not.toContain('sausage');
  await passPassword();
  await screen.findByText('Welcome back, ada. We found your account.');
  expect(wallet.asked('vault/create')).toEqual([{ words, password, restored: true }]);
});

test.each([
  ['with invisible characters', words.replaceAll(' ', '\u200b ')],
  [
    'numbered, in a field that removed the line breaks',
    words
      .split(' ')
      .map((word, i) => `${i + 1}- ${word}`)
      .join(''),
  ],
])('words pasted %s are restored', async (_, pasted) => {
  const wallet = await open();
  fireEvent.click(screen.getByText('Restore from recovery words'));
  type('Recovery words', pasted);
  fireEvent.click(screen.getByText('Check words'));
  await screen.findByText('Choose a password');
  expect(wallet.asked('vault/check-words')).toEqual([{ words }]);
});

test('pasted words leave the clipboard once they are accepted', async () => {
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  await open();
  fireEvent.click(screen.getByText('Restore from recovery words'));
  fireEvent.paste(screen.getByLabelText('Recovery words'));
  type('Recovery words', words);
  await screen.findByText('The words will be removed from your clipboard after a minute.');
  expect(write).not.toHaveBeenCalled();
  fireEvent.click(screen.getByText('Check words'));
  await screen.findByText('Choose a password');
  expect(write.mock.calls).toEqual([['']]);
});

test('words from another list are rejected with the name of their language', async () => {
  const wallet = await open();
  fireEvent.click(screen.getByText('Restore from recovery words'));
  type('Recovery words', 'ajedrez brazo fervor vena mazorca tobillo prole luz dormir barco calcio ira');
  fireEvent.click(screen.getByText('Check words'));
  await screen.findByText(
    'These words are from another list: Spanish. Only words from the English list can be restored.',
  );
  expect(wallet.asked('vault/check-words')).toEqual([]);
});

test('Enter completes a word while words are missing, and then checks them', async () => {
  const wallet = await open();
  fireEvent.click(screen.getByText('Restore from recovery words'));
  const field = screen.getByLabelText<HTMLInputElement>('Recovery words');
  const submits = () => fireEvent.keyDown(field, { key: 'Enter' });
  type('Recovery words', 'legal');
  expect(submits()).toBe(false);
  expect(field.value).toBe('legal ');
  // A user who presses Enter after each of 24 words isn't done after the twelfth.
  type('Recovery words', words);
  expect(submits()).toBe(false);
  cleanup();
  await open();
  fireEvent.click(screen.getByText('Restore from recovery words'));
  type('Recovery words', words);
  expect(fireEvent.keyDown(screen.getByLabelText('Recovery words'), { key: 'Enter' })).toBe(true);
  expect(wallet.asked('vault/check-words')).toEqual([]);
});

test('a misspelled word is pointed out while typing, and replaced by a suggestion once the words are shown', async () => {
  await open();
  fireEvent.click(screen.getByText('Restore from recovery words'));
  const field = screen.getByLabelText<HTMLInputElement>('Recovery words');
  type('Recovery words', 'legal winn');
  expect(text()).not.toContain('isn’t in the list');
  type('Recovery words', 'legal winer thank');
  await screen.findByText(/Word 2 isn’t in the list/);
  expect(screen.queryByText('winner')).toBeNull();
  fireEvent.click(screen.getByLabelText('Show what you type'));
  fireEvent.click(screen.getByRole('button', { name: 'winner' }));
  expect(field.value).toBe('legal winner thank ');
  expect(text()).not.toContain('isn’t in the list');
});

test('a field whose text is shown remains a password field so that browsers don’t save the text', async () => {
  await open();
  fireEvent.click(screen.getByText('Restore from recovery words'));
  type('Recovery words', 'legal winner');
  fireEvent.click(screen.getByLabelText('Show what you type'));
  expect(text()).toContain('winner');
  expect(screen.getByLabelText<HTMLInputElement>('Recovery words').type).toBe('password');
});

test('an existing wallet is never replaced', async () => {
  const wallet = fakeWallet({ 'vault/status': () => ({ exists: true, locked: true, lockAt: null }) });
  runtime.sendMessage = wallet.sendMessage;
  render(<Onboarding />);
  await screen.findByText('You already have a wallet in this browser');
  await act(async () => {});
  expect(screen.queryByText('Create a new wallet')).toBeNull();
});

test('a new wallet requires only the choice of a network while the service does not respond', async () => {
  const wallet = await open({
    'settings/change': () => {
      throw new Refusal('service-unavailable');
    },
    'network/choose': () => null,
  });
  fireEvent.click(screen.getByText('Create a new wallet'));
  await screen.findByText('Choose your network');
  fireEvent.click(screen.getByText('Back'));
  fireEvent.click(await screen.findByText('Create a new wallet'));
  fireEvent.click(await screen.findByLabelText(/Main network/));
  fireEvent.click(screen.getByText('Continue'));
  await screen.findByText('Choose a password');
  expect(wallet.asked('network/choose')).toEqual([{ network: 'mainnet', arcUrl: null, wocUrl: null }]);
});

test('restoring requires the choice of a network only while the service does not respond', async () => {
  let down = true;
  const wallet = await open({
    'settings/change': () => {
      if (down) throw new Refusal('service-unavailable');
      return settings;
    },
    'network/choose': ({ network }) => {
      if (network === 'testnet') throw new Refusal('network-unavailable');
      return null;
    },
  });
  const enterWords = async () => {
    fireEvent.click(await screen.findByText('Restore from recovery words'));
    type('Recovery words', words);
    fireEvent.click(screen.getByText('Check words'));
  };
  await enterWords();
  await screen.findByText('Choose your network');
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Continue' }).disabled).toBe(true);
  fireEvent.click(screen.getByLabelText(/Test network/));
  fireEvent.click(screen.getByText('Continue'));
  await screen.findByText(ERRORS['network-unavailable'].message);
  fireEvent.click(screen.getByLabelText(/Development network/));
  fireEvent.input(screen.getByLabelText(/ARC/), { target: { value: 'http://localhost:9/arc' } });
  fireEvent.click(screen.getByText('Continue'));
  await screen.findByText('Enter both addresses of your network.');
  fireEvent.input(screen.getByLabelText(/WhatsOnChain/), { target: { value: 'http://localhost:9/woc' } });
  fireEvent.click(screen.getByText('Continue'));
  await screen.findByText('Choose a password');
  expect(wallet.asked('network/choose')).toEqual([
    { network: 'testnet', arcUrl: null, wocUrl: null },
    { network: 'devnet', arcUrl: 'http://localhost:9/arc', wocUrl: 'http://localhost:9/woc' },
  ]);
  fireEvent.click(screen.getByText('Back'));
  await enterWords();
  await screen.findByText('Choose your network');
  down = false;
  fireEvent.click(screen.getByText('Try the service again'));
  await screen.findByText('Choose a password');
  fireEvent.click(screen.getByText('Back'));
  await enterWords();
  await screen.findByText('Choose a password');
});

test('a browser profile that a newer version has used is reported, with advice and without a new wallet', async () => {
  const wallet = fakeWallet({
    'vault/status': () => {
      throw new Refusal('wallet-outdated');
    },
  });
  runtime.sendMessage = wallet.sendMessage;
  render(<Onboarding />);
  expect((await screen.findByRole('alert')).textContent).toContain(ERRORS['wallet-outdated'].message);
  expect(screen.queryByText('Create a new wallet')).toBeNull();
});

test('a browser that has lost a wallet asks for its words, and offers no new wallet', async () => {
  const wallet = fakeWallet({
    'vault/status': () => ({ exists: false, locked: true, lockAt: null, lost: true as const }),
    'vault/check-words': () => ({ valid: true }),
    'vault/replace-unreadable': () => null,
    'settings/read': () => settings,
    'settings/change': () => settings,
  });
  runtime.sendMessage = wallet.sendMessage;
  render(<Onboarding />);
  await screen.findByText('Your wallet’s data can’t be opened');
  expect(screen.queryByText('Create a new wallet')).toBeNull();
  fireEvent.click(screen.getByText('Restore from my words'));
  await screen.findByText('Enter your recovery words');
  fireEvent.click(screen.getByText('Back'));
  await screen.findByText('Your wallet’s data can’t be opened');
  expect(screen.queryByText('Create a new wallet')).toBeNull();
});

test('a user who came from a page gets back to it', async () => {
  const wallet = await toCheck({
    'onboarding/client': () => ({ origin: 'https://shop.example' }),
    'onboarding/return': () => null,
  });
  fireEvent.click(screen.getByText('Show the words'));
  fireEvent.click(screen.getByText('I’ve written them down'));
  answer(true);
  await screen.findByText('Choose your handle');
  await screen.findByLabelText('Handle');
  type('Handle', 'Ada');
  await screen.findByText('ada is available');
  fireEvent.click(screen.getByText('Create account'));
  const close = vi.spyOn(window, 'close').mockReturnValue();
  fireEvent.click(await screen.findByText('Back to shop.example'));
  await waitFor(() => expect(close).toHaveBeenCalledOnce());
  expect(wallet.asked('onboarding/return')).toHaveLength(1);
  expect(text()).toContain('Nothing was paid or signed.');
});
