import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/preact';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { writeAddress } from '../../../protocol/bitcoin/address.ts';
import { pressKey } from '../../../testing/press-key.ts';
import { ERRORS, type ErrorCode } from '../../../protocol/errors/service-error.ts';
import { toSatoshis } from '../../../protocol/money/money.ts';
import type { RecipientHost, SendQuote, WalletParams } from '../../../protocol/messages/wallet-messages.ts';
import { fakeWallet, overview, Refusal, settings } from '../../ui/window/fake-wallet.ts';
import { SendPage } from './send-page.tsx';

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
    dispose() {},
  }),
}));

const ADA = writeAddress(new Uint8Array(20).fill(1), 'devnet');
const BOB = writeAddress(new Uint8Array(20).fill(2), 'devnet');
const ELSEWHERE = writeAddress(new Uint8Array(20).fill(1), 'mainnet');
const FEE = 20n;
const BALANCE = BigInt(overview.satoshis);

afterEach(() => {
  cleanup();
  Object.assign(clock, { ready: false, restarts: 0 });
});

function quoteFor({ recipients }: WalletParams<'send/quote'>): SendQuote {
  const price = (currency: string) => (currency === 'BSV' ? '1' : '50');
  const fixed = recipients.reduce(
    (sum, { amount, currency }) => sum + (amount === null ? 0n : toSatoshis(amount, price(currency))),
    0n,
  );
  const outputs = recipients.map(({ to, amount, currency }) => ({
    type: 'ADDRESS' as const,
    to,
    paymail: null,
    userId: null,
    address: to,
    script: null,
    currency,
    own: false,
    scripts: [],
    host: null,
    amount: amount ?? '0.2',
    satoshis: (amount === null ? BALANCE - fixed - FEE : toSatoshis(amount, price(currency))).toString(),
  }));
  const satoshis = outputs.reduce((sum, one) => sum + BigInt(one.satoshis), 0n);
  const enough = satoshis + FEE <= BALANCE;
  return {
    outputs,
    satoshis: satoshis.toString(),
    feeSatoshis: enough ? FEE.toString() : null,
    totalSatoshis: enough ? (satoshis + FEE).toString() : null,
    balanceSatoshis: overview.satoshis,
    rate: overview.rate,
    time: 1_790_000_000_000,
    badRecipients: {},
    problem: enough ? null : { code: 'insufficient-funds', message: ERRORS['insufficient-funds'].message },
  };
}

const result = { id: 'p1', txid: 'ab'.repeat(32), taken: true };

function open(handlers: Parameters<typeof fakeWallet>[0] = {}, shown = overview) {
  const wallet = fakeWallet({
    'send/recents': () => ({ recipients: [] }),
    'contacts/list': () => ({ contacts: [] }),
    'send/quote': quoteFor,
    'send/pay': () => result,
    ...handlers,
  });
  runtime.sendMessage = wallet.sendMessage;
  const onBack = vi.fn();
  const onContacts = vi.fn();
  render(<SendPage overview={shown} settings={settings} to="" onContacts={onContacts} onBack={onBack} />);
  return { ...wallet, onBack, onContacts };
}

const text = () => document.body.textContent ?? '';
const part = (name: string) => document.querySelector(`[data-part=${name}]`)?.textContent ?? '';
const type = (field: HTMLElement, value: string) => fireEvent.input(field, { target: { value } });
const rows = () => [...document.querySelectorAll<HTMLElement>('[data-part=recipient]')];
const to = (n = 0) => within(rows()[n] as HTMLElement).getByLabelText<HTMLInputElement>('To');
const amount = (n = 0) => within(rows()[n] as HTMLElement).getByLabelText<HTMLInputElement>(/^Amount/);

function fill(recipient: string, money: string, n = 0): void {
  type(to(n), recipient);
  type(amount(n), money);
}

async function read(): Promise<void> {
  await waitFor(() => expect(clock.restarts).toBeGreaterThan(0)); // The click guard has been restarted for the new content.
  Object.assign(clock, { ready: true, restarts: 0 });
}

async function review(): Promise<void> {
  fireEvent.click(screen.getByText('Review'));
  await screen.findByText('Check before you send');
}

async function send(): Promise<void> {
  await read();
  fireEvent.click(document.querySelector('[data-action=send]') as HTMLElement);
}

describe('the form', () => {
  test('offers recent recipients while the field is empty, and fills in the chosen one', async () => {
    open({ 'send/recents': () => ({ recipients: [ADA, 'ben@pay.example'] }) });
    const offered = () => [...document.querySelectorAll('[data-action=recent]')].map((one) => one.textContent);
    await waitFor(() => expect(offered()).toHaveLength(2));
    type(to(), 'b');
    expect(offered()).toEqual([]);
    type(to(), '');
    fireEvent.click(screen.getByText('ben@pay.example'));
    expect(to().value).toBe('ben@pay.example');
    expect(document.activeElement).toBe(to());
    fireEvent.click(screen.getByText('Add recipient'));
    expect(offered()).toHaveLength(1); // The same recipient isn't listed twice.
  });

  test('offers contacts first, the most recently paid on top, and filters them by typing', async () => {
    const contact = (to: string, name: string, elsewhere: string | null = null) => ({ id: to, to, name, elsewhere });
    const contacts = [
      contact('ada@pay.example', 'Ada'),
      contact('42', 'Before', 'before.example'),
      contact(BOB, 'Bob Builder'),
      contact('zoe@pay.example', 'Zoe'),
    ];
    const wallet = open({
      'send/recents': () => ({ recipients: [ADA, 'Zoe@pay.example'] }),
      'contacts/list': () => ({ contacts }),
    });
    const offered = () =>
      [...document.querySelectorAll('.send-people .list-row')].map((one) => one.textContent?.slice(0, 4));
    await waitFor(() => expect(offered()).toEqual(['Zoez', 'Adaa', 'Bob ', ADA.slice(0, 4)]));
    type(to(), 'BUILD bob');
    expect(offered()).toEqual(['Bob ']);
    type(to(), 'pay.example z');
    expect(offered()).toEqual(['Zoez']);
    to().focus();
    await pressKey('ArrowDown');
    fireEvent.click(document.activeElement as Element);
    expect(to().value).toBe('zoe@pay.example');
    expect(part('contact')).toBe('Your contact: Zoe');
    expect(offered()).toEqual([]);
    // At this service, the same user ID belongs to a different person.
    type(to(), '42');
    expect(document.querySelector('[data-part=contact]')).toBeNull();
    type(to(), '');
    fireEvent.click(screen.getByText('Edit contacts'));
    expect(wallet.onContacts).toHaveBeenCalledOnce();
  });

  test('saves a resolved recipient under a name that the user enters', async () => {
    const wallet = open({ 'contacts/save': () => null });
    fill(ADA, '0.10');
    fireEvent.click(screen.getByText('Save contact'));
    const name = screen.getByLabelText<HTMLInputElement>('Name');
    expect([name.value, name.maxLength]).toEqual(['', 60]);
    await pressKey('Enter', { target: name });
    type(name, '  Ada L. ');
    await pressKey('Enter', { target: name });
    await screen.findByText('Saved as Ada L..');
    expect(wallet.asked('contacts/save')).toEqual([{ id: null, to: ADA, name: 'Ada L.' }]);
    expect(wallet.asked('send/pay')).toEqual([]);
    // An invalid recipient can't be saved.
    type(to(), 'nobody');
    expect(screen.queryByText('Save contact')).toBeNull();
  });

  test('reads images only up to a maximum size, and fills nothing unless the code names a recipient', async () => {
    open();
    const paste = (file: File) => fireEvent.paste(to(), { clipboardData: { files: [file] } });
    paste(new File([new Uint8Array(20_000_001)], 'code.png', { type: 'image/png' }));
    await screen.findByText(/This image is too large/);
    paste(new File(['<svg/>'], 'code.png', { type: 'image/png' }));
    await screen.findByText(/can’t read this file/);
    expect(to().value).toBe('');
    fireEvent.click(screen.getByText('Scan QR code'));
    expect(part('scan')).toContain('Use camera');
  });

  test('shows the cost during typing: fee, total, and remaining balance, each in both currencies', async () => {
    const wallet = open();
    fill(ADA, '0.10');
    await waitFor(() => expect(part('total')).toBe('$0.10 (200,020 satoshis)'));
    expect(part('fee')).toBe('under $0.01 (20 satoshis)');
    expect(part('left')).toBe('$12.24 (24,479,980 satoshis)');
    expect(part('gets')).toBe('$0.10 (200,000 satoshis)');
    expect(wallet.asked('send/quote').at(-1)).toEqual({ recipients: [{ to: ADA, amount: '0.10', currency: 'USD' }] });
  });

  test('sends one request at a time, and the last one for the last text', async () => {
    const answers: (() => void)[] = [];
    const wallet = open({
      'send/quote': (asked) => new Promise((resolve) => answers.push(() => resolve(quoteFor(asked)))),
    });
    fill(ADA, '0.1');
    await waitFor(() => expect(answers).toHaveLength(1));
    for (const money of ['0.11', '0.12', '0.13']) type(amount(), money);
    expect(wallet.asked('send/quote')).toHaveLength(1);
    answers[0]?.();
    await waitFor(() => expect(answers).toHaveLength(2));
    expect(part('total')).toBe('');
    answers[1]?.();
    await waitFor(() => expect(part('total')).toBe('$0.13 (260,020 satoshis)'));
    expect(wallet.asked('send/quote')).toHaveLength(2);
  });

  test('Max sends everything that remains after the other recipients and the fee', async () => {
    const wallet = open();
    fill(ADA, '1');
    fireEvent.click(screen.getByText('Add recipient'));
    type(to(1), BOB);
    fireEvent.click(within(rows()[1] as HTMLElement).getByLabelText('Max: Send everything that’s left'));
    await waitFor(() => expect(part('left')).toBe('$0.00 (0 satoshis)'));
    expect(wallet.asked('send/quote').at(-1)).toMatchObject({
      recipients: [
        { to: ADA, amount: '1' },
        { to: BOB, amount: null },
      ],
    });
    expect(amount(1).value).toBe('0.2');
    // Selecting "Max" in the first row clears it in the second.
    fireEvent.click(within(rows()[0] as HTMLElement).getByLabelText('Max: Send everything that’s left'));
    expect(
      within(rows()[1] as HTMLElement)
        .getByLabelText('Max: Send everything that’s left')
        .getAttribute('aria-pressed'),
    ).toBe('false');
    // Typing an amount clears "Max".
    type(amount(0), '2');
    expect(
      within(rows()[0] as HTMLElement)
        .getByLabelText('Max: Send everything that’s left')
        .getAttribute('aria-pressed'),
    ).toBe('false');
  });

  test('recipients can be added and removed', async () => {
    open();
    fill(ADA, '1');
    fireEvent.click(screen.getByText('Add recipient'));
    expect(rows()).toHaveLength(2);
    await waitFor(() => expect(document.activeElement).toBe(to(1)));
    fireEvent.click(screen.getByLabelText('Remove recipient 1'));
    expect(rows()).toHaveLength(1);
    expect(to().value).toBe('');
    expect(document.activeElement).toBe(screen.getByText('Add recipient'));
  });

  test('typed amounts keep their value when the currency changes', async () => {
    const wallet = open();
    fill(ADA, '0.10');
    fireEvent.change(screen.getByLabelText('Currency'), { target: { value: 'BSV' } });
    expect(amount().value).toBe('0.002');
    await waitFor(() =>
      expect(wallet.asked('send/quote').at(-1)).toEqual({
        recipients: [{ to: ADA, amount: '0.002', currency: 'BSV' }],
      }),
    );
    fireEvent.change(screen.getByLabelText('Currency'), { target: { value: 'USD' } });
    expect(amount().value).toBe('0.10');
  });

  test('amounts are in BSV without a rate', () => {
    open({}, { ...overview, rate: null });
    expect(screen.getByLabelText<HTMLSelectElement>('Currency').value).toBe('BSV');
  });

  test.each([
    [
      'an address with a wrong letter',
      `${ADA.slice(0, -1)}${ADA.endsWith('a') ? 'b' : 'a'}`,
      'This address has a mistake',
    ],
    ['an address that lost a letter', ADA.slice(0, -1), 'This address has a mistake'],
    ['an address of the other network', ELSEWHERE, 'is for a different network'],
    ['an address of a script', '2MzQwSSnBHWHqSAqtTVQ6v47XtaisrJa1Vc', 'can’t pay this type of address'],
    ['nobody', 'just some words', 'This isn’t an address'],
    ['a link for another chain', `bitcoin:${ADA}?amount=1`, 'for a different currency'],
    ['a link that demands more', `bitcoin:${ADA}?sv&req-lock=1`, 'can’t read this payment link'],
  ])('%s causes an error in its row once the field is left, and no review opens', async (_, recipient, said) => {
    const wallet = open();
    fill(recipient, '1');
    expect(text()).not.toContain(said);
    fireEvent.blur(to());
    expect(text()).toContain(said);
    expect(to().getAttribute('aria-invalid')).toBe('true');
    fireEvent.click(screen.getByText('Review'));
    expect(wallet.asked('send/pay')).toEqual([]);
    expect(screen.queryByText('Check before you send')).toBeNull();
  });

  test.each([
    ['', 'Enter an amount.'],
    ['1,2,3', 'Enter an amount such as'],
    ['1,000', 'Which amount do you mean?'],
    ['-1', 'Enter an amount such as'],
    ['0', 'Enter an amount such as'],
  ])('the amount "%s" is not sent', async (money, said) => {
    const wallet = open();
    fill(ADA, money);
    fireEvent.click(screen.getByText('Review'));
    await waitFor(() => expect(text()).toContain(said));
    expect(document.activeElement).toBe(amount());
    expect(wallet.asked('send/quote')).toEqual([]);
  });

  test('an ambiguous amount is sent once the user has clarified it', async () => {
    const wallet = open();
    fill(ADA, '1,000');
    fireEvent.click(screen.getByText('$1.00', { selector: 'button' }));
    expect([amount().value, part('amount-question')]).toEqual(['1', '']);
    await waitFor(() => expect(wallet.asked('send/quote')).not.toEqual([]));
  });

  test('insufficient funds show the required and the available amount', async () => {
    open();
    fill(ADA, '100');
    await waitFor(() => expect(text()).toContain(ERRORS['insufficient-funds'].message));
    expect(text()).toContain(
      'You need $100.00 (200,000,000 satoshis), plus the network fee, and have $12.34 (24,680,000 satoshis).',
    );
    fireEvent.click(screen.getByText('Review'));
    await act(async () => {});
    expect(screen.queryByText('Check before you send')).toBeNull();
    const focused = document.activeElement as HTMLElement;
    expect(focused.closest('[role=alert]')?.textContent).toContain(ERRORS['insufficient-funds'].message);
    // Continued typing isn't interrupted.
    amount().focus();
    type(amount(), '1000');
    await waitFor(() => expect(text()).toContain('You need $1,000.00'));
    expect(document.activeElement).toBe(amount());
  });

  test('a payment link fills in recipient and amount', async () => {
    const wallet = open();
    type(to(), `bitcoin:${ADA}?sv&amount=0.002&label=Coffee%20%26%20cake`);
    expect([to().value, amount().value]).toEqual([ADA, '0.002']);
    await waitFor(() =>
      expect(wallet.asked('send/quote').at(-1)).toEqual({
        recipients: [{ to: ADA, amount: '0.002', currency: 'BSV' }],
      }),
    );
  });

  test('a payment link without an amount keeps the typed one', () => {
    open();
    type(amount(), '0.5');
    type(to(), `BITCOIN:${ADA}?sv`);
    expect([to().value, amount().value]).toEqual([ADA, '0.5']);
  });
});

/** Returns a quote with a host's response. The host is `two.example` for paymails, and the service for user IDs. */
function hostedFor(asked: WalletParams<'send/quote'>, changes: Partial<RecipientHost> = {}): SendQuote {
  const quote = quoteFor(asked);
  return {
    ...quote,
    outputs: quote.outputs.map((output) => {
      const user = /^\d+$/.test(output.to);
      const host = {
        paymail: user ? 'ada@localhost' : output.to,
        host: user ? 'localhost:3000' : 'two.example',
        name: 'Bob Builder',
        known: false,
        keyChangedSince: null,
        ...changes,
      };
      return output.to.includes('@') || user
        ? { ...output, type: user ? ('USER' as const) : ('PAYMAIL' as const), address: null, host }
        : output;
    }),
  };
}

const bad = (asked: WalletParams<'send/quote'>, code: ErrorCode): SendQuote => ({
  ...quoteFor(asked),
  outputs: [],
  satoshis: '0',
  feeSatoshis: null,
  totalSatoshis: null,
  badRecipients: { 0: code },
});

describe('a recipient whose host is queried', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  const pass = (milliseconds: number) => act(async () => void (await vi.advanceTimersByTimeAsync(milliseconds)));

  test('[S-08] the host of a paymail is queried after a pause in typing, with progress, then the result', async () => {
    const answers: (() => void)[] = [];
    const wallet = open({
      'send/quote': (asked) => new Promise((resolve) => answers.push(() => resolve(hostedFor(asked)))),
    });
    type(amount(), '0.10');
    for (const typed of ['bob@t', 'bob@two', 'bob@two.example']) {
      type(to(), typed);
      await pass(300);
    }
    expect(wallet.asked('send/quote')).toEqual([]);
    expect(part('host-line')).toBe('Contacting two.example…');
    await pass(600);
    expect(wallet.asked('send/quote')).toEqual([
      { recipients: [{ to: 'bob@two.example', amount: '0.10', currency: 'USD' }] },
    ]);
    expect(part('host-line')).toBe('Contacting two.example…');
    // After another delay, input typed during a request gets a new quote. The earlier quote remains visible until then.
    type(amount(), '0.11');
    answers[0]?.();
    await pass(0);
    expect(wallet.asked('send/quote')).toHaveLength(1);
    expect(part('host-line')).toBe('Found at two.example · Bob Builder');
    await pass(600);
    answers[1]?.();
    await pass(0);
    expect(wallet.asked('send/quote')).toHaveLength(2);
    expect(part('total')).toBe('$0.11 (220,020 satoshis)');
    expect(document.querySelector('[data-part=host-line] .spinner')).toBeNull();
  });

  test('[S-09] a user’s service ID is queried, and its owner is shown', async () => {
    open({ 'send/quote': hostedFor });
    fill('42', '1');
    expect(part('host-line')).toBe('Contacting localhost:3000…');
    await pass(600);
    expect(part('host-line')).toBe('ada@localhost · Bob Builder');
  });

  test.each<[string, ErrorCode, string, boolean]>([
    ['bob@two.example', 'unknown-recipient', 'two.example doesn’t know this recipient.', false],
    ['42', 'unknown-recipient', 'There is no user with this ID.', false],
    ['bob@two.example', 'paymail-unavailable', 'We can’t reach two.example right now.', true],
    ['42', 'service-unavailable', 'We can’t reach localhost:3000 right now.', true],
    ['bob@two.example', 'paymail-mismatch', 'two.example gave an invalid answer', true],
    ['bob@two.example', 'unsupported-recipient', 'two.example can’t accept payments from this wallet.', false],
    ['bob@two.example', 'wrong-network', ERRORS['wrong-network'].message, false],
  ])(
    'a row with the recipient %s shows the error %s, no review opens, and a retry is offered if that may help',
    async (recipient, code, said, again) => {
      let answer = (asked: WalletParams<'send/quote'>) => bad(asked, code);
      const wallet = open({ 'send/quote': (asked) => answer(asked) });
      fill(recipient, '1');
      fireEvent.blur(to());
      await pass(600);
      expect(rows()[0]?.textContent).toContain(said);
      expect(to().getAttribute('aria-invalid')).toBe('true');
      fireEvent.click(screen.getByText('Review'));
      await pass(0);
      expect(screen.queryByText('Check before you send')).toBeNull();
      const button = document.querySelector<HTMLElement>('[data-action=ask-again]');
      expect(button !== null).toBe(again);
      answer = hostedFor;
      if (button) fireEvent.click(button);
      await pass(600);
      expect(wallet.asked('send/quote')).toHaveLength(again ? 2 : 1);
      expect(rows()[0]?.textContent?.includes(said)).toBe(!again);
    },
  );

  test('an invalid row leaves the others as they are', async () => {
    open({
      'send/quote': (asked) =>
        asked.recipients.length > 1
          ? { ...bad(asked, 'unknown-recipient'), badRecipients: { 1: 'unknown-recipient' } }
          : hostedFor(asked),
    });
    fill('bob@two.example', '1');
    await pass(600);
    fireEvent.click(screen.getByText('Add recipient'));
    fill('nobody@two.example', '1', 1);
    fireEvent.blur(to(1));
    await pass(600);
    expect(rows()[0]?.textContent).toContain('Found at two.example · Bob Builder');
    expect(rows()[1]?.textContent).toContain('two.example doesn’t know this recipient.');
    expect(rows()[1]?.textContent).not.toContain('Found');
  });

  test('an error between the form and the review is shown at its row', async () => {
    let gone = false;
    open({ 'send/quote': (asked) => (gone ? bad(asked, 'paymail-unavailable') : hostedFor(asked)) });
    fill('bob@two.example', '1');
    await pass(600);
    gone = true;
    fireEvent.click(screen.getByText('Review'));
    await pass(0);
    await pass(600);
    expect(rows()[0]?.textContent).toContain('We can’t reach two.example right now.');
  });

  test('a mix of two alphabets is reported before any host is queried', () => {
    const wallet = open();
    type(to(), 'b\u043Eb@two.example');
    expect(document.querySelector('[data-part=look-alike]')?.textContent).toMatch(/mixes letters.*Cyrillic/);
    expect(wallet.asked('send/quote')).toEqual([]);
  });

  test('the review shows profile, host, the wallet’s own record, and a changed key', async () => {
    open({ 'send/quote': (asked) => hostedFor(asked, { known: true, keyChangedSince: Date.UTC(2026, 10, 5, 12) }) });
    fill('bob@two.example', '1');
    fireEvent.click(screen.getByText('Review'));
    await pass(0);
    expect(part('to')).toBe('bob@two.example');
    expect(part('profile-name')).toBe('Bob Builder');
    expect(part('host')).toBe('two.example');
    expect(part('known')).toBe('You’ve paid this recipient before.');
    expect(part('key-changed')).toContain('since Nov 5, 2026');
  });
});

describe('the review', () => {
  test('shows whole recipients, both amounts, fee and total, and pays exactly that', async () => {
    const wallet = open();
    fill(ADA, '0.10');
    fireEvent.click(screen.getByText('Add recipient'));
    fill(BOB, '0.20', 1);
    type(screen.getByLabelText('Note (optional)'), ' For the concert ');
    await review();
    expect(text()).toContain('NoteFor the concert');
    expect([...document.querySelectorAll('[data-part=to]')].map((one) => one.textContent)).toEqual([ADA, BOB]);
    expect(text()).toContain('$0.10');
    expect(text()).toContain('200,000 satoshis');
    expect(part('total')).toBe('$0.30 (600,020 satoshis)');
    await send();
    await screen.findByText('On its way');
    expect(wallet.asked('send/pay')).toEqual([
      {
        requestId: expect.stringMatching(/^[\w-]{36}$/),
        feeSatoshis: '20',
        time: 1_790_000_000_000,
        outputs: [
          { type: 'ADDRESS', to: ADA, amount: '0.10', currency: 'USD', satoshis: '200000' },
          { type: 'ADDRESS', to: BOB, amount: '0.20', currency: 'USD', satoshis: '400000' },
        ],
        note: 'For the concert',
      },
    ]);
    expect(part('txid')).toBe(result.txid);
    fireEvent.click(screen.getByText('Show activity'));
    expect(wallet.onBack).toHaveBeenCalledOnce();
  });

  test('warns that an earlier payment may also go through, and sends that the user has read this', async () => {
    const wallet = open({ 'send/quote': (wanted) => ({ ...quoteFor(wanted), mayPayTwice: true as const }) });
    fill(ADA, '0.10');
    await review();
    expect(part('twice')).toContain('both could be paid');
    await send();
    await screen.findByText('On its way');
    expect(wallet.asked('send/pay')).toMatchObject([{ mayPayTwice: true }]);
  });

  test('ignores clicks until the review could be read', async () => {
    const wallet = open();
    fill(ADA, '0.10');
    await review();
    fireEvent.click(document.querySelector('[data-action=send]') as HTMLElement);
    await screen.findByText(ERRORS['too-soon'].message);
    expect(wallet.asked('send/pay')).toEqual([]);
  });

  test('applies the same wait to keys: Ctrl with Enter sends, and Escape goes back', async () => {
    const wallet = open();
    fill(ADA, '0.10');
    await pressKey('Enter', { ctrlKey: true, target: amount() });
    await screen.findByText('Check before you send');
    await pressKey('Enter', { ctrlKey: true });
    await screen.findByText(ERRORS['too-soon'].message);
    await pressKey('Escape');
    fireEvent.click(screen.getByText('Review'));
    await screen.findByText('Check before you send');
    await read();
    await pressKey('Enter', { ctrlKey: true, repeat: true });
    expect(wallet.asked('send/pay')).toEqual([]);
    await pressKey('Enter', { ctrlKey: true });
    await screen.findByText('On its way');
    expect(wallet.asked('send/pay')).toHaveLength(1);
  });

  test('going back keeps the typed values', async () => {
    open();
    fill(ADA, '0.10');
    await review();
    fireEvent.click(screen.getByText('Back'));
    expect([to().value, amount().value]).toEqual([ADA, '0.10']);
  });

  test('changed amounts are reviewed again, and are a new payment', async () => {
    const pays: WalletParams<'send/pay'>[] = [];
    let dear = false;
    const wallet = open({
      'send/quote': (asked) => ({ ...quoteFor(asked), ...(dear && { feeSatoshis: '90', totalSatoshis: '200090' }) }),
      'send/pay': (asked) => {
        pays.push(asked);
        if (pays.length > 1) return result;
        dear = true;
        throw new Refusal('fee-changed');
      },
    });
    fill(ADA, '0.10');
    await review();
    await send();
    await screen.findByText(/Something has changed/);
    expect(part('fee')).toContain('(90 satoshis)');
    // The user must read the changes before clicks count.
    await waitFor(() => expect(clock.ready).toBe(false));
    fireEvent.click(document.querySelector('[data-action=send]') as HTMLElement);
    await screen.findByText(ERRORS['too-soon'].message);
    expect(wallet.asked('send/pay')).toHaveLength(1);
    await send();
    await screen.findByText('On its way');
    expect(pays[1]?.feeSatoshis).toBe('90');
    expect(pays[1]?.requestId).not.toBe(pays[0]?.requestId);
  });

  test('a lost response is requested again under the same id', async () => {
    let lost = true;
    const wallet = open({
      'send/pay': () => {
        if (!lost) return result;
        lost = false;
        throw new Refusal('wallet-disconnected');
      },
    });
    fill(ADA, '0.10');
    await review();
    await send();
    await screen.findByText(/We can’t tell right now whether it was sent/);
    expect(text()).not.toContain('No money has moved');
    fireEvent.click(document.querySelector('[data-action=send]') as HTMLElement);
    await screen.findByText('On its way');
    const [first, second] = wallet.asked('send/pay') as WalletParams<'send/pay'>[];
    expect(second).toEqual(first);
  });

  test.each([['network-rejected'], ['insufficient-funds'], ['network-unavailable'], ['wallet-locked']] as const)(
    '%s shows that no money has moved',
    async (code) => {
      open({
        'send/pay': () => {
          throw new Refusal(code);
        },
      });
      fill(ADA, '0.10');
      await review();
      await send();
      await screen.findByText(ERRORS[code].message);
      expect(text().match(/No money has moved\./g)).toHaveLength(1);
    },
  );

  test('a payment signed while the network is down comes with a warning not to send it again', async () => {
    open({ 'send/pay': () => ({ ...result, taken: false }) });
    fill(ADA, '0.10');
    await review();
    await send();
    await screen.findByText('Signed and waiting');
    expect(part('paid-to')).toMatch(/^To m/);
    expect(text()).toContain('Don’t send it again');
  });

  test('a script that anyone can spend is never shown as plain', async () => {
    const script = {
      kind: 'anyone',
      address: null,
      keys: [],
      needed: 0,
      own: false,
      data: [],
      bytes: 1,
      hex: '51',
      asm: 'OP_1',
    } as const;
    open({
      'send/quote': (asked) => {
        const quote = quoteFor(asked);
        return {
          ...quote,
          outputs: quote.outputs.map((one) => ({
            ...one,
            type: 'SCRIPT' as const,
            scripts: [{ ...script, keys: [], data: [] }],
          })),
        };
      },
    });
    fill('OP_1 OP_NOP', '0.10');
    await review();
    expect(document.querySelector('.banner-danger')?.textContent).toContain('Anyone can take this money.');
  });
});
