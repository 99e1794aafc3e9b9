import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/preact';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { ERRORS } from '../../protocol/errors/service-error.ts';
import { metadataOf } from '../../protocol/payments/metadata.ts';
import type { ActivityDetails, ActivityItem, SiteView } from '../../protocol/messages/wallet-messages.ts';
import { allowance, fakeWallet, overview, Refusal, settings } from '../ui/window/fake-wallet.ts';
import { Popup } from './popup.tsx';
import { createStore, type Store } from './popup-state.ts';

const runtime = vi.hoisted(() => ({
  sendMessage: undefined as unknown as (message: never) => Promise<unknown>,
  getURL: (path: string) => `chrome-extension://id/${path}`,
}));
const tabs = vi.hoisted(() => ({ create: vi.fn(async () => {}) }));
const popup = vi.hoisted(() => ({ isOne: false, openOptionsPage: vi.fn(async () => {}) }));
const session = vi.hoisted(() => ({ kept: {} as Record<string, unknown> }));
vi.mock('webextension-polyfill', () => ({
  default: {
    runtime: {
      sendMessage: (message: never) => runtime.sendMessage(message),
      getURL: runtime.getURL,
      openOptionsPage: popup.openOptionsPage,
    },
    tabs,
    extension: { getViews: () => (popup.isOne ? [window] : []) },
    storage: { session: { get: async () => session.kept } },
  },
}));

const item: ActivityItem = {
  id: 'p1',
  direction: 'sent',
  origin: 'https://shop.example',
  counterparty: 'mzJ2m4aZ1Lz4a1VbWZkcQ8V4zsfkS8UuWQ',
  recipientCount: 1,
  satoshis: '200000',
  feeSatoshis: '12',
  amount: '0.10',
  currency: 'USD',
  status: 'RECEIVED',
  statusDescription: null,
  txid: 'ab'.repeat(32),
  time: Date.now() - 120_000,
  sender: null,
  note: null,
};

let store: Store | null = null;
afterEach(() => {
  store?.stop();
  session.kept = {};
  cleanup();
});

function begin(handlers: Parameters<typeof fakeWallet>[0] = {}, items: ActivityItem[] = [item]) {
  const wallet = fakeWallet({
    'vault/status': () => ({ exists: true, locked: false, lockAt: null }),
    'wallet/overview': () => overview,
    'wallet/refresh': () => null,
    'activity/list': () => ({ items, more: false, before: null, searchedTo: null }),
    'settings/read': () => settings,
    'sites/list': () => ({ sites: [] }),
    ...handlers,
  });
  runtime.sendMessage = wallet.sendMessage;
  store = createStore();
  render(<Popup store={store} />);
  return wallet;
}

async function open(...given: Parameters<typeof begin>) {
  const wallet = begin(...given);
  await act(() => store?.opened);
  return wallet;
}

const RATE = { currency: 'USD', price: '50', time: 0, sources: 2, dollar: '50' } as const;
const text = () => document.body.textContent ?? '';

test.each([
  ['unlocked', false],
  ['locked', true],
])('the first row of the %s popup lists an open prompt and brings its window to the front', async (_, locked) => {
  const id = 'ab'.repeat(16);
  const close = vi.spyOn(window, 'close').mockReturnValue();
  const wallet = await open({
    'vault/status': () => ({ exists: true, locked, lockAt: null }),
    'prompts/list': () => ({ prompts: [{ id, kind: 'payment', origin: 'https://shop.example' }] }),
    'prompts/show': () => null,
  });
  const row = await screen.findByRole('button', { name: /Payment.*shop\.example/ });
  expect(
    row.compareDocumentPosition(screen.getByRole('heading', { level: 1 })) & Node.DOCUMENT_POSITION_FOLLOWING,
  ).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  fireEvent.click(row);
  await waitFor(() => expect(close).toHaveBeenCalledOnce());
  expect(wallet.asked('prompts/show')).toEqual([{ id }]);
  close.mockRestore();
});

test('the popup has no row for prompts if none is open', async () => {
  await open({ 'prompts/list': () => ({ prompts: [] }) });
  expect(screen.queryByLabelText('Waiting for your decision')).toBeNull();
});

test('a popup opened for one payment shows its details, and links to the whole wallet', async () => {
  location.hash = '#payment=p1';
  const details: ActivityDetails = {
    item,
    height: null,
    outputs: [],
    data: null,
    clientIdentifier: null,
    ...metadataOf({}),
    refunds: [],
    signed: true,
    decided: 'swipe',
    debit: null,
    report: null,
    serviceReport: null,
    deliveries: [],
    operations: [],
  };
  const read = vi.fn(() => details);
  await open({ 'activity/read': read });
  location.hash = '';
  expect(await screen.findByRole('heading', { name: 'Payment' })).toBeTruthy();
  await waitFor(() => expect(text()).toContain('ab'.repeat(32)));
  expect(read).toHaveBeenCalledWith({ id: 'p1' });
  fireEvent.click(screen.getByRole('button', { name: 'Back' }));
  expect(screen.queryByRole('heading', { name: 'Payment' })).toBeNull();
});

test('the settings open in a tab, and the popup closes', async () => {
  popup.isOne = true;
  const close = vi.spyOn(window, 'close').mockReturnValue();
  await open();
  const link = screen.getByRole('link', { name: 'Settings' });
  expect(link.getAttribute('href')).toBe('chrome-extension://id/extension/popup/settings/index.html');
  expect(fireEvent.click(link)).toBe(false);
  await waitFor(() => expect(close).toHaveBeenCalledOnce());
  expect(popup.openOptionsPage).toHaveBeenCalledOnce();
  popup.isOne = false;
  close.mockRestore();
});

test('a link from the settings opens the form for sending with its recipient', async () => {
  location.hash = '#to=ada%40example.com';
  await open({ 'send/recents': () => ({ recipients: [] }), 'contacts/list': () => ({ contacts: [] }) });
  location.hash = '';
  await waitFor(() => expect(document.querySelector<HTMLInputElement>('.send-to')?.value).toBe('ada@example.com'));
});

test('a link to the setup opens in a tab if there is no wallet yet', async () => {
  await open({ 'vault/status': () => ({ exists: false, locked: true, lockAt: null }) });
  fireEvent.click(screen.getByText('Set up your wallet'));
  expect(tabs.create).toHaveBeenCalledWith({ url: 'chrome-extension://id/extension/onboarding/index.html' });
});

describe('a popup before the background responds', () => {
  const LAST = { overview: { ...overview, satoshis: '2000000' }, settings, lastsMs: 900_000 };

  /** Opens the popup while the background doesn't respond. The background responds when `answers` is called. */
  async function openEarly(kept: object, locked = false) {
    session.kept = { 'first-view': kept };
    let answers = () => {};
    const waits = new Promise<void>((resolve) => {
      answers = resolve;
    });
    begin({ 'vault/status': () => waits.then(() => ({ exists: true, locked, lockAt: null })) });
    await act(async () => {});
    return async () => {
      answers();
      await act(() => store?.opened);
    };
  }

  test('the last balance is shown until the current balance replaces it', async () => {
    const answer = await openEarly({ ...LAST, lockAt: Date.now() + 60_000 });
    expect(text()).toContain('$1.00');
    expect(text()).toContain('ada@localhost');
    await answer();
    expect(text()).toContain('$12.34');
    expect(text()).not.toContain('$1.00');
  });

  test('a wallet that was locked no longer shows any of its data', async () => {
    const answer = await openEarly({ ...LAST, lockAt: Date.now() + 60_000 }, true);
    await answer();
    expect(screen.getByLabelText('Password')).toBeTruthy();
    expect(text()).not.toContain('$1.00');
  });

  test('expired data is not shown', async () => {
    const answer = await openEarly({ ...LAST, lockAt: Date.now() - 1 });
    expect(screen.getByRole('status').getAttribute('aria-label')).toBe('One moment…');
    expect(text()).not.toContain('$1.00');
    await answer();
  });
});

test('a wrong password is reported, the field keeps the focus, and the right one unlocks the wallet', async () => {
  let locked = true;
  const wallet = await open({
    'vault/status': () => ({ exists: true, locked, lockAt: null }),
    'vault/unlock': ({ password }) => {
      if (password !== 'right') throw new Refusal('wrong-password');
      locked = false;
      return null;
    },
  });
  const field = screen.getByLabelText<HTMLInputElement>('Password');
  fireEvent.input(field, { target: { value: 'wrong' } });
  fireEvent.click(screen.getByText('Unlock'));
  await screen.findByText(ERRORS['wrong-password'].message);
  expect(document.activeElement).toBe(field);
  expect(wallet.asked('wallet/overview')).toEqual([]);
  fireEvent.input(field, { target: { value: 'right' } });
  fireEvent.click(screen.getByText('Unlock'));
  await screen.findByText('$12.34');
});

test('the balance is shown in the user’s currency and in satoshis, with the account and unconfirmed money', async () => {
  await open({ 'wallet/overview': () => ({ ...overview, unconfirmedSatoshis: '200000' }) });
  expect(text()).toContain('$12.34');
  expect(text()).toContain('24,680,000 satoshis');
  expect(text()).toContain('Includes $0.10 not confirmed yet');
  expect(text()).toContain('ada@localhost');
});

test('an empty wallet shows advice, and the faucet responds and shows its errors', async () => {
  let dry = true;
  const wallet = await open(
    {
      'wallet/overview': () => ({ ...overview, satoshis: '0' }),
      'wallet/faucet': () => {
        if (dry) throw new Refusal('network-unavailable');
        return { txid: 'ab'.repeat(32) };
      },
    },
    [],
  );
  expect(text()).toContain('Get some coins');
  expect(text()).toContain(overview.receiveAddress);
  fireEvent.click(screen.getByText('Get free test coins'));
  await screen.findByText(ERRORS['network-unavailable'].message);
  dry = false;
  fireEvent.click(screen.getByText('Get free test coins'));
  await screen.findByText('Coins are on their way.');
  expect(wallet.asked('wallet/faucet')).toHaveLength(2);
});

test.each([
  ['testnet', 'public BSV testnet faucet'],
  ['mainnet', 'another wallet'],
] as const)('an empty wallet on %s shows the sources of coins, with address and code', async (network, source) => {
  await open({ 'wallet/overview': () => ({ ...overview, network, satoshis: '0' }) }, []);
  expect(text()).toContain(source);
  expect(document.querySelector('.get-coins svg[role=img]')?.getAttribute('aria-label')).toContain(
    overview.receiveAddress,
  );
  expect(screen.queryByText('Get free test coins')).toBeNull();
});

test('a newer version of the wallet is mentioned in one line, with a link to the service’s own page', async () => {
  await open();
  expect(document.querySelector('[data-part=update]')).toBeNull();
  cleanup();
  store?.stop();
  const update = { version: '0.2.0', url: 'https://pay.example/#wallet' };
  await open({ 'wallet/overview': () => ({ ...overview, update }) });
  expect(document.querySelector('[data-part=update]')?.textContent).toBe(
    'Version 0.2.0 of the wallet is available. Get it from pay.example',
  );
  const link = screen.getByRole('link', { name: 'Get it from pay.example' });
  expect([link.getAttribute('href'), link.getAttribute('target'), link.getAttribute('rel')]).toEqual([
    update.url,
    '_blank',
    'noopener noreferrer',
  ]);
});

test('the faucet is missing if coins have a value', async () => {
  await open({ 'wallet/overview': () => ({ ...overview, satoshis: '0', network: 'mainnet' }) }, []);
  expect(screen.queryByText('Get free test coins')).toBeNull();
});

test('receiving shows the paymail as text and code, and the address next to it, each with its purpose', async () => {
  await open();
  fireEvent.click(screen.getByText('Receive'));
  expect(document.querySelector('[data-part=paymail]')?.textContent).toBe('ada@localhost');
  expect(screen.getByRole('img', { name: 'Your paymail: ada@localhost' })).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Copy paymail' })).toBeTruthy();
  expect(document.querySelector('[data-part=use]')?.textContent).toContain('you can see who paid');
  // Only one code is shown at a time, because a camera could scan either.
  expect(document.querySelector('[data-part=address]')).toBeNull();
  fireEvent.click(screen.getByLabelText('Address'));
  expect(document.querySelector('[data-part=paymail]')).toBeNull();
  expect(document.querySelector('[data-part=use]')?.textContent).toContain('can’t pay a paymail');
  expect(document.querySelector('[data-part=address]')?.textContent).toBe(overview.receiveAddress);
  expect(screen.getByRole('img', { name: new RegExp(overview.receiveAddress) })).toBeTruthy();
});

test('receiving without an account shows the address, and a link to get a paymail', async () => {
  await open({ 'wallet/overview': () => ({ ...overview, account: null }), 'account/sign-in': () => null });
  fireEvent.click(screen.getByText('Receive'));
  expect(document.querySelector('[data-part=address]')?.textContent).toBe(overview.receiveAddress);
  expect(screen.queryByLabelText('Address')).toBeNull();
  fireEvent.click(screen.getByText('Create account'));
  await screen.findByText('Your account');
});

test('an unlocked wallet requests notifications of received payments every 20 seconds, but not while locked or hidden', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  let locked = true;
  let sight: DocumentVisibilityState = 'visible';
  const seen = vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => sight);
  const wallet = await open({
    'wallet/listen': () => null,
    'vault/status': () => ({ exists: true, locked, lockAt: null }),
  });
  const listened = (seconds: number) => {
    vi.advanceTimersByTime(seconds * 1000);
    return wallet.asked('wallet/listen').length;
  };
  expect(listened(60)).toBe(0);
  locked = false;
  await act(() => store?.read());
  expect(listened(0)).toBe(1);
  expect(listened(41)).toBe(3);
  sight = 'hidden';
  expect(listened(60)).toBe(3);
  sight = 'visible';
  document.dispatchEvent(new Event('visibilitychange'));
  expect(listened(0)).toBe(4);
  store?.stop();
  expect(listened(60)).toBe(4);
  seen.mockRestore();
  vi.useRealTimers();
});

test('changes in the background show immediately, and locking hides everything', async () => {
  let view = overview;
  let locked = false;
  await open({ 'wallet/overview': () => view, 'vault/status': () => ({ exists: true, locked, lockAt: null }) });
  const news = new BroadcastChannel('service-button-changes');
  view = { ...overview, satoshis: '10000000' };
  news.postMessage(null);
  await screen.findByText('$5.00');
  locked = true;
  news.postMessage(null);
  await screen.findByText('Welcome back');
  news.close();
  expect(text()).not.toContain('$5.00');
});

test('a lock between two requests leads to the unlock page instead of an error', async () => {
  let asked = 0;
  await open({
    'vault/status': () => ({ exists: true, locked: (asked += 1) > 2, lockAt: null }),
    'wallet/overview': () => {
      if (asked > 1) throw new Refusal('wallet-locked');
      return overview;
    },
  });
  await act(() => store?.read());
  await screen.findByText('Welcome back');
});

test('a problem is shown as a plain sentence', async () => {
  await open({
    'wallet/overview': () => ({
      ...overview,
      problem: { code: 'network-unavailable', message: ERRORS['network-unavailable'].message },
    }),
  });
  expect(screen.getByText(ERRORS['network-unavailable'].message)).toBeTruthy();
  expect(text()).toContain('Your money is safe');
});

describe('the list of sites', () => {
  const site: SiteView = {
    origin: 'https://shop.example:8443',
    allowances: [{ ...allowance, clientIdentifier: 'app' }],
    permissions: [],
    refusedAt: null,
    blockedUntil: null,
  };
  const button = (action: string) => document.querySelector(`[data-action=${action}]`) as HTMLButtonElement;

  async function openSites(sites: SiteView[], handlers: Parameters<typeof fakeWallet>[0] = {}) {
    const wallet = await open({ 'sites/list': () => ({ sites }), ...handlers });
    fireEvent.click(screen.getByText('Sites'));
    return wallet;
  }

  test('an empty list of sites shows its purpose', async () => {
    await openSites([]);
    expect(text()).toContain('Sites that can pay without asking appear here');
  });

  test('a site shows its spending, the remaining amount, the limit and the next period, with the full origin', async () => {
    await openSites([site]);
    expect(text()).toContain('shop.example:8443$3.25 left');
    expect(text()).toContain('https://shop.example:8443');
    expect(text()).toContain('$3.25 of $5.00 a week');
    expect(text()).toContain('Resets Mon, Nov 23, 12:00 AM');
    expect(text()).toContain('Limit in BSV0.115 BSV of 0.15 BSV');
    expect(text()).toContain('$1.75 this week');
    expect(text()).toContain('$12.50 in 31 payments');
    expect(text()).toContain('Application (named by the site): app');
  });

  test('an allowance is revoked by the second click', async () => {
    const wallet = await openSites([site], { 'sites/revoke': () => null });
    fireEvent.click(button('revoke'));
    expect(wallet.asked('sites/revoke')).toEqual([]);
    fireEvent.click(button('revoke-sure'));
    await act(async () => {});
    expect(wallet.asked('sites/revoke')).toEqual([{ token: allowance.token }]);
  });

  test('the limit of an allowance is changed in its own currency', async () => {
    const wallet = await openSites([site], {
      'sites/change': () => null,
      'sites/rate': () => ({ rate: { ...RATE, price: '60', dollar: '60' } }),
    });
    fireEvent.click(button('change'));
    await screen.findByText(/^Never more than 0.125 BSV/);
    expect(screen.queryByLabelText('Currency')).toBeNull();
    fireEvent.input(screen.getByLabelText('Up to (USD)'), { target: { value: '' } });
    expect(button('save').disabled).toBe(true);
    fireEvent.input(screen.getByLabelText('Up to (USD)'), { target: { value: '9' } });
    fireEvent.click(button('save'));
    await act(async () => {});
    expect(wallet.asked('sites/change')).toEqual([
      { token: allowance.token, amount: '9', period: 'week', perPayment: null, rate: { price: '60', dollar: '60' } },
    ]);
    await waitFor(() => expect(button('change')).not.toBeNull());
  });

  test('the limit of an allowance cannot be changed without a rate', async () => {
    const wallet = await openSites([site], { 'sites/rate': () => ({ rate: null }) });
    fireEvent.click(button('change'));
    await screen.findByText('The exchange rate is unavailable right now.');
    expect(button('save').disabled).toBe(true);
    fireEvent.click(button('save'));
    expect(wallet.asked('sites/change')).toEqual([]);
  });

  test('an error is shown, and the form stays', async () => {
    await openSites([site], {
      'sites/change': () => {
        throw new Refusal('wallet-locked');
      },
      'sites/rate': () => ({ rate: RATE }),
    });
    fireEvent.click(button('change'));
    await screen.findByText(/^Never more than/);
    fireEvent.click(button('save'));
    await screen.findByText(ERRORS['wallet-locked'].message);
    expect(button('save')).not.toBeNull();
  });

  test.each([
    ['hour', 1],
    ['day', 24],
    ['always', null],
  ])('a site is blocked (%s)', async (time, hours) => {
    const wallet = await openSites([site], { 'sites/block': () => null });
    fireEvent.click(button('block'));
    fireEvent.click(button(`block-${time}`));
    await act(async () => {});
    expect(wallet.asked('sites/block')).toEqual([{ origin: site.origin, hours }]);
  });

  test('a site’s permissions are listed in its row in words, and revoked one by one or all together', async () => {
    const plain = () => text().replaceAll(/[\u2068\u2069]/g, '');
    const key = `02${'ab'.repeat(32)}`;
    const permissions: SiteView['permissions'] = [
      { name: 'identity', permission: { kind: 'identity' }, grantedAt: Date.now() - 120_000 },
      {
        name: 'protocol',
        permission: { kind: 'protocol', level: 2, protocol: 'secret notes', counterparty: key },
        grantedAt: Date.now(),
      },
      ...Array.from({ length: 10 }, (_, n): SiteView['permissions'][number] => ({
        name: `basket ${n}`,
        permission: { kind: 'basket', basket: `basket ${n}` },
        grantedAt: 1,
      })),
    ];
    const wallet = await openSites([{ ...site, permissions }], { 'sites/forbid': () => null });
    expect(plain()).toContain('shop.example:8443$3.25 left, 12 permissions');
    expect(plain()).toContain('Know your identity keyAllowed 2 minutes ago');
    expect(plain()).toContain(`Use your keys for “secret notes”, with the holder of this key:${key}`);
    expect(plain()).not.toContain('basket 9');
    fireEvent.click(screen.getByText('Show all 12'));
    expect(plain()).toContain('Use the basket “basket 9”');
    const described = button('forbid').getAttribute('aria-describedby') ?? '';
    expect(described).not.toContain(' ');
    expect(document.getElementById(described)?.textContent).toContain('Know your identity key');
    fireEvent.click(button('forbid'));
    await waitFor(() => expect(button('forbid').getAttribute('aria-busy')).toBe('false'));
    fireEvent.click(button('forbid-all'));
    expect(wallet.asked('sites/forbid')).toEqual([{ origin: site.origin, name: 'identity' }]);
    fireEvent.click(button('forbid-all-sure'));
    await act(async () => {});
    expect(wallet.asked('sites/forbid')).toEqual([
      { origin: site.origin, name: 'identity' },
      { origin: site.origin, name: null },
    ]);
  });

  test('a connection warns that the other permissions end with it, and that an allowance keeps the site connected', async () => {
    const connection = { name: 'connect', permission: { kind: 'connect' }, grantedAt: 1 } as const;
    const basket = { name: 'basket x', permission: { kind: 'basket', basket: 'x' }, grantedAt: 1 } as const;
    await openSites([{ ...site, permissions: [connection, basket] }]);
    expect(text()).toContain('Recognize you, and use keys that need no further permission');
    expect(text()).toContain('Removing this removes all other permissions.');
    expect(text()).toContain('With an allowance a site stays connected.');
    cleanup();
    await openSites([{ ...site, allowances: [], permissions: [connection] }]);
    expect(text()).not.toContain('Removing this removes');
    expect(text()).not.toContain('stays connected');
  });

  test('a blocked site shows when the block ends and can be unblocked, and a rejected site shows when it was rejected', async () => {
    const wallet = await openSites(
      [
        {
          origin: 'https://bad.example',
          allowances: [],
          permissions: [],
          refusedAt: 1,
          blockedUntil: new Date(2026, 10, 23, 8, 30).getTime(),
        },
        { origin: 'https://worse.example', allowances: [], permissions: [], refusedAt: 1, blockedUntil: 'for-good' },
        {
          origin: 'https://asked.example',
          allowances: [],
          permissions: [],
          refusedAt: Date.now() - 120_000,
          blockedUntil: null,
        },
      ],
      { 'sites/unblock': () => null },
    );
    expect(text()).toContain('bad.exampleBlocked until Mon, Nov 23, 08:30 AM');
    expect(text()).toContain('worse.exampleBlocked');
    expect(text()).toContain('asked.exampleRefused 2 minutes ago');
    fireEvent.click(button('unblock'));
    await act(async () => {});
    expect(wallet.asked('sites/unblock')).toEqual([{ origin: 'https://bad.example' }]);
  });
});

test('a browser that has lost a wallet offers to restore it', async () => {
  await open({ 'vault/status': () => ({ exists: false, locked: true, lockAt: null, lost: true as const }) });
  expect(screen.getByRole('heading').textContent).toBe('Your wallet’s data can’t be opened');
  expect(screen.getByRole('button').textContent).toBe('Restore from my words');
});

test('a browser profile that a newer version has used is reported, with advice', async () => {
  await open({
    'vault/status': () => {
      throw new Refusal('wallet-outdated');
    },
  });
  expect(screen.getByRole('alert').textContent).toContain(ERRORS['wallet-outdated'].message);
});
