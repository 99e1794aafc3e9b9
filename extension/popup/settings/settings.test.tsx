import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/preact';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ERRORS } from '../../../protocol/errors/service-error.ts';
import { formatTimeOfDay } from '../../ui/amounts/format.ts';
import { fakeWallet, overview, Refusal, settings } from '../../ui/window/fake-wallet.ts';
import { passkeyTexts } from '../../ui/texts/texts.ts';
import { Unlock } from '../unlock.tsx';
import { SettingsPage } from './settings-page.tsx';
import { SHOWN_MS } from './show-words-page.tsx';

const runtime = vi.hoisted(() => ({ sendMessage: undefined as unknown as (message: never) => Promise<unknown> }));
vi.mock('webextension-polyfill', () => ({
  default: { runtime: { sendMessage: (message: never) => runtime.sendMessage(message) } },
}));

const words = 'legal winner thank year wave sausage worth useful castle dolphin ribbon yellow';
const password = 'orbit-lantern-maple-47';

let visibility: DocumentVisibilityState = 'visible';
beforeEach(() => {
  history.replaceState(null, '', '/settings');
  visibility = 'visible';
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => visibility);
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

async function open(handlers: Parameters<typeof fakeWallet>[0] = {}) {
  const wallet = fakeWallet({
    'settings/currencies': () => ({ currencies: ['USD', 'EUR', 'PLN'] }),
    'settings/change': (change) => ({ ...settings, ...change }) as typeof settings,
    'vault/send-unsent': () => ({ left: 0 }),
    'network/read': () => ({
      network: 'testnet',
      arcUrl: null,
      wocUrl: null,
      operators: [{ url: 'https://arc.example', dialect: 'arcade', hasKey: false, failure: null }],
      hasIndexKey: false,
      preset: { arcUrl: 'https://arc.example', wocUrl: 'https://woc.example/v1/bsv/test' },
      fromService: false,
    }),
    ...handlers,
  });
  runtime.sendMessage = wallet.sendMessage;
  render(<SettingsPage settings={settings} overview={overview} onSettings={() => {}} />);
  await after();
  return wallet;
}

describe('passkeys are offered if the browser supports them', () => {
  afterEach(() => vi.unstubAllGlobals());
  const browserWith = (prf: boolean | undefined) =>
    vi.stubGlobal(
      'PublicKeyCredential',
      Object.assign(
        function () {},
        prf !== undefined && { getClientCapabilities: async () => ({ 'extension:prf': prf }) },
      ),
    );
  const row = () => screen.queryByText(passkeyTexts.title);

  test('a browser whose passkeys support PRF offers them, under any extension URL', async () => {
    browserWith(true);
    await open();
    expect(location.protocol).not.toBe('chrome-extension:');
    expect(row()).not.toBeNull();
  });

  test('a browser that is too old to report its features offers none', async () => {
    browserWith(undefined);
    await open();
    expect(row()).not.toBeNull();
  });

  test('a browser without a PRF or without passkeys offers none', async () => {
    browserWith(false);
    await open();
    expect(row()).toBeNull();
    cleanup();
    vi.stubGlobal('PublicKeyCredential', undefined);
    await open();
    expect(row()).toBeNull();
  });
});

const text = () => document.body.textContent ?? '';
const type = (label: string, value: string) =>
  act(() => void fireEvent.input(screen.getByLabelText(label), { target: { value } }));
const tick = (label: RegExp) => act(() => void fireEvent.click(screen.getByLabelText(label)));
/** Runs an action and waits for its asynchronous effects. */
async function after(something: () => unknown = () => {}): Promise<void> {
  // Waits twice, because rendering can start another request.
  for (const run of [something, () => {}]) {
    await act(async () => {
      run();
      for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    });
  }
}
const press = (name: string) => after(() => fireEvent.click(screen.getByRole('button', { name })));
const isDisabled = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name }).disabled;

test('each currency is listed once, and a code without a name is its own name', async () => {
  await open({ 'settings/currencies': () => ({ currencies: ['USD', 'EUR', 'BCH', 'PLN'] }) });
  const names = [...screen.getByLabelText<HTMLSelectElement>('Currency').options].map(({ text: name }) => name);
  expect(names).toEqual(['USD, US Dollar', 'EUR, Euro', 'BCH', 'PLN, Polish Zloty']);
});

test('choices are saved immediately, and only currencies with a rate are offered', async () => {
  const wallet = await open();
  const codes = [...screen.getByLabelText<HTMLSelectElement>('Currency').options].map((option) => option.value);
  expect(codes).toEqual(['USD', 'EUR', 'PLN']);
  fireEvent.change(screen.getByLabelText('Currency'), { target: { value: 'EUR' } });
  await after();
  expect(wallet.asked('settings/change')).toEqual([{ currency: 'EUR' }]);
});

test('notifications of received money are a switch', async () => {
  const wallet = await open();
  const notify = screen.getByRole<HTMLInputElement>('switch', { name: 'Notify me when money arrives' });
  expect(notify.checked).toBe(true);
  fireEvent.click(notify);
  await after();
  expect(wallet.asked('settings/change')).toEqual([{ notify: false }]);
});

describe('the account', () => {
  const ROW = 'Account and service ada@localhost';
  const builtIn = () => ({ builtIn: settings.serviceUrl });
  const takes = ({ serviceUrl = settings.serviceUrl, noAccount = false }) => ({ ...settings, serviceUrl, noAccount });
  const pick = (name: string) => fireEvent.click(screen.getByRole('radio', { name: new RegExp(`^${name}`) }));
  const changes = () => document.querySelector('[data-part=changes]')?.textContent;

  test('the account stays at its service without a confirmation', async () => {
    await open({ 'service/read': builtIn });
    await press(ROW);
    expect(text()).toContain('Your account is ada@localhost.');
    expect(screen.getByRole<HTMLInputElement>('radio', { name: /^localhost/ }).checked).toBe(true);
    expect(document.querySelector<HTMLButtonElement>('[data-action=service]')).toMatchObject({
      hidden: true,
      disabled: true,
    });
    expect(changes()).toBeUndefined();
  });

  test('the account moves to a named service once the consequences for paymail and payments were shown', async () => {
    const wallet = await open({ 'service/read': builtIn, 'settings/change': takes, 'account/sign-in': () => null });
    await press(ROW);
    pick('Another service');
    expect(changes()).toContain('Your handle stays at localhost:3000.');
    expect(changes()).toContain('Money sent to ada@localhost is still yours');
    expect(changes()).toContain('Payments you’ve made are on the network');
    expect(changes()).toContain('choose the same handle at the new service');
    await type('Service address', ' https://shop.example ');
    await press('Use this service');
    await after();
    expect(wallet.asked('settings/change')).toEqual([{ serviceUrl: 'https://shop.example', noAccount: false }]);
    expect(wallet.asked('account/sign-in')).toHaveLength(1);
  });

  test.each(['invalid-service-address', 'service-unavailable', 'not-a-service', 'wrong-network'] as const)(
    'the account stays at its service after %s, with the error next to the field',
    async (code) => {
      const wallet = await open({
        'service/read': builtIn,
        'settings/change': () => {
          throw new Refusal(code);
        },
      });
      await press(ROW);
      pick('Another service');
      await type('Service address', 'https://shop.example');
      await press('Use this service');
      const field = await screen.findByLabelText('Service address');
      await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'));
      await waitFor(() => expect(document.activeElement).toBe(field));
      expect(document.getElementById(`${field.id}-error`)?.textContent).toBe(
        `${ERRORS[code].message} Nothing has changed.`,
      );
      expect(wallet.asked('account/sign-in')).toEqual([]);
    },
  );

  test('the account is optional', async () => {
    const wallet = await open({ 'service/read': builtIn, 'settings/change': takes });
    await press(ROW);
    pick('No account');
    expect(changes()).toContain('Your handle stays');
    expect(changes()).not.toContain('To move');
    await press('Continue without an account');
    await after();
    expect(wallet.asked('settings/change')).toEqual([{ noAccount: true }]);
    expect(wallet.asked('account/sign-in')).toEqual([]);
  });
});

test('the settings have a button to lock the wallet', async () => {
  const wallet = await open({ 'vault/lock': () => null });
  await press('Lock now');
  expect(wallet.asked('vault/lock')).toHaveLength(1);
});

describe('the recovery words', () => {
  const shown = () => words.split(' ').every((word) => text().includes(word));
  const nowhere = () => !document.documentElement.outerHTML.includes('sausage');

  async function openWords(handlers: Parameters<typeof fakeWallet>[0] = {}) {
    const wallet = await open({
      'vault/show-words': (params) => {
        if (params.password !== password) throw new Refusal('wrong-password');
        return { words };
      },
      ...handlers,
    });
    await after(() => fireEvent.click(screen.getByText('Show recovery words')));
    return wallet;
  }

  async function show() {
    await type('Your password', password);
    await press('Show the words');
    expect(shown()).toBe(true);
  }

  test('the words are shown after a warning and the right password, in numbered cells outside fields', async () => {
    await openWords();
    expect(text()).toContain('can take all your money');
    expect(isDisabled('Show the words')).toBe(true);
    await type('Your password', 'wrong');
    await press('Show the words');
    await screen.findByText(ERRORS['wrong-password'].message);
    const field = screen.getByLabelText<HTMLInputElement>('Your password');
    expect([field.type, field.name, field.autocomplete]).toEqual(['password', '', 'off']);
    await show();
    expect([...document.querySelectorAll('.word-cells li')].map((cell) => cell.textContent)).toEqual(
      words.split(' ').map((word, i) => `${i + 1}${word}`),
    );
    expect(document.querySelector('input')).toBeNull();
    expect(document.documentElement.outerHTML).not.toContain(password);
  });

  test.each<[string, () => void]>([
    ['a minute is over', () => vi.advanceTimersByTime(SHOWN_MS)],
    [
      'the page is out of sight',
      () => {
        visibility = 'hidden';
        document.dispatchEvent(new Event('visibilitychange'));
      },
    ],
    ['asked to', () => void fireEvent.click(screen.getByText('Hide the words'))],
    ['the page is left', () => void fireEvent.click(screen.getByLabelText('Back'))],
  ])('the words are removed once %s', async (_, happen) => {
    await openWords();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await show();
    await after(happen);
    expect(nowhere()).toBe(true);
  });

  test('the words stay until the minute has passed', async () => {
    await openWords();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await show();
    await after(() => vi.advanceTimersByTime(SHOWN_MS - 1));
    expect(shown()).toBe(true);
  });

  test.each<[string, () => void]>([
    ['left', () => void fireEvent.click(screen.getByLabelText('Back'))],
    ['out of sight', () => void (visibility = 'hidden')],
  ])('the words are not shown if the page is %s when they arrive', async (_, leave) => {
    let answer: (words: { words: string }) => void = () => {};
    await openWords({ 'vault/show-words': () => new Promise((resolve) => (answer = resolve)) });
    await type('Your password', password);
    await press('Show the words');
    leave();
    await after(() => answer({ words }));
    expect(nowhere()).toBe(true);
  });
});

describe('the password', () => {
  async function openChange(handlers: Parameters<typeof fakeWallet>[0] = {}) {
    const wallet = await open({ 'vault/change-password': () => null, ...handlers });
    await after(() => fireEvent.click(screen.getByText('Change password')));
    return wallet;
  }
  const change = async (now: string, next: string, again = next) => {
    await type('Current password', now);
    await type('New password', next);
    await type('Confirm password', again);
    await after(() => fireEvent.submit(document.querySelector('form') as HTMLFormElement));
  };

  test('the password is changed to a strong one that was entered twice', async () => {
    const wallet = await openChange();
    await change('old', 'password1');
    await screen.findByText('This password is too easy to guess.');
    await change('old', password, `${password}x`);
    await screen.findByText('The passwords don’t match.');
    expect(wallet.asked('vault/change-password')).toEqual([]);
    await change('old', password);
    await screen.findByText('Your password has been changed.');
    expect(wallet.asked('vault/change-password')).toEqual([{ password: 'old', newPassword: password }]);
    expect(document.documentElement.outerHTML).not.toContain(password);
  });

  test('the password stays if the old one was mistyped', async () => {
    await openChange({
      'vault/change-password': () => {
        throw new Refusal('wrong-password');
      },
    });
    await change('old', password);
    await screen.findByText(ERRORS['wrong-password'].message);
    expect(document.activeElement).toBe(screen.getByLabelText('Current password'));
  });
});

describe('the search for missing money', () => {
  test('each click searches further, with the range, the results and whether it continues', async () => {
    const results = [
      { addresses: 520, payments: 0, isWhole: true },
      { addresses: 1020, payments: 2, isWhole: false },
    ];
    const wallet = await open({ 'wallet/search-further': () => results.shift()! });
    await after(() => fireEvent.click(screen.getByText('Search for missing money')));
    expect(wallet.asked('wallet/search-further')).toEqual([]);
    await after(() => fireEvent.click(screen.getByText('Search further')));
    expect(screen.getAllByRole('status')[0]?.textContent).toMatch(
      /first 520 addresses.*No more payments to you were found/,
    );
    await after(() => fireEvent.click(screen.getByText('Search further')));
    expect(screen.getAllByRole('status')[0]?.textContent).toMatch(
      /first 1,020 addresses.*2 more payments.*goes on by itself/,
    );
  });

  test('a failed search shows the reason', async () => {
    await open({
      'wallet/search-further': () => {
        throw new Refusal('network-unavailable');
      },
    });
    await after(() => fireEvent.click(screen.getByText('Search for missing money')));
    await after(() => fireEvent.click(screen.getByText('Search further')));
    expect(text()).toContain(ERRORS['network-unavailable'].message);
  });
});

describe('the addresses of the network', () => {
  async function openAddresses(handlers: Parameters<typeof fakeWallet>[0] = {}) {
    const wallet = await open({ 'network/choose': () => null, ...handlers });
    await after(() => fireEvent.click(screen.getByText('Network addresses')));
    return wallet;
  }
  const arc = () => screen.getByLabelText<HTMLInputElement>(/^Sends payments/);

  test('the addresses are the defaults, can be changed, and can be reset', async () => {
    const wallet = await openAddresses();
    expect([arc().value, arc().placeholder]).toEqual(['', 'https://arc.example']);
    expect([isDisabled('Save'), isDisabled('Reset')]).toEqual([true, true]);
    await after(() => fireEvent.input(arc(), { target: { value: ' https://own.example/arc ' } }));
    await press('Save');
    await screen.findByText(/Both addresses are responding/);
    await press('Reset');
    expect(arc().value).toBe('');
    expect(wallet.asked('network/choose')).toEqual([
      { network: 'testnet', arcUrl: 'https://own.example/arc', wocUrl: null },
      { network: 'testnet', arcUrl: null, wocUrl: null },
    ]);
  });

  test('all operators are listed in order, with dialect, key and last failure', async () => {
    const until = Date.now() + 60_000;
    await openAddresses({
      'network/read': () => ({
        network: 'testnet',
        arcUrl: 'https://own.example/arc',
        wocUrl: null,
        operators: [
          { url: 'https://own.example/arc', dialect: 'arc', hasKey: true, failure: null },
          { url: 'https://one.example', dialect: 'arcade', hasKey: false, failure: { kind: 'failed', until } },
          { url: 'https://two.example', dialect: null, hasKey: false, failure: { kind: 'key', until: 0 } },
          { url: 'https://three.example', dialect: 'arcade', hasKey: true, failure: { kind: 'key', until } },
          { url: 'https://four.example', dialect: null, hasKey: false, failure: null },
        ],
        hasIndexKey: false,
        preset: { arcUrl: 'https://arc.example', wocUrl: 'https://woc.example/v1/bsv/test' },
        fromService: false,
      }),
    });
    const rows = screen.getAllByRole('listitem').map((row) => [...row.querySelectorAll('bdi, .list-note')]);
    expect(rows.map((parts) => parts.map(({ textContent }) => textContent))).toEqual([
      ['own.example/arc', 'ARC · A key is saved'],
      ['one.example', 'Arcade · No key needed', `The last attempt failed. Comes last until ${formatTimeOfDay(until)}.`],
      ['two.example', 'Not used yet', 'Requires a key.'],
      [
        'three.example',
        'Arcade · A key is saved',
        `It didn’t accept your key. Comes last until ${formatTimeOfDay(until)}.`,
      ],
      ['four.example', 'Not used yet'],
    ]);
  });

  test('keys that the operators require can be entered', async () => {
    const wallet = await openAddresses();
    expect(isDisabled('Save')).toBe(true);
    const key = screen.getByLabelText<HTMLInputElement>('Key for sending payments');
    expect(key.type).toBe('password');
    await after(() => fireEvent.input(key, { target: { value: ' secret ' } }));
    await press('Save');
    await screen.findByText(/Both addresses are responding/);
    expect(key.value).toBe('');
    expect(wallet.asked('network/choose')).toEqual([
      { network: 'testnet', arcUrl: null, wocUrl: null, arcKey: 'secret' },
    ]);
    await after(() =>
      fireEvent.input(screen.getByLabelText('Key for looking up coins'), { target: { value: 'other' } }),
    );
    await press('Save');
    await screen.findByText(/Both addresses are responding/);
    expect(wallet.asked('network/choose').at(-1)).toEqual({
      network: 'testnet',
      arcUrl: null,
      wocUrl: null,
      wocKey: 'other',
    });
  });

  test('unreachable addresses are not saved, and stay in the form to be corrected', async () => {
    await openAddresses({
      'network/choose': () => {
        throw new Refusal('network-unavailable');
      },
    });
    await after(() => fireEvent.input(arc(), { target: { value: 'https://own.example/arc' } }));
    await press('Save');
    await screen.findByText(ERRORS['network-unavailable'].message);
    expect(text()).toContain('Nothing has changed');
    expect(arc().value).toBe('https://own.example/arc');
  });
});

describe('removing the wallet', () => {
  const openRemove = async (handlers: Parameters<typeof fakeWallet>[0] = {}) => {
    const wallet = await open({ 'vault/remove': () => null, ...handlers });
    await after(() => fireEvent.click(screen.getByText('Remove wallet from this browser')));
    return wallet;
  };

  test('removal explains the consequences, lists the contents, and needs the words and the password', async () => {
    localStorage.setItem('theme', 'dark');
    const wallet = await openRemove();
    for (const said of ['Only your recovery words can restore them', '$12.34', '24,680,000 satoshis'])
      expect(text()).toContain(said);
    await type('Your password', password);
    expect(isDisabled('Remove wallet')).toBe(true);
    await tick(/I have my recovery words/);
    await press('Remove wallet');
    expect(wallet.asked('vault/remove')).toEqual([{ password, leaving: 0 }]);
    expect(localStorage.length).toBe(0);
  });

  test('a wrong password is reported, and nothing is removed', async () => {
    localStorage.setItem('theme', 'dark');
    await openRemove({
      'vault/remove': () => {
        throw new Refusal('wrong-password');
      },
    });
    await type('Your password', 'wrong');
    await tick(/I have my recovery words/);
    await press('Remove wallet');
    await screen.findByText(ERRORS['wrong-password'].message);
    expect(localStorage.getItem('theme')).toBe('dark');
  });

  test('unsent payments are broadcast first, listed, and given up only explicitly', async () => {
    let left = 2;
    const wallet = await openRemove({ 'vault/send-unsent': () => ({ left }) });
    await screen.findByText('2 payments are signed, but not on the network yet');
    await type('Your password', password);
    await tick(/I have my recovery words/);
    expect(isDisabled('Remove wallet')).toBe(true);
    await tick(/Discard the 2 payments/);
    expect(isDisabled('Remove wallet')).toBe(false);
    left = 1;
    await press('Try to send again');
    // The user agreed to abandon two payments. Now that only one payment is left, the user must decide again.
    expect(isDisabled('Remove wallet')).toBe(true);
    await tick(/Discard the payment/);
    await press('Remove wallet');
    expect(wallet.asked('vault/remove')).toEqual([{ password, leaving: 1 }]);
  });

  test('a payment that was signed in the meantime is listed', async () => {
    let left = 0;
    await openRemove({
      'vault/send-unsent': () => ({ left }),
      'vault/remove': () => {
        throw new Refusal('payment-pending');
      },
    });
    await type('Your password', password);
    await tick(/I have my recovery words/);
    left = 1;
    await press('Remove wallet');
    await screen.findByText('1 payment is signed, but not on the network yet');
    expect(isDisabled('Remove wallet')).toBe(true);
  });

  test('a user who forgot the password enters a word instead', async () => {
    const wallet = fakeWallet({ 'vault/send-unsent': () => ({ left: 0 }), 'vault/remove': () => null });
    runtime.sendMessage = wallet.sendMessage;
    render(<Unlock onUnlocked={async () => {}} />);
    await after(() => fireEvent.click(screen.getByText('Forgot your password?')));
    expect(text()).toContain('Only your recovery words can restore them');
    expect(document.querySelector('input[type=password]')).toBeNull();
    await tick(/I have my recovery words/);
    await type('Type REMOVE to continue', 'remov');
    expect(isDisabled('Remove wallet')).toBe(true);
    await type('Type REMOVE to continue', 'remove');
    await press('Remove wallet');
    expect(wallet.asked('vault/remove')).toEqual([{ password: null, leaving: 0 }]);
  });
});
