import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/preact';
import { afterEach, expect, test, vi } from 'vitest';
import type { AssetsView, SentAsset, ShownOutput } from '../../../protocol/messages/wallet-messages.ts';
import { fakeWallet, overview, Refusal } from '../../ui/window/fake-wallet.ts';
import { AssetsPage } from './assets-page.tsx';

const runtime = vi.hoisted(() => ({ sendMessage: undefined as unknown as (message: never) => Promise<unknown> }));
vi.mock('webextension-polyfill', () => ({
  default: { runtime: { sendMessage: (message: never) => runtime.sendMessage(message) } },
}));

// Mocks the click guard, which normally ignores clicks for a while after the content changes.
const clock = vi.hoisted(() => ({ ready: false, restarts: 0 }));
vi.mock('../../ui/window/click-guard.ts', () => ({
  createClickGuard: () => ({
    ready: () => clock.ready,
    restart: () => Object.assign(clock, { ready: false, restarts: clock.restarts + 1 }),
    dispose: () => undefined,
  }),
}));

afterEach(() => {
  cleanup();
  Object.assign(clock, { ready: false, restarts: 0 });
});

async function afterReading(): Promise<void> {
  await waitFor(() => expect(clock.restarts).toBeGreaterThan(0));
  Object.assign(clock, { ready: true, restarts: 0 });
}

const ID = `${'ab'.repeat(32)}_0`;
const PICTURE = `${'cd'.repeat(32)}_1`;
const TO = 'mfWxJ45yp2SFn7UciZyNpvDKrzbhyfKrY8';
const BOB = 'bob@pay.example';
const paidTo = (to: string): ShownOutput => ({
  type: to.includes('@') ? 'PAYMAIL' : 'ADDRESS',
  to,
  paymail: null,
  userId: null,
  address: null,
  script: null,
  amount: '5.5',
  currency: ID,
  satoshis: '1',
  own: false,
  scripts: [],
  host: to.includes('@')
    ? { paymail: to, host: 'pay.example', name: 'Robert', known: false, keyChangedSince: null }
    : null,
  ...(to === BOB && { contact: { name: 'Bob' } }),
});
const asset: SentAsset = { type: 'token', id: ID, symbol: 'GOLD\u202E', decimals: 2, units: '550' };
const view: AssetsView = {
  tokens: [
    {
      id: ID,
      symbol: 'GOLD\u202E',
      decimals: 2,
      amount: '1234.5',
      spendable: '1000',
      supply: '5000',
      word: 'index',
      isUnconfirmed: true,
      icon: PICTURE,
    },
  ],
  ordinals: [
    { outpoint: `${'ef'.repeat(32)}_3`, origin: PICTURE, contentType: '', canSend: true, isUnconfirmed: false },
    { outpoint: `${'ef'.repeat(32)}_4`, origin: null, contentType: 'text/html', canSend: false, isUnconfirmed: false },
  ],
  invalid: 2,
  unchecked: 1,
  tooLarge: 3,
  index: { url: 'https://index.example', isChosen: false },
};

async function open(assets = view, handlers: Parameters<typeof fakeWallet>[0] = {}) {
  const wallet = fakeWallet({
    'assets/list': () => assets,
    'assets/refresh': () => null,
    'assets/index': () => null,
    'assets/content': ({ outpoint }) =>
      outpoint === PICTURE
        ? { contentType: 'image/png', text: null, picture: 'data:image/png;base64,AAAA' }
        : { contentType: 'text/html', text: null, picture: null },
    'assets/quote': ({ to }) => ({ asset, recipient: paidTo(to), feeSatoshis: '40', rate: null, problem: null }),
    'send/recents': () => ({ recipients: [] }),
    'contacts/list': () => ({ contacts: [{ id: 'b', to: BOB, name: 'Bob', elsewhere: null }] }),
    'assets/send': () => ({ id: 'a', txid: 'ab'.repeat(32), taken: true }),
    ...handlers,
  });
  runtime.sendMessage = wallet.sendMessage;
  const onBack = vi.fn();
  render(<AssetsPage overview={overview} serviceUrl="https://service.example" onBack={onBack} />);
  await waitFor(() => expect(wallet.asked('assets/refresh')).toHaveLength(1));
  return { ...wallet, onBack };
}

const action = (name: string) => document.querySelector<HTMLButtonElement>(`[data-action=${name}]`)!;
const page = () => document.body.textContent;

test('lists assets with their pictures, and shows the numbers of doubtful ones', async () => {
  await open();
  await screen.findByText('GOLD⟨U+202E⟩');
  expect(page()).toContain('1,234.5');
  expect(page()).toContain('claim to hold a token but don’t: 2');
  expect(page()).toContain('couldn’t be checked yet: 1');
  expect(page()).toContain('too large for your wallet: 3');
  await waitFor(() => expect(document.querySelectorAll('.asset-picture img')).toHaveLength(2));
});

test('shows that there are no assets, and errors', async () => {
  await open(
    { ...view, tokens: [], ordinals: [], invalid: 0, unchecked: 0, tooLarge: 0 },
    {
      'assets/refresh': () => {
        throw new Refusal('network-unavailable');
      },
    },
  );
  await screen.findByText('No assets yet');
  await waitFor(() => expect(document.querySelector('.banner-warning')).not.toBeNull());
});

test('shows the source of a token’s amount, and sends exactly the reviewed amount', async () => {
  const { asked } = await open();
  fireEvent.click(await screen.findByText('GOLD⟨U+202E⟩'));
  expect(page()).toContain('The index only');
  expect(page()).toContain(ID);
  fireEvent.click(action('send-asset'));
  const [to, amount] = [screen.getByLabelText('To'), screen.getByLabelText('Amount')];
  const type = (field: HTMLElement, value: string) => fireEvent.input(field, { target: { value } });
  fireEvent.click(action('review'));
  screen.getByText('Enter a recipient.');
  screen.getByText('Enter an amount with at most 2 decimals.');
  type(to, 'nobody');
  screen.getByText(/isn’t an address, paymail or other recipient/);
  type(to, TO);
  type(amount, '5.555');
  screen.getByText('Enter an amount with at most 2 decimals.');
  type(amount, '5,50');
  fireEvent.click(action('review'));
  await screen.findByText('Check before you send');
  expect(asked('assets/quote')).toContainEqual({ asset: { token: ID, amount: '5.50' }, to: TO });
  expect(document.querySelector('[data-part=asset]')?.textContent).toContain('5.5 \u2068GOLD⟨U+202E⟩');
  expect(document.querySelector('.address')?.textContent).toBe(TO);
  // The user has had no time to read the content yet.
  fireEvent.click(action('send'));
  await waitFor(() => expect(document.querySelector('.banner-warning')).not.toBeNull());
  expect(asked('assets/send')).toEqual([]);
  await afterReading();
  fireEvent.click(action('send'));
  await waitFor(() => expect(asked('assets/send')).toHaveLength(1));
  expect(asked('assets/send')).toMatchObject([{ asset: { token: ID, units: '550' }, to: TO, feeSatoshis: '40' }]);
  await screen.findByText('On its way');
  fireEvent.click(action('done'));
  await screen.findByText('Tokens');
});

test('a changed fee is shown before anything is sent', async () => {
  let fee = '40';
  const { asked } = await open(view, {
    'assets/quote': ({ to }) => ({ asset, recipient: paidTo(to), feeSatoshis: fee, rate: null, problem: null }),
    'assets/send': ({ feeSatoshis }) => {
      if (feeSatoshis === '40') throw new Refusal('fee-changed');
      return { id: 'a', txid: 'ab'.repeat(32), taken: false };
    },
  });
  fireEvent.click(await screen.findByText('GOLD⟨U+202E⟩'));
  fireEvent.click(action('send-asset'));
  fireEvent.input(screen.getByLabelText('To'), { target: { value: TO } });
  fireEvent.click(screen.getByText('Max'));
  fireEvent.click(action('review'));
  await screen.findByText('Check before you send');
  fee = '80';
  await afterReading();
  fireEvent.click(action('send'));
  await waitFor(() => expect(asked('assets/send')).toHaveLength(1));
  await screen.findByText(/Something has changed/);
  await afterReading();
  fireEvent.click(action('send'));
  await waitFor(() => expect(asked('assets/send')).toHaveLength(2));
  await screen.findByText('Signed and waiting');
});

test('an ordinal shows its picture, or that it is not shown, and an ambiguous ordinal is not sent', async () => {
  await open();
  fireEvent.click(await screen.findByText('Ordinal'));
  await waitFor(() => expect(document.querySelector<HTMLImageElement>('.asset-content')?.src).toContain('data:image'));
  expect(action('send-asset').disabled).toBe(false);
  fireEvent.click(screen.getByLabelText('Back'));
  fireEvent.click(await screen.findByText('text/html'));
  await screen.findByText(/isn’t shown here/);
  expect(action('send-asset').disabled).toBe(true);
});

test('shows an address to receive at, and accepts another index', async () => {
  const { asked } = await open();
  await screen.findByText('Tokens');
  fireEvent.input(screen.getByLabelText('Where assets are looked up'), { target: { value: ' https://own.example ' } });
  fireEvent.click(screen.getByText('Save'));
  await waitFor(() => expect(asked('assets/index')).toEqual([{ url: 'https://own.example' }]));
  fireEvent.click(action('receive-assets'));
  expect(document.querySelector('.address')?.textContent).toBe(overview.receiveAddress);
});

test('a contact’s paymail is selected, resolved at its host, and reviewed as in the form for money', async () => {
  const { asked } = await open();
  fireEvent.click(await screen.findByText('GOLD⟨U+202E⟩'));
  fireEvent.click(action('send-asset'));
  fireEvent.click((await screen.findByText('Bob')).closest('button')!);
  fireEvent.input(screen.getByLabelText('Amount'), { target: { value: '5.5' } });
  await screen.findByText(/Found at pay.example/);
  fireEvent.click(action('review'));
  await screen.findByText('Check before you send');
  const recipient = document.querySelector('[data-part=recipient]')?.textContent;
  for (const part of ['Paymail', 'Bob', BOB, 'Robert', 'pay.example']) expect(recipient).toContain(part);
  await afterReading();
  fireEvent.click(action('send'));
  await screen.findByText('On its way');
  expect(asked('assets/send')).toMatchObject([{ to: BOB }]);
  expect(document.querySelector('[data-part=paid-to]')?.textContent).toContain(BOB);
});

test.each([
  ['bob@pay.example', 'unsupported-recipient', /pay.example doesn’t accept tokens or ordinals/],
  ['OP_1', 'invalid-recipient', /can’t be sent to this script/],
] as const)('an error is shown for %s, which accepts no assets (%s), and no review opens', async (to, code, text) => {
  await open(view, {
    'assets/quote': () => ({
      asset,
      recipient: null,
      badRecipient: code,
      feeSatoshis: null,
      rate: null,
      problem: null,
    }),
  });
  fireEvent.click(await screen.findByText('GOLD⟨U+202E⟩'));
  fireEvent.click(action('send-asset'));
  fireEvent.input(screen.getByLabelText('To'), { target: { value: to } });
  fireEvent.input(screen.getByLabelText('Amount'), { target: { value: '1' } });
  fireEvent.click(action('review'));
  await screen.findByText(text);
  expect(screen.queryByText('Check before you send')).toBeNull();
});

test('an error of the whole transfer is shown before the review', async () => {
  await open(view, {
    'assets/quote': () => ({
      asset,
      recipient: paidTo(BOB),
      feeSatoshis: null,
      rate: null,
      problem: { code: 'insufficient-funds', message: '' },
    }),
  });
  fireEvent.click(await screen.findByText('GOLD⟨U+202E⟩'));
  fireEvent.click(action('send-asset'));
  fireEvent.input(screen.getByLabelText('To'), { target: { value: BOB } });
  fireEvent.input(screen.getByLabelText('Amount'), { target: { value: '1' } });
  await waitFor(() => expect(document.querySelector('[data-code=insufficient-funds]')).not.toBeNull());
});
