import { cleanup, render } from '@testing-library/preact';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { SCRIPT_KINDS, type ScriptView, type ShownOutput } from '../../../protocol/messages/wallet-messages.ts';
import { approval } from '../../ui/window/fake-wallet.ts';
import { Recipients } from './recipients.tsx';

vi.mock('webextension-polyfill', () => ({
  default: { runtime: { sendMessage: async () => ({ result: { picture: null } }) } },
}));

afterEach(cleanup);

const address = approval.outputs[0] as ShownOutput;
const script: ScriptView = {
  kind: 'unreadable',
  address: null,
  own: false,
  keys: [],
  needed: 0,
  data: [],
  bytes: 3,
  hex: '51ac75',
  asm: 'OP_1 OP_CHECKSIG OP_DROP',
};
const withScript = (view: Partial<ScriptView>, output: Partial<ShownOutput> = {}): ShownOutput => ({
  ...address,
  type: 'SCRIPT',
  address: null,
  to: 'OP_AS THE PAGE WROTE IT',
  script: 'x',
  scripts: [{ ...script, ...view }],
  ...output,
});

function show(...outputs: ShownOutput[]) {
  const satoshis = outputs.reduce((sum, one) => sum + BigInt(one.satoshis), 0n);
  render(<Recipients outputs={outputs} satoshis={satoshis} rate={approval.rate} />);
}
const text = () => document.body.textContent ?? '';
const all = (css: string) => [...document.querySelectorAll(css)];

test('the name of a contact is next to the whole recipient, with hidden characters shown', () => {
  show({ ...address, contact: { name: 'Ada\u202Eyrc' } });
  expect(all('[data-part=contact]').map((one) => one.textContent)).toEqual(['Your contact: Ada⟨U+202E⟩yrc']);
  expect(text()).toContain(address.to);
});

describe('a script', () => {
  test.each<[ScriptView['kind'], string, string]>([
    ['anyone', 'danger', 'Anyone can take this money.'],
    ['nobody', 'danger', 'Nobody can ever take this money. It would be lost.'],
    ['puzzle', 'danger', 'doesn’t need a signature'],
    ['retired', 'danger', 'no longer accepts payments of this kind'],
    [
      'unreadable',
      'warning',
      'Your wallet can’t read this script. Whoever wrote it decides who can take the money; maybe nobody can.',
    ],
  ])('a script of type %s is shown as %s, expanded, in words and in hexadecimal', (kind, tone, said) => {
    show(withScript({ kind }));
    expect(document.querySelector(`.banner-${tone}`)?.textContent).toContain(said);
    expect(document.querySelector('details')?.open).toBe(true);
    expect(all('details pre').map((one) => one.textContent)).toEqual(['OP_1 OP_CHECKSIG OP_DROP', '51ac75']);
    expect(text()).toContain('3 bytes');
    expect(text()).not.toContain('AS THE PAGE WROTE IT');
  });

  test.each<[Partial<ScriptView>, string[]]>([
    [{ kind: 'address', address: 'mzAddress' }, ['Only the owner of this address', 'mzAddress']],
    [{ kind: 'key', keys: ['02ab'], needed: 1 }, ['Only the owner of this public key', '02ab']],
    [
      { kind: 'keys', keys: ['02ab', '03cd', '02ef'], needed: 2 },
      ['Any 2 of the 3 owners of these public keys', '02ab', '03cd', '02ef'],
    ],
    [{ kind: 'keys', keys: ['02ab', '03cd'], needed: 2 }, ['Only the owners of these 2 public keys, together']],
  ])('a script with a known owner shows that, collapsed: %j', (view, said) => {
    show(withScript(view));
    for (const one of said) expect(text()).toContain(one);
    expect(all('.banner, .warn')).toEqual([]);
    expect(document.querySelector('details')?.open).toBe(false);
  });

  test('a script that writes data and gets no money shows that, collapsed', () => {
    show(
      withScript(
        { kind: 'nobody', data: [{ text: 'hello', hex: '68656c6c6f', bytes: 5 }] },
        { amount: '0', satoshis: '0' },
      ),
    );
    expect(document.querySelector('[data-script] p')?.textContent).toBe('This pays no one. It only writes data.');
    expect(text()).toContain('hello');
    expect(all('.banner, .warn')).toEqual([]);
    expect(document.querySelector('details')?.open).toBe(false);
  });

  test('every type of script has a separate text', () => {
    const said = SCRIPT_KINDS.map((kind) => {
      show(withScript({ kind, keys: kind === 'keys' ? ['02', '03'] : [], needed: 1 }));
      const shown = document.querySelector('[data-script] p')?.textContent;
      cleanup();
      return shown;
    });
    expect(new Set(said).size).toBe(SCRIPT_KINDS.length);
  });

  test('a script’s data is shown as text or hexadecimal, with hidden characters and cuts marked', () => {
    show(
      withScript({
        kind: 'address',
        address: 'mzAddress',
        data: [
          { text: 'hi \u202E', hex: '6869', bytes: 6 },
          { text: null, hex: 'ff00', bytes: 9 },
        ],
      }),
    );
    expect(all('.chain-data').map((one) => one.textContent)).toEqual([
      'hi ⟨U+202E⟩',
      'ff00 … The rest is too long to show.',
    ]);
    expect(text()).toContain('public forever');
  });

  test('a script with the user’s own key that the wallet would not find again is marked', () => {
    show(withScript({ kind: 'key', keys: ['02ab'], address: 'mzAddress', own: true }));
    expect(text()).toContain('this wallet doesn’t look for money in scripts like this');
    expect(document.querySelector('[data-part=own]')).toBeNull();
  });

  test('a script that a paymail’s host issued instead of an address is shown as a script', () => {
    show(withScript({ kind: 'anyone' }, { type: 'PAYMAIL', to: 'ada@example.com', paymail: 'ada@example.com' }));
    for (const one of ['ada@example.com', 'paid with a custom script', 'Anyone can take this money.'])
      expect(text()).toContain(one);
  });
});

test('the user’s own address is marked', () => {
  show({ ...address, own: true }, address);
  expect(all('[data-part=own]').map((one) => one.closest('li'))).toEqual([document.querySelector('li')]);
  expect(text()).toContain('Your own address');
});

test('an amount in coins is also shown in the user’s currency', () => {
  show({ ...address, amount: '0.002', currency: 'BSV' });
  for (const one of ['0.002 BSV', '200,000 satoshis', '$0.10']) expect(text()).toContain(one);
});

test('a hundred recipients are in a box that scrolls by keyboard, with number, sum and a note about suspicious ones', () => {
  show(...Array.from({ length: 99 }, (_, i) => ({ ...address, to: `address-${i}` })), withScript({ kind: 'anyone' }));
  const box = document.querySelector<HTMLElement>('ul.recipients-many');
  expect(box?.tabIndex).toBe(0);
  expect(box?.children).toHaveLength(100);
  expect(box?.children[98]?.textContent).toMatch(/^99\. .*address-98/);
  expect(text()).toContain('To 100 recipients');
  expect(document.querySelector('[data-part=recipients-sum]')?.textContent).toContain('$10.00 (20,000,000 satoshis)');
  expect(document.querySelector('[data-part=odd]')?.className).toContain('banner-danger');
  expect(document.querySelector('[data-part=odd]')?.textContent).toContain('Check number 100 carefully.');
});

test('a short list of recipients has no box', () => {
  show(address, address, address, address);
  expect(document.querySelector('.recipients-many')).toBeNull();
});

describe('a paymail or user ID', () => {
  const host = { paymail: 'bob@two.example', host: 'pay.two.example', name: 'Bob', known: true, keyChangedSince: null };
  const bob: ShownOutput = {
    ...address,
    type: 'PAYMAIL',
    to: 'bob@two.example',
    paymail: 'bob@two.example',
    address: null,
    host,
  };

  test('[R-01] [R-02] a paymail or user ID shows its paymail in full with the name and the host that responded', () => {
    show(bob);
    for (const said of ['Paymail', 'bob@two.example', 'Name (unverified)Bob', 'Hostpay.two.example'])
      expect(text()).toContain(said);
    cleanup();
    show({ ...bob, type: 'USER', to: '75101', userId: '75101', paymail: null, host: { ...host, known: false } });
    for (const said of ['75101', 'bob@two.example', 'You haven’t paid this recipient before.'])
      expect(text()).toContain(said);
  });

  test('the note about suspicious recipients names one whose key changed or whose name looks like another', () => {
    show(
      bob,
      address,
      { ...bob, host: { ...host, keyChangedSince: 1_790_000_000_000 } },
      { ...bob, to: 'bоb@two.example', host: { ...host, paymail: 'bоb@two.example' } },
      bob,
    );
    expect(document.querySelector('[data-part=odd]')?.textContent).toBe('Check 2 of them carefully: 3, 4');
    expect(document.querySelector('[data-part=odd]')?.className).toContain('banner-warning');
    expect(text()).toContain('key is different from the one your wallet has known');
    expect(text()).toContain('b<U+043E>b@two.example');
  });
});

describe('a recipient that the user doesn’t know', () => {
  test('an unobtrusive line notes the first payment to an address', () => {
    show({ ...address, firstPayment: 'ever' });
    expect(document.querySelector('[data-part=first-payment]')?.textContent).toBe('First payment to this address.');
    expect(all('.banner')).toEqual([]);
  });

  test('the note about a first payment is missing if the history is too long to search', () => {
    show({ ...address, firstPayment: 'lately' });
    expect(text()).toContain('You haven’t paid this address lately.');
    expect(text()).not.toContain('First payment');
  });

  test('an address that was paid before has no note', () => {
    show(address);
    expect(all('[data-part=first-payment], [data-part=resembles]')).toEqual([]);
  });

  test('an address that looks like a known one has a warning, with the difference marked in both', () => {
    const [compared, to] = ['mzJ2aaaaaaaaaaaaaaaaaaaaaaaaaa8UuWQ', 'mzJ2bbbbbbbbbbbbbbbbbbbbbbbbbb8UuWQ'];
    show({ ...address, to: compared, resembles: { compared, to, as: 'paid' } });
    const warning = document.querySelector('.banner-warning[data-part=resembles]');
    expect(warning?.textContent).toContain('This isn’t the recipient you’ve paid before. It only looks like it.');
    expect(all('[data-part=resembles] bdi').map((one) => one.textContent)).toEqual([compared, to]);
    expect(all('[data-part=resembles] mark').map((one) => one.textContent)).toEqual(['a'.repeat(26), 'b'.repeat(26)]);
  });

  test('characters that a paymail has in addition to the known one are marked', () => {
    const resembles = { compared: 'ada.l@example.com', to: 'adal@example.com', as: 'contact' as const };
    show({ ...address, type: 'PAYMAIL', to: resembles.compared, resembles });
    expect(all('[data-part=resembles] mark').map((one) => one.textContent)).toEqual(['.', '']);
    expect(text()).toContain('This isn’t your contact.');
  });

  test('the row of a look-alike is named above a long list', () => {
    const resembles = { compared: address.to, to: 'mzJ2bbbb', as: 'own' as const };
    show(address, address, { ...address, resembles }, address, address);
    expect(document.querySelector('[data-part=odd].banner-warning')?.textContent).toContain('3');
  });
});

test('the row of a recipient whose key is no longer available is named above a long list', () => {
  const host = { paymail: 'ada@example.com', host: 'example.com', name: null, known: true, keyChangedSince: null };
  const ada: ShownOutput = {
    ...address,
    type: 'PAYMAIL',
    to: 'ada@example.com',
    host: { ...host, keyUnavailable: true },
  };
  show(address, address, address, ada, address);
  expect(document.querySelector('[data-part=key-unavailable]')).not.toBeNull();
  expect(document.querySelector('[data-part=odd].banner-warning')?.textContent).toContain('4');
});
