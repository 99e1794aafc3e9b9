import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/preact';
import { afterEach, expect, test, vi } from 'vitest';
import { metadataOf } from '../../../protocol/payments/metadata.ts';
import { ERRORS } from '../../../protocol/errors/service-error.ts';
import type {
  ActivityDetails,
  ActivityItem,
  ActivityPage,
  ExportedActivity,
  WalletParams,
} from '../../../protocol/messages/wallet-messages.ts';
import { fakeWallet, overview, Refusal, settings } from '../../ui/window/fake-wallet.ts';
import { activityTexts } from '../../ui/texts/texts.ts';
import { ActivityList } from './activity-list.tsx';
import { ActivityRow } from './activity-row.tsx';
import { createStore, type Store } from '../popup-state.ts';

const runtime = vi.hoisted(() => ({ sendMessage: undefined as unknown as (message: never) => Promise<unknown> }));
vi.mock('webextension-polyfill', () => ({
  default: {
    runtime: { sendMessage: (message: never) => runtime.sendMessage(message), getURL: (path: string) => path },
  },
}));

const ADDRESS = 'mzJ2m4aZ1Lz4a1VbWZkcQ8V4zsfkS8UuWQ';
const item: ActivityItem = {
  id: 'p1',
  direction: 'sent',
  origin: 'https://shop.example',
  counterparty: ADDRESS,
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
const output = {
  type: 'ADDRESS',
  to: ADDRESS,
  paymail: null,
  userId: null,
  address: ADDRESS,
  script: null,
  amount: '0.10',
  currency: 'USD',
  satoshis: '200000',
} as const;
const details: ActivityDetails = {
  item,
  height: null,
  outputs: [output],
  data: null,
  clientIdentifier: null,
  ...metadataOf({}),
  refunds: [],
  signed: true,
  decided: 'by-hand',
  debit: null,
  report: 'done',
  serviceReport: null,
  deliveries: [],
  operations: [],
};

let store: Store | null = null;
afterEach(() => {
  store?.stop();
  cleanup();
  vi.restoreAllMocks();
});

function Shown({ store }: { store: Store }) {
  const overview = store.overview.value;
  return overview && <ActivityList store={store} rate={overview.rate} network={overview.network} isWhole />;
}

type List = (asked: WalletParams<'activity/list'>) => ActivityPage<ActivityItem> | Promise<ActivityPage<ActivityItem>>;
const page = (items: ActivityItem[], before: string | null = null, searchedTo: number | null = null) => ({
  items,
  more: before !== null,
  before,
  searchedTo,
});

async function open(list: List = () => page([item]), handlers: Parameters<typeof fakeWallet>[0] = {}) {
  const wallet = fakeWallet({
    'vault/status': () => ({ exists: true, locked: false, lockAt: null }),
    'wallet/overview': () => overview,
    'wallet/refresh': () => null,
    'activity/list': list,
    'activity/read': () => details,
    'settings/read': () => settings,
    'sites/list': () => ({ sites: [] }),
    ...handlers,
  });
  runtime.sendMessage = wallet.sendMessage;
  store = createStore();
  render(<Shown store={store} />);
  await act(() => store?.opened);
  return wallet;
}

const rows = () => [...document.querySelectorAll<HTMLElement>('details.activity')];
const names = () => rows().map((row) => row.querySelector('.list-title')?.textContent);
const button = (action: string) => document.querySelector<HTMLButtonElement>(`[data-action=${action}]`);

async function openRow(row = rows()[0] as HTMLDetailsElement): Promise<string> {
  await act(async () => {
    (row as HTMLDetailsElement).open = true;
    fireEvent(row, new Event('toggle'));
  });
  await waitFor(() => expect(row.querySelector('dl')).not.toBeNull());
  return row.textContent ?? '';
}

async function searchFor(text: string): Promise<void> {
  if (!document.querySelector('search')) fireEvent.click(screen.getByRole('button', { name: 'Search' }));
  fireEvent.input(screen.getByRole('searchbox'), { target: { value: text } });
  fireEvent.keyDown(screen.getByRole('searchbox'), { key: 'Enter' });
  await act(async () => {});
}

function waiting<T>() {
  const asked: ((answer: T) => void)[] = [];
  return {
    asked,
    ask: () => new Promise<T>((answer) => asked.push(answer)),
    async answer(answer: T): Promise<void> {
      await waitFor(() => expect(asked).not.toEqual([]));
      asked.shift()?.(answer);
    },
  };
}

test('a possible refund is named after its payment, and marked as uncertain unless the service confirms it', async () => {
  const refundOf = { id: 'p7', origin: 'https://shop.example', to: 'ann@pay.example' };
  const got = { ...item, id: 'r1', direction: 'received' as const, origin: null, sender: null, refundOf };
  const sender = { paymail: 'till@shop.example', verified: true };
  const cases = [
    [got, 'Possibly a refund from shop.example'],
    [{ ...got, refundOf: { ...refundOf, origin: null } }, 'Possibly a refund from ann@pay.example'],
    [{ ...got, refundOf: { ...refundOf, isConfirmed: true } }, 'Refund from shop.example'],
    [{ ...got, sender, refundOf: { ...refundOf, isConfirmed: true } }, 'Refund from shop.example'],
    [{ ...got, sender }, 'till@shop.example'],
  ] as const;
  for (const [row, name] of cases) {
    render(<ActivityRow item={row as ActivityItem} rate={null} network="devnet" now={item.time} />);
    expect(document.querySelector('.list-title')?.textContent).toBe(name);
    cleanup();
  }
});

test('assets are shown by name and amount, received ones added and sent ones subtracted, without satoshis', async () => {
  const token = { symbol: 'GOLD', decimals: 2, units: '1250' };
  const own = { ...item, origin: null, satoshis: '1', amount: '0.00000001', currency: 'BSV' };
  const id = `${'cd'.repeat(32)}_3`;
  const items: ActivityItem[] = [
    { ...own, id: 'a', asset: { type: 'mint', ...token } },
    { ...own, id: 'b', asset: { type: 'token', id, ...token } },
    { ...own, id: 'c', direction: 'received', asset: { type: 'token', id, ...token } },
  ];
  await open(() => page(items), {
    'activity/read': (asked) => ({
      ...details,
      item: items.find((one) => one.id === asked.id) as ActivityItem,
      outputs: [{ ...output, contact: null }],
    }),
  });
  const amounts = rows().map((row) => row.querySelector('.activity-amount')?.textContent);
  expect(amounts).toEqual(
    ['Asset minted +', 'Sent −', 'Received +'].map((sign) => `${sign}\u206612.5 \u2068GOLD\u2069\u2069`),
  );
  expect(names()[0]).toBe('Asset minted');
  for (const [i, of] of [`${item.txid}_0`, id, id].entries()) {
    const text = await openRow(rows()[i] as HTMLDetailsElement);
    expect(text).toContain(of);
    expect(text).not.toContain('1 satoshi)');
    expect(text).not.toContain('0.00000001');
    // A mint pays the wallet itself, so there is no contact to save.
    expect(text.includes('Save contact')).toBe(i === 1);
  }
});

test('a received token shows who vouches for it, and isn’t counted if no one does', async () => {
  const id = `${'cd'.repeat(32)}_3`;
  const own = { ...item, origin: null, direction: 'received', satoshis: '1', amount: null, currency: null } as const;
  const items: ActivityItem[] = [
    { ...own, id: 'a', asset: { type: 'token', id, symbol: 'GOLD', decimals: 2, units: '1250' }, assetWord: 'index' },
    { ...own, id: 'b', tokenClaim: 'unchecked' },
    { ...own, id: 'c', tokenClaim: 'forged' },
  ];
  await open(() => page(items), {
    'activity/read': (asked) => ({ ...details, item: items.find((one) => one.id === asked.id) as ActivityItem }),
  });
  const amounts = rows().map((row) => row.querySelector('.activity-amount')?.textContent);
  expect(amounts).toEqual(['Received +\u206612.5 \u2068GOLD\u2069\u2069', 'Unchecked token', 'Fake token']);
  expect(rows()[0]?.textContent).toContain('According to the index only');
  for (const [i, said] of ['The index only', 'couldn’t check it yet', 'claims to hold a token'].entries()) {
    const text = await openRow(rows()[i] as HTMLDetailsElement);
    expect(text).toContain(said);
    expect(text).not.toContain('1 satoshi)');
    // Only verified tokens can be sent.
    expect(text.includes('You can already spend it')).toBe(i === 0);
  }
});

test('operations without a payment are a separate row without an amount, which shows the signed text', () => {
  const note = { id: '1', dataEncoding: 'utf8', valueEncoding: 'utf8', paymail: null, publicKey: null, verified: null };
  const operations = [
    { ...note, method: 'sign', data: 'I agree', value: null },
    { ...note, id: '2', method: 'decrypt', data: null, value: null },
    { ...note, id: '3', method: 'sign', data: 'And this', value: null },
  ];
  const operationsItem = {
    ...item,
    satoshis: '0',
    txid: null,
    amount: null,
    currency: null,
    clientIdentifier: 'notary',
    operations,
  };
  render(<ActivityRow item={operationsItem as ActivityItem} rate={null} network="devnet" now={item.time} />);
  const summary = document.querySelector('summary') as HTMLElement;
  expect(summary.textContent).toBe('shop.exampleSigned · Decryptednow');
  const shown = document.querySelector('.facts')?.textContent ?? '';
  for (const fact of [
    'https://shop.example',
    'notary (named by the site)',
    'Your signature on',
    'I agree',
    'And this',
    'The text isn’t kept.',
  ])
    expect(shown).toContain(fact);
  expect(shown).not.toContain('satoshis');
  cleanup();
});

test('a row names site, amount, state and age, and loads its details when it opens', async () => {
  const wallet = await open();
  const summary = rows()[0]?.querySelector('summary')?.textContent;
  for (const part of ['shop.example', 'On the network', '−$0.10', '2 minutes ago']) expect(summary).toContain(part);
  expect(wallet.asked('activity/read')).toEqual([]);
  const shown = await openRow();
  for (const fact of [
    'https://shop.example',
    ADDRESS,
    '200,000 satoshis',
    '12 satoshis',
    item.txid as string,
    'Not in a block yet',
    '1 BSV = $50.00',
    'By you',
    'Recorded',
    'p1',
  ])
    expect(shown).toContain(fact);
  expect(wallet.asked('activity/read')).toEqual([{ id: 'p1' }]);
});

test.each<[string, Partial<ActivityItem>]>([
  ['bob@pay.example', { origin: null, counterparty: 'bob@pay.example' }],
  ['3 recipients', { origin: null, recipientCount: 3 }],
  ['bob@a-long-name-of-a-host.example', { origin: null, counterparty: 'bob@a-long-name-of-a-host.example' }],
  ['User 42', { origin: null, counterparty: '42' }],
  ['bob@two.example', { origin: null, direction: 'received', sender: { paymail: 'bob@two.example', verified: true } }],
  [
    'Claims to be bob@two.example',
    { origin: null, direction: 'received', sender: { paymail: 'bob@two.example', verified: false } },
  ],
  [
    'Claims to be b<U+043E>b@two.example',
    { origin: null, direction: 'received', sender: { paymail: 'b\u043Eb@two.example', verified: false } },
  ],
  ['Data on the blockchain', { origin: null, counterparty: '', recipientCount: 0 }],
  ['Received', { origin: null, direction: 'received' }],
])('a row without a site is named %s', async (name, change) => {
  await open(() => page([{ ...item, ...change }]));
  expect(names()).toEqual([name]);
});

test('a note is added in the details, and Escape drops an unfinished one', async () => {
  let note: string | null = null;
  const wallet = await open(undefined, {
    'activity/read': () => ({ ...details, item: { ...item, note } }),
    'activity/note': (asked) => {
      note = (asked as { note: string }).note;
      return null;
    },
  });
  await openRow();
  const find = (css: string) =>
    waitFor(() => {
      const element = document.querySelector<HTMLElement>(css);
      if (!element) throw new Error(`no ${css}`);
      return element;
    });
  fireEvent.click(await find('[data-action=edit-note]'));
  fireEvent.keyDown(await find('.activity-details input'), { key: 'Escape' });
  fireEvent.click(await find('[data-action=edit-note]'));
  const field = (await find('.activity-details input')) as HTMLInputElement;
  expect(field.maxLength).toBe(500);
  fireEvent.input(field, { target: { value: 'For Anna' } });
  fireEvent.click(await find('[data-action=save-note]'));
  await waitFor(() => expect(document.querySelector('.activity-details')?.textContent).toContain('For AnnaEdit note'));
  expect(wallet.asked('activity/note')).toEqual([{ id: item.id, note: 'For Anna' }]);
});

test('details show several recipients, data, allowance and block', async () => {
  await open(undefined, {
    'activity/read': () => ({
      ...details,
      height: 812_345,
      item: { ...item, status: 'COMPLETED' },
      outputs: [output, { ...output, type: 'PAYMAIL', to: 'bob@pay.example', satoshis: '300', amount: '0.05' }],
      data: { text: 'grüße \u202Etxet', hex: '', bytes: 7 },
      decided: 'allowance',
      debit: { amount: '0.11', currency: 'USD' },
      report: 'waiting',
      buttonId: 'article-7',
      buttonData: '{"n":1}',
    }),
  });
  const shown = await openRow();
  for (const fact of [
    'bob@pay.examplePaymail · $0.05 (300 satoshis)',
    'grüße ⟨U+202E⟩txet',
    '7 bytes',
    'From the site’s allowance ($0.11 of it)',
    '812,345',
    'Only the recipient can refund it',
    'Not recorded yet',
    'article-7',
    '{"n":1}',
  ])
    expect(shown).toContain(fact);
});

const fromChain = { ...item, isFromChain: true, origin: null, amount: null, currency: null };

test('a payment restored from the chain notes that its site and its value at the time are unknown', async () => {
  await open(() => page([fromChain]), {
    'activity/read': () => ({
      ...details,
      item: fromChain,
      outputs: [{ ...output, currency: 'BSV', amount: '0.002' }],
    }),
  });
  const shown = await openRow();
  for (const fact of [
    `To${ADDRESS}`,
    'SiteUnknown: paid with these recovery words outside this browser',
    'Worth thenUnknown',
    '(12 satoshis)',
  ])
    expect(shown).toContain(fact);
  expect(shown).not.toContain('Copy payment ID');
});

test('received money shows its value then and its value today', async () => {
  const received = {
    ...item,
    direction: 'received' as const,
    origin: null,
    amount: null,
    currency: null,
    priceThen: { currency: 'EUR', price: '40' },
  };
  await open(() => page([received]), { 'activity/read': () => ({ ...details, item: received, outputs: [] }) });
  expect(await openRow()).toContain('Worth then€0.08');
});

test('a payment in BSV shows its value then', async () => {
  const paid = { ...item, amount: '0.002', currency: 'BSV', priceThen: { currency: 'EUR', price: '40' } };
  await open(() => page([paid]), { 'activity/read': () => ({ ...details, item: paid, outputs: [] }) });
  expect(await openRow()).toContain('Worth then€0.08');
});

test('data from the service about a restored payment is attributed to it', async () => {
  const worthThen = { amount: '0.11', currency: 'USD' };
  const known = { ...fromChain, isFromService: true, origin: 'https://shop.example', label: 'A book', worthThen };
  await open(() => page([known]), {
    'activity/read': () => ({ ...details, item: known, label: 'A book', decided: null, report: null }),
  });
  const shown = await openRow();
  for (const fact of [
    'Sitehttps://shop.example',
    'SourceFrom your service’s records. The amounts are from the transaction itself.',
    'Worth then$0.11 (your service’s rate)',
  ])
    expect(shown).toContain(fact);
});

test('details show the number of recipients if not all are stored', async () => {
  const many = { ...fromChain, recipientCount: 1002 };
  const outputs = [output, output];
  await open(() => page([many]), { 'activity/read': () => ({ ...details, item: many, outputs }) });
  expect(await openRow()).toContain('and 1,000 more');
});

test('a restored row shows no time before its block is known', async () => {
  const found = { ...fromChain, isTimeUnknown: true };
  await open(() => page([found]), { 'activity/read': () => ({ ...details, item: found }) });
  expect(document.querySelector('.activity time')).toBeNull();
  expect(await openRow()).toContain('WhenUnknown');
});

test('an unknown amount is not shown', async () => {
  const unread = {
    ...fromChain,
    isFromChain: false,
    direction: 'received' as const,
    isUnverified: true,
    feeSatoshis: null,
  };
  await open(() => page([unread]), { 'activity/read': () => ({ ...details, item: unread, outputs: [] }) });
  expect(document.querySelector('.activity-amount')?.textContent).toBe('Unknown');
  expect(document.querySelector('.list-title')?.textContent).toBe('Not verified yet');
  const shown = await openRow();
  expect(shown).toContain('couldn’t be read yet');
  expect(shown).not.toContain('Worth');
});

test.each([
  ['swipe', { amount: '0.11', currency: 'USD' }, 'By a swipe, from your limit ($0.11 of it)'],
  ['swipe', null, 'By a swipe, from your limit'],
  ['by-hand', null, 'By you'],
] as const)('details of a payment decided %s, which took %j, show “%s”', async (decided, debit, sentence) => {
  await open(undefined, { 'activity/read': () => ({ ...details, decided, debit }) });
  expect(await openRow()).toContain(`Approved${sentence}`);
});

test.each([
  ['waiting', 'Not recorded yet'],
  ['done', 'Recorded'],
  ['refused', 'The service didn’t accept it'],
  ['given-up', 'Your wallet tried for 30 days'],
] as const)('details show the state of the report to the button’s service: %s', async (state, says) => {
  await open(undefined, {
    'activity/read': () => ({ ...details, report: null, serviceReport: { host: 'shop.example', state } }),
  });
  expect(await openRow()).toContain(`shop.example: ${says}`);
});

const received: ActivityItem = {
  ...item,
  id: 'r1',
  direction: 'received',
  origin: null,
  counterparty: ADDRESS,
  amount: null,
  currency: null,
  feeSatoshis: null,
};

test('money received by paymail shows the payer, whether their host confirms it, and the note, as plain text', async () => {
  const gift: ActivityItem = {
    ...received,
    sender: { paymail: 'bob@two.example', verified: true },
    note: '<b>lunch</b> \u202Etxet\nand more',
  };
  await open(() => page([gift]), {
    'activity/read': () => ({ ...details, item: gift, outputs: [], report: null, decided: null }),
  });
  expect(rows()[0]?.querySelector('[data-part=note]')?.textContent).toBe('<b>lunch</b> ⟨U+202E⟩txet and more');
  const shown = await openRow();
  expect(document.querySelector('[data-part=sender]')?.textContent).toBe(
    'bob@two.exampleConfirmed by two.example.Save contact',
  );
  expect(shown).toContain('<b>lunch</b> ⟨U+202E⟩txet\nand more');
});

test('a sender whose host does not confirm it is never shown as verified, and a look-alike name is marked', async () => {
  const gift: ActivityItem = {
    ...received,
    sender: { paymail: 'b\u043Eb@two.example', verified: false },
    note: 'x'.repeat(20_000),
  };
  await open(() => page([gift]), {
    'activity/read': () => ({ ...details, item: gift, outputs: [], report: null, decided: null }),
  });
  await openRow();
  const sender = document.querySelector<HTMLElement>('[data-part=sender]');
  expect(sender?.textContent).toContain('Not verified.');
  expect(sender?.textContent).not.toContain('confirms it.b');
  expect(sender?.querySelector('[data-kind=mixed]')).not.toBeNull();
  expect(document.querySelector('.activity-data')?.textContent?.length).toBeLessThan(5100);
  expect(rows()[0]?.querySelector('[data-part=note]')?.textContent).toHaveLength(100);
});

test('the site’s label is in the row and in the details, in quotation marks', async () => {
  const label = 'Read on. ”Trusted”\u202E';
  await open(() => page([{ ...item, label: `${label}${'x'.repeat(190)}` }]), {
    'activity/read': () => ({ ...details, label }),
  });
  const said = '“\u2068Read on. ’Trusted’⟨U+202E⟩';
  expect(rows()[0]?.querySelector('[data-part=label]')?.textContent).toBe(`${said}${'x'.repeat(81)}\u2069”`);
  expect(await openRow()).toContain(`The site says${said}\u2069”`);
});

test.each([
  ['waiting', 'two.example hasn’t accepted it yet. Your wallet will keep trying.'],
  ['done', 'two.example has it.'],
  ['given-up', 'two.example didn’t accept it, and your wallet has stopped trying.'],
] as const)('details show whether a recipient’s host has accepted the payment: %s', async (state, said) => {
  await open(undefined, {
    'activity/read': () => ({ ...details, deliveries: [{ paymail: 'bob@two.example', host: 'two.example', state }] }),
  });
  expect(await openRow()).toContain(`Delivered to${said}`);
});

test('[S-03] [S-04] [S-05] [S-06] operations with a payment are described in words, without ciphertext', async () => {
  const operation = {
    name: 'a',
    data: null,
    dataEncoding: null,
    value: null,
    valueEncoding: null,
    key: null,
    algorithm: null,
    publicKey: null,
    paymail: null,
    signature: null,
    verified: null,
  } as const;
  await open(undefined, {
    'activity/read': () => ({
      ...details,
      operations: [
        {
          ...operation,
          id: '1',
          method: 'sign',
          data: 'I agree',
          dataEncoding: 'utf8',
          value: 'SIGNATURE',
          valueEncoding: 'base64',
          publicKey: '02aa',
        },
        { ...operation, id: '2', method: 'encrypt', value: 'ffee', valueEncoding: 'hex', paymail: 'bob@two.example' },
        { ...operation, id: '3', method: 'encrypt', value: 'ffee', valueEncoding: 'hex', publicKey: '02cc' },
        { ...operation, id: '4', method: 'decrypt', value: 'my secret', valueEncoding: 'utf8' },
        {
          ...operation,
          id: '5',
          method: 'verify',
          data: 'hello',
          dataEncoding: 'utf8',
          value: '00',
          valueEncoding: 'hex',
          verified: false,
          paymail: 'bob@two.example',
        },
        { ...operation, id: '6', method: 'public-key', value: '02bb', valueEncoding: 'hex' },
      ],
    }),
  });
  await openRow();
  expect([...document.querySelectorAll('[data-operation]')].map((one) => one.textContent)).toEqual([
    'Your signature onI agree',
    'Encrypted data that bob@two.example can read',
    'Encrypted data for the owner of this public key02cc',
    'What your key decryptedmy secret',
    'Signature check: not valid, forhello',
    'Your public key02bb',
  ]);
});

test.each(['refused', 'contested', 'unseen', 'slow', 'replaced', 'cancelling'] as const)(
  'a payment that is %s has a separate text in its row and in its details',
  async (trouble) => {
    const held: ActivityItem = { ...item, status: 'PENDING', trouble };
    await open(() => page([held]), { 'activity/read': () => ({ ...details, item: held }) });
    expect(document.querySelector(`[data-trouble=${trouble}]`)?.textContent).toBe(activityTexts.badges[trouble]);
    const shown = await openRow();
    expect(shown).toContain(activityTexts.troubles[trouble]);
    expect(shown).not.toContain('on its way to the network');
    expect(button('cancel-payment')).toBeNull();
  },
);

test('a payment that the network rejects is canceled by two clicks, the second after its fee was shown', async () => {
  const held: ActivityItem = { ...item, status: 'PENDING', trouble: 'refused' };
  let cancelled = false;
  const wallet = await open(() => page([held]), {
    'activity/read': () =>
      cancelled
        ? { ...details, item: { ...held, trouble: 'cancelling' } }
        : { ...details, item: held, cancelFee: '42' },
    'activity/cancel': () => {
      cancelled = true;
      return null;
    },
  });
  await openRow();
  fireEvent.click(button('cancel-payment') as HTMLElement);
  expect(document.querySelector('.activity-cancel')?.textContent).toContain('42');
  expect(wallet.asked('activity/cancel')).toEqual([]);
  fireEvent.click(button('cancel-no') as HTMLElement);
  expect(button('cancel-yes')).toBeNull();
  fireEvent.click(button('cancel-payment') as HTMLElement);
  fireEvent.click(button('cancel-yes') as HTMLElement);
  await waitFor(() => expect(rows()[0]?.textContent).toContain(activityTexts.troubles.cancelling));
  expect(wallet.asked('activity/cancel')).toEqual([{ id: 'p1', feeSatoshis: '42' }]);
  expect(button('cancel-payment')).toBeNull();
});

test('received and confirmed money is called irreversible', async () => {
  const received: ActivityItem = { ...item, direction: 'received', status: 'COMPLETED' };
  await open(() => page([received]), { 'activity/read': () => ({ ...details, item: received }) });
  const shown = await openRow();
  expect(shown).toContain(activityTexts.meaning.confirmed);
  expect(shown).not.toContain('refund');
});

test('a payment that spends only its site’s money is ended by one click', async () => {
  const held: ActivityItem = { ...item, status: 'PENDING', trouble: 'refused' };
  const ended: ActivityItem = { ...held, status: 'FAILED', trouble: null, statusCode: 'action-ended' };
  let isEnded = false;
  const wallet = await open(() => page([held]), {
    'activity/read': () => ({
      ...details,
      ...(isEnded ? { item: ended } : { item: held, canEnd: true, brought: '5000' }),
    }),
    'activity/end': () => {
      isEnded = true;
      return null;
    },
  });
  const shown = await openRow();
  expect(shown).toContain(activityTexts.theirs);
  expect(shown).not.toContain(activityTexts.troubles.refused);
  expect(button('cancel-payment')).toBeNull();
  fireEvent.click(button('end-payment') as HTMLElement);
  await waitFor(() => expect(button('end-payment')).toBeNull());
  expect(wallet.asked('activity/end')).toEqual([{ id: 'p1' }]);
});

test('a payment that spends only missing money can be ended, and isn’t described as its site’s money', async () => {
  const lost: ActivityItem = { ...item, status: 'RECEIVED', trouble: 'unseen' };
  await open(() => page([lost]), {
    'activity/read': () => ({ ...details, item: lost, cancelFee: null, canEnd: true }),
  });
  const shown = await openRow();
  expect(shown).toContain(activityTexts.troubles.unseen);
  expect(shown).not.toContain(activityTexts.theirs);
  expect(button('end-payment')).not.toBeNull();
});

test('a payment lost after its confirmation is not called rejected', async () => {
  const lost: ActivityItem = {
    ...item,
    status: 'FAILED',
    statusCode: 'payment-lost',
    statusDescription: ERRORS['payment-lost'].message,
  };
  await open(() => page([lost]), { 'activity/read': () => ({ ...details, item: lost }) });
  const shown = await openRow();
  expect(shown).toContain(activityTexts.meaning.lost);
  expect(shown).toContain(ERRORS['payment-lost'].message);
  expect(shown).not.toContain('no money has moved');
});

test('a failed payment shows why, and that no money has moved', async () => {
  const failed: ActivityItem = { ...item, status: 'FAILED', statusDescription: ERRORS['network-rejected'].message };
  await open(() => page([failed]), { 'activity/read': () => ({ ...details, item: failed }) });
  const shown = await openRow();
  expect(shown).toContain('Nothing was paid, and no money has moved');
  expect(shown).toContain(ERRORS['network-rejected'].message);
});

test.each([
  ['refused', 'Refused', '−'],
  ['approval-closed', 'Not paid', '−'],
  ['network-rejected', 'Failed', ''],
] as const)('a request that ended with "%s" is called "%s"', async (statusCode, word, hidden) => {
  const ended: ActivityItem = {
    ...item,
    amount: '5000',
    txid: null,
    feeSatoshis: null,
    status: 'FAILED',
    statusCode,
    statusDescription: ERRORS[statusCode].message,
  };
  await open(() => page([ended]), { 'activity/read': () => ({ ...details, item: ended }) });
  const row = rows()[0] as HTMLElement;
  expect(row.querySelector('.badge')?.textContent).toBe(word);
  const isCalm = hidden !== '';
  expect(row.querySelector('.badge')?.classList.contains('badge-danger')).toBe(!isCalm);
  expect(row.querySelector('.activity-sign')?.classList.contains('activity-failed')).toBe(!isCalm);
  // No money moved, so the amount is only in the details.
  expect(row.textContent?.includes('5,000')).toBe(!isCalm);
  const shown = await openRow();
  expect(shown).toContain(`${word}. Nothing was paid`);
  expect(shown).toContain('$5,000.00');
});

test('received money that failed shows why, and that it is not in the balance', async () => {
  const gone: ActivityItem = {
    ...item,
    direction: 'received',
    status: 'FAILED',
    failure: 'double-spent',
    statusDescription: 'in English',
  };
  await open(() => page([gone]), { 'activity/read': () => ({ ...details, item: gone }) });
  const shown = await openRow();
  expect(shown).toContain('It never arrived, so it isn’t in your balance.');
  expect(shown).toContain('The sender spent this money elsewhere');
  expect(shown).not.toContain('in English');
});

test.each([
  ['mainnet', 'https://whatsonchain.com/tx/'],
  ['testnet', 'https://test.whatsonchain.com/tx/'],
] as const)('a plain link leads to the public index on %s', async (network, url) => {
  await open(undefined, { 'wallet/overview': () => ({ ...overview, network }) });
  await openRow();
  const link = screen.getByRole<HTMLAnchorElement>('link');
  expect(link.href).toBe(url + item.txid);
  expect(link.rel).toBe('noopener noreferrer');
  expect(link.target).toBe('_blank');
});

test('no link is shown on devnet', async () => {
  await open();
  await openRow();
  expect(screen.queryByRole('link')).toBeNull();
});

test('an error is shown if details cannot be read', async () => {
  await open(undefined, {
    'activity/read': () => {
      throw new Refusal('not-found');
    },
  });
  fireEvent.click(rows()[0] as HTMLElement);
  (rows()[0] as HTMLDetailsElement).open = true;
  fireEvent(rows()[0] as HTMLElement, new Event('toggle'));
  await screen.findByText(ERRORS['not-found'].message);
});

test('the next page is appended, and new rows keep the older pages', async () => {
  const at = (n: number): ActivityItem => ({ ...item, id: `p${n}`, time: 1_790_000_000_000 + n });
  let newest = at(9);
  await open(({ before }) => (before === undefined ? page([newest, at(8)], `${at(8).time}/p8`) : page([at(7)])));
  button('more')?.click();
  await waitFor(() => expect(rows().map((row) => row.dataset.id)).toEqual(['p9', 'p8', 'p7']));
  newest = { ...at(9), status: 'COMPLETED' };
  await act(() => store?.read());
  expect(rows().map((row) => row.dataset.id)).toEqual(['p9', 'p8', 'p7']);
  expect(rows()[0]?.textContent).toContain('Confirmed');
  expect(button('more')).toBeNull();
});

test('a search uses the typed and selected values, shows the number of results, and Escape clears it', async () => {
  const wallet = await open((asked) =>
    page(asked.search === undefined ? [item] : [{ ...item, id: 'p2', origin: 'https://found.example' }]),
  );
  const opener = screen.getByRole('button', { name: 'Search' });
  fireEvent.click(opener);
  expect(document.activeElement).toBe(screen.getByRole('searchbox'));
  expect(names()).toEqual(['shop.example']);
  fireEvent.change(screen.getByLabelText('Direction'), { target: { value: 'sent' } });
  fireEvent.change(screen.getByLabelText('State'), { target: { value: 'COMPLETED' } });
  fireEvent.input(screen.getByLabelText('From'), { target: { value: '2026-11-01' } });
  fireEvent.input(screen.getByLabelText('To'), { target: { value: '2026-11-02' } });
  await searchFor(' found ');
  expect(wallet.asked('activity/list').at(-1)).toEqual({
    search: 'found',
    direction: 'sent',
    status: 'COMPLETED',
    from: new Date(2026, 10, 1).getTime(),
    to: new Date(2026, 10, 3).getTime(),
    limit: 20,
  });
  await waitFor(() => expect(names()).toEqual(['found.example']));
  expect(
    within(document.querySelector('section[aria-labelledby=activity]') as HTMLElement).getAllByRole('status')[0]
      ?.textContent,
  ).toBe('1 found');
  fireEvent.keyDown(screen.getByRole('searchbox'), { key: 'Escape' });
  expect(document.querySelector('search')).toBeNull();
  expect(names()).toEqual(['shop.example']);
  expect(document.activeElement).toBe(opener);
});

test('an opened search scrolls to the top so that its results are visible', async () => {
  const scrolled: Element[] = [];
  const scroll = vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function (this: Element) {
    scrolled.push(this);
  });
  await open();
  expect(scrolled).toEqual([]);
  fireEvent.click(screen.getByRole('button', { name: 'Search' }));
  expect(scrolled).toEqual([screen.getByRole('region', { name: 'Activity' })]);
  expect(scrolled[0]?.contains(document.querySelector('search'))).toBe(true);
  scroll.mockRestore();
});

test('typing starts a search', async () => {
  await open((asked) => page(asked.search === 'abc' ? [] : [item]));
  fireEvent.click(screen.getByRole('button', { name: 'Search' }));
  fireEvent.input(screen.getByRole('searchbox'), { target: { value: 'abc' } });
  await screen.findByText('Nothing in your activity matches your search.');
  fireEvent.click(screen.getByText('Clear search'));
  expect(names()).toEqual(['shop.example']);
});

test('a long search continues, shows how far back it has searched, and can be stopped and resumed', async () => {
  const { asked, ask, answer } = waiting<ActivityPage<ActivityItem>>();
  const wallet = await open(({ search }) => (search === undefined ? page([item]) : ask()));
  const lastAsked = () => wallet.asked('activity/list').at(-1);
  const day = (n: number) => new Date(2026, 2, n).getTime();
  await searchFor('rare');
  await answer(page([], '30/x', day(3)));
  await screen.findByText('Searched back to Mar 3, 2026 …');
  await waitFor(() => expect(lastAsked()).toEqual({ search: 'rare', before: '30/x', limit: 20 }));
  fireEvent.click(button('stop') as HTMLElement);
  await answer(page([{ ...item, id: 'p5' }], '20/x', day(2)));
  await screen.findByText('1 found so far');
  fireEvent.click(await screen.findByText('Search further back'));
  await waitFor(() => expect(lastAsked()).toEqual({ search: 'rare', before: '20/x', limit: 20 }));
  await answer(page([{ ...item, id: 'p6' }]));
  await screen.findByText('2 found');
  expect(button('more')).toBeNull();
  expect(asked).toEqual([]);
});

test('a response to an older search is not shown', async () => {
  const old = waiting<ActivityPage<ActivityItem>>();
  await open(({ search }) =>
    search === 'old'
      ? old.ask()
      : page(search === 'new' ? [{ ...item, id: 'p2', origin: 'https://new.example' }] : [item]),
  );
  await searchFor('old');
  await searchFor('new');
  await old.answer(page([{ ...item, id: 'p3', origin: 'https://old.example' }]));
  await act(async () => {});
  expect(names()).toEqual(['new.example']);
});

test('a failed search shows that and can be repeated', async () => {
  let broken = true;
  await open((asked) => {
    if (asked.search !== undefined && broken) throw new Refusal('internal');
    return page([item]);
  });
  await searchFor('x');
  await screen.findByText(ERRORS.internal.message);
  broken = false;
  fireEvent.click(screen.getByText('Try again'));
  await waitFor(() => expect(names()).toEqual(['shop.example']));
});

const exported: ExportedActivity = {
  ...item,
  recipients: [{ to: ADDRESS, satoshis: '200000' }],
  height: null,
  buttonId: '=1+1',
  time: Date.UTC(2026, 0, 2),
};

test('an export saves all pages of the search, byte for byte', async () => {
  const clicked = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
  const made = vi.spyOn(URL, 'createObjectURL');
  const wallet = await open(undefined, {
    'activity/export': ({ before }) =>
      before === undefined
        ? { ...page([], '5/p5', 1), items: [exported] }
        : { ...page([]), items: [{ ...exported, id: 'p2' }] },
  });
  await searchFor('shop');
  fireEvent.click(screen.getByRole('button', { name: 'Export' }));
  expect(wallet.asked('activity/export')).toEqual([]);
  fireEvent.click(button('save') as HTMLElement);
  await screen.findByText(/Your file with 2 rows is ready/);
  expect(wallet.asked('activity/export')).toEqual([{ search: 'shop' }, { search: 'shop', before: '5/p5' }]);
  const [blob] = made.mock.lastCall as [Blob];
  const bytes = new Uint8Array(await blob.arrayBuffer());
  const line = (id: string) =>
    `2026-01-02T00:00:00.000Z,sent,RECEIVED,https://shop.example,${ADDRESS},0.10,USD,200000,12,${item.txid},,${id},'=1+1,,,,,0.10,USD,,asked,0.002,payment,,,,,\r\n`;
  const expected = `time,direction,status,site,recipients,amount,currency,satoshis,fee satoshis,txid,block height,payment id,button id,sender,sender verified,note,label,value then,value currency,price then,value source,bsv,kind,refund of,asset id,asset amount,asset symbol,asset source\r\n${line('p1')}${line('p2')}`;
  expect([...bytes]).toEqual([0xef, 0xbb, 0xbf, ...new TextEncoder().encode(expected)]);
  expect(clicked).toHaveBeenCalledTimes(1);
  expect(screen.getByRole<HTMLAnchorElement>('link').download).toMatch(
    /^service-button-activity-\d{4}-\d\d-\d\d\.csv$/,
  );
});

test('an export shows its progress, and closing it ends it', async () => {
  const made = vi.spyOn(URL, 'createObjectURL').mockClear();
  const { asked, ask, answer } = waiting<ActivityPage<ExportedActivity>>();
  const wallet = await open(undefined, { 'activity/export': ask });
  fireEvent.click(screen.getByRole('button', { name: 'Export' }));
  fireEvent.click(button('save') as HTMLElement);
  await answer({ ...page([], '5/p5'), items: [exported, exported] });
  await screen.findByText('2 rows so far, back to Jan 2, 2026');
  fireEvent.click(screen.getByText('Cancel'));
  await answer({ ...page([], '4/p5'), items: [exported] });
  await act(async () => {});
  expect(asked).toEqual([]);
  expect(wallet.asked('activity/export')).toHaveLength(2);
  expect(made).not.toHaveBeenCalled();
  expect(document.querySelector('.activity-export')).toBeNull();
});

test('a failed export shows that and stays open', async () => {
  await open(undefined, {
    'activity/export': () => {
      throw new Refusal('internal');
    },
  });
  fireEvent.click(screen.getByRole('button', { name: 'Export' }));
  fireEvent.click(button('save') as HTMLElement);
  await screen.findByText(ERRORS.internal.message);
  expect(button('save')).not.toBeNull();
});

test('a locked wallet shows no search data', async () => {
  let locked = false;
  await open(() => page([item]), { 'vault/status': () => ({ exists: true, locked, lockAt: null }) });
  await searchFor('shop');
  locked = true;
  await act(() => store?.read());
  expect(store?.found.value).toBeNull();
  expect(store?.activity.value).toBeNull();
});
