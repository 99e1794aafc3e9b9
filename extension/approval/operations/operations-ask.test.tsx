import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/preact';
import { describe, expect, test } from 'vitest';
import { pressKey } from '../../../testing/press-key.ts';
import { ERRORS } from '../../../protocol/errors/service-error.ts';
import type { ApprovalView, OperationsPromptView, ShownOperation } from '../../../protocol/messages/wallet-messages.ts';
import { approval, operationsSample, Refusal, signOperation } from '../../ui/window/fake-wallet.ts';
import { clock, close, id, openApproval, part, text, useApprovalWindow, type Handlers } from '../testing.tsx';

useApprovalWindow();

const open = (view: Partial<OperationsPromptView> | ApprovalView = {}, handlers: Handlers = {}) =>
  openApproval({ ...operationsSample, ...view } as OperationsPromptView, handlers);

const yes = () =>
  document.querySelector<HTMLButtonElement>('[data-action=sign], [data-action=pay]') as HTMLButtonElement;
const shown = (content: string) => ({ text: content, hex: '', bytes: new TextEncoder().encode(content).length });
const operation = (changes: Partial<ShownOperation>): ShownOperation => ({ ...signOperation, data: null, ...changes });
const decrypt = operation({ method: 'decrypt', data: { text: null, hex: 'ff00', bytes: 2 }, value: shown('My diary') });

describe('a site that requests only a signature', () => {
  test('[S-03] shows the site, the identity and all signed data with its size, and sends one approval', async () => {
    const wallet = await open();
    expect(part('origin')?.textContent).toBe('https://shop.example');
    for (const said of [
      'asks you to sign something',
      'No money moves.',
      'You sign asada@localhost',
      'To be signed · 22 bytes',
      'It also learns your public key and your paymail, ada@localhost.',
      'Anyone can use it to prove that you signed',
    ])
      expect(text()).toContain(said);
    expect(document.querySelector('pre')?.textContent).toBe('I have read the terms.');
    expect(document.querySelector('pre')?.tabIndex).toBe(0);
    expect(screen.getByLabelText('Copy this data')).toBeTruthy();
    expect(yes().textContent).toBe('Sign');
    fireEvent.click(yes());
    fireEvent.click(yes());
    await screen.findByText('Done');
    expect(wallet.asked('approval/decide')).toEqual([{ approvalId: id, decision: 'sign' }]);
    expect(document.title).toBe('Confirm a request');
    await waitFor(() => expect(close).toHaveBeenCalledOnce());
  });

  test('shows hidden characters, warns of bytes that are not text, and blocks copying of incomplete data', async () => {
    await open({
      operations: [
        operation({ data: shown('a\u202Eb') }),
        operation({ data: { text: null, hex: 'ff00', bytes: 2 } }),
        operation({ data: { text: 'x'.repeat(5000), hex: '', bytes: 99_000 } }),
      ],
    });
    expect([...document.querySelectorAll('pre')].map((one) => one.textContent?.slice(-13))).toEqual([
      'a⟨U+202E⟩b',
      'ff00',
      'long to show.',
    ]);
    const [hidden, unreadable, cut] = [...document.querySelectorAll('.operation')];
    expect(hidden?.querySelectorAll('[data-part=unreadable], [data-part=cut]')).toHaveLength(0);
    expect(unreadable?.querySelector('[data-part=unreadable]')?.textContent).toContain(
      'you can’t know what you’re signing',
    );
    expect(cut?.querySelector('[data-part=cut]')?.textContent).toContain('only part of what you’re signing');
    expect(cut?.querySelector('button')).toBeNull();
    expect(text()).toContain('99 kB');
  });

  test('the button and Escape reject the request, and the site can be blocked', async () => {
    for (const refuse of [() => fireEvent.click(screen.getByText('Refuse')), () => pressKey('Escape')]) {
      const wallet = await open();
      await waitFor(() => expect(document.activeElement?.tagName).toBe('H1'));
      await refuse();
      await screen.findByText('You refused');
      expect(text()).toContain('This site got nothing. No money has moved.');
      expect(wallet.asked('approval/decide')).toEqual([{ approvalId: id, decision: 'refuse' }]);
      cleanup();
    }
    const wallet = await open({ mayBlock: true });
    fireEvent.click(screen.getByText('Block for an hour'));
    await screen.findByText('Site blocked');
    expect(wallet.asked('approval/decide')).toEqual([{ approvalId: id, decision: 'refuse', blockHours: 1 }]);
  });

  test('an early click is ignored, and a locked wallet is unlocked first', async () => {
    clock.ready = false;
    const wallet = await open({ locked: true }, { 'vault/unlock': () => null });
    expect(yes().textContent).toBe('Unlock and sign');
    expect(yes().disabled).toBe(true);
    fireEvent.input(screen.getByLabelText('Password'), { target: { value: 'right' } });
    fireEvent.click(yes());
    await screen.findByText(ERRORS['too-soon'].message);
    expect(wallet.asked('vault/unlock')).toEqual([]);
    clock.ready = true;
    fireEvent.click(yes());
    await screen.findByText('Done');
    expect(wallet.calls.map(({ method }) => method).filter((method) => method !== 'approval/read')).toEqual([
      'vault/unlock',
      'approval/decide',
    ]);
  });

  test('an impossible request shows why and can only be closed, and one that has ended is shown as ended', async () => {
    await open({ problem: { code: 'operation-failed', message: ERRORS['operation-failed'].message } });
    expect(text()).toContain(ERRORS['operation-failed'].message);
    expect(yes().textContent).toBe('Can’t be done');
    expect(yes().disabled).toBe(true);
    cleanup();
    await open(
      {},
      {
        'approval/decide': () => {
          throw new Refusal('approval-unknown');
        },
      },
    );
    fireEvent.click(yes());
    await screen.findByText('This request has expired');
    expect(text()).toContain('This request is over');
    expect(yes()).toBeNull();
  });
});

describe('the results of a site', () => {
  test('[S-05] plaintext for a site is shown', async () => {
    await open({ operations: [decrypt] });
    expect(text()).toContain('asks to read something encrypted for you');
    expect(text()).toContain('This site will be able to read all of it.');
    expect(document.querySelector('.operation-data pre')?.textContent).toBe('My diary');
    expect(document.querySelector('details summary')?.textContent).toBe('The encrypted data (2 bytes)');
    expect(yes().textContent).toBe('Share text');
  });

  test('results must be seen before they are approved, and unlocking by itself reveals nothing', async () => {
    let locked = true;
    const wallet = await open(
      {},
      {
        'approval/read': () => ({
          ...operationsSample,
          locked,
          operations: [{ ...decrypt, value: locked ? null : decrypt.value }],
        }),
        'vault/unlock': ({ password }) => {
          if (password !== 'right') throw new Refusal('wrong-password');
          locked = false;
          return null;
        },
      },
    );
    expect(part('hidden')?.textContent).toContain('Unlock your wallet to see it');
    expect(yes().textContent).toBe('Unlock to see it first');
    fireEvent.input(screen.getByLabelText('Password'), { target: { value: 'wrong' } });
    fireEvent.click(yes());
    await screen.findByText(ERRORS['wrong-password'].message);
    const before = clock.restarts;
    fireEvent.input(screen.getByLabelText('Password'), { target: { value: 'right' } });
    fireEvent.click(yes());
    await screen.findByText('My diary');
    expect(wallet.asked('approval/decide')).toEqual([]);
    // The first click didn't approve anything. The part that is now visible has received focus and restarted the click
    // guard.
    await waitFor(() => expect(document.activeElement?.tagName).toBe('H1'));
    expect(clock.restarts).toBeGreaterThan(before);
    expect(screen.queryByLabelText('Password')).toBeNull();
    fireEvent.click(yes());
    await screen.findByText('Done');
    expect(wallet.asked('approval/decide')).toEqual([{ approvalId: id, decision: 'sign' }]);
  });

  test.each<[string, Partial<ShownOperation>, string[]]>([
    [
      '[S-04] encrypted for the user',
      { method: 'encrypt', data: shown('hello'), party: { kind: 'self', text: '', host: null, keyChangedSince: null } },
      ['Only you can decrypt it later.', 'hello', 'it already knows it', 'Encrypt'],
    ],
    [
      'encrypted for a key',
      {
        method: 'encrypt',
        data: shown('hello'),
        party: { kind: 'key', text: '03cd', host: null, keyChangedSince: null },
      },
      ['Only the owner of this public key can decrypt it:03cd'],
    ],
    [
      '[S-06] encrypted for a paymail',
      {
        method: 'encrypt',
        data: shown('hello'),
        party: { kind: 'paymail', text: 'bоb@two.example', host: 'pay.two.example', keyChangedSince: null },
      },
      [
        'Only the owner of \u2066bоb@two.example\u2069 can decrypt it. Its public key comes from pay.two.example.',
        'mixes letters from several alphabets: Latin, Cyrillic',
        'b<U+043E>b@two.example',
      ],
    ],
    [
      'a paymail’s signature checked',
      {
        method: 'verify',
        data: shown('hello'),
        value: { text: null, hex: '01', bytes: 1 },
        party: { kind: 'paymail', text: 'bob@two.example', host: null, keyChangedSince: null },
      },
      ['Whether \u2066bob@two.example\u2069 signed this.', 'The signature is valid.'],
    ],
    [
      'a paymail with a different key than before',
      {
        method: 'encrypt',
        data: shown('hello'),
        party: {
          kind: 'paymail',
          text: 'bob@two.example',
          host: 'two.example',
          keyChangedSince: Date.UTC(2026, 0, 15, 12),
        },
      },
      [
        'This paymail’s key is different from the one your wallet has known since',
        '2026',
        'Someone else may control it now.',
      ],
    ],
    [
      'a key’s signature checked',
      {
        method: 'verify',
        data: shown('hello'),
        value: { text: null, hex: '00', bytes: 1 },
        party: { kind: 'key', text: '03cd', host: null, keyChangedSince: null },
      },
      ['owner of this public key:03cd', 'The signature is not valid.'],
    ],
    [
      'the public key',
      { method: 'public-key', value: { text: null, hex: '02ab', bytes: 2 } },
      ['asks for your public key', '02ab', 'sites can use it to recognize you', 'Share'],
    ],
    ['the address', { method: 'address', value: shown('mzAddress') }, ['mzAddress', 'It isn’t for payments.']],
    ['the paymail', { method: 'paymail', value: shown('ada@localhost') }, ['ada@localhost', 'your name for payments']],
  ])('the window describes the results of an operation: %s', async (_, changes, said) => {
    await open({ operations: [operation(changes)] });
    for (const one of said) expect(text()).toContain(one);
    expect(part('on-chain')).toBeNull();
  });

  test('operations of several kinds are numbered, and the button approves them together', async () => {
    await open({ operations: [signOperation, decrypt] });
    expect([...document.querySelectorAll('.operation-head')].map((one) => one.textContent)).toEqual([
      '1. Your signature',
      '2. Decrypted text',
    ]);
    expect(text()).toContain('asks your wallet for several things');
    expect(yes().textContent).toBe('Allow');
  });
});

describe('a payment with operations', () => {
  test('[R-18] operations are shown between recipients and total, with permanent data and the effect of an approval', async () => {
    await open({ ...approval, operations: [{ ...signOperation, onChain: true }] });
    const marks = [
      'mzJ2m4',
      'With the payment, this site gets',
      'I have read the terms.',
      'public forever',
      '200,012 satoshis',
      'Pay $0.10 and sign',
    ].map((mark) => text().indexOf(mark));
    expect(marks).toEqual(marks.toSorted((a, b) => a - b));
    expect(marks).not.toContain(-1);
    expect(part('on-chain')?.className).toContain('banner-warning');
    expect(text()).toContain('Your service keeps this with the payment');
    expect(text()).not.toContain('question marks');
    cleanup();
    await open({ ...approval, locked: true, operations: [{ ...signOperation, onChain: true }] });
    expect(part('on-chain')?.textContent).toContain(
      'Until you unlock your wallet, it’s shown above as question marks.',
    );
  });

  test('operations that make a secret public have the strongest warning', async () => {
    await open({ ...approval, operations: [{ ...decrypt, onChain: true }] });
    expect(part('on-chain')?.className).toContain('banner-danger');
    expect(text()).not.toContain('Your service keeps this');
    expect(yes().textContent).toBe('Pay $0.10 and share text');
  });

  test.each<[ShownOperation[], string]>([
    [[operation({ method: 'verify' }), operation({ method: 'encrypt' })], 'Pay $0.10'],
    [
      [operation({ method: 'paymail', value: shown('ada@localhost') }), operation({ method: 'verify' })],
      'Pay $0.10 and share',
    ],
    [[signOperation, decrypt], 'Pay $0.10 and allow all this'],
  ])('the button names what it approves in addition to the payment: %#', async (operations, label) => {
    await open({ ...approval, operations });
    expect(yes().textContent).toBe(label);
  });

  test('unlocking does not pay for operations that the user must see first', async () => {
    let locked = true;
    const wallet = await open(approval, {
      'approval/read': () => ({
        ...approval,
        locked,
        operations: [{ ...decrypt, value: locked ? null : decrypt.value }],
      }),
      'vault/unlock': () => {
        locked = false;
        return null;
      },
    });
    expect(yes().textContent).toBe('Unlock to see it first');
    fireEvent.input(screen.getByLabelText('Password'), { target: { value: 'right' } });
    fireEvent.click(yes());
    await screen.findByText('My diary');
    expect(wallet.asked('approval/decide')).toEqual([]);
    fireEvent.click(yes());
    await screen.findByText('You approved $0.10');
    expect(wallet.asked('approval/decide')).toEqual([
      { approvalId: id, decision: 'pay', feeSatoshis: approval.feeSatoshis },
    ]);
  });
});

test('shows long data in pieces, to its end, and copies all of it', async () => {
  await open({ operations: [operation({ data: shown(`${'x'.repeat(50_000)}THE END`) })] });
  expect(screen.getByLabelText('Copy this data')).toBeTruthy();
  expect(part('cut')).toBeNull();
  const pieces = () => document.querySelector('pre')?.textContent?.length ?? 0;
  const lengths = [pieces()];
  while (screen.queryByText('Show more')) {
    fireEvent.click(screen.getByText('Show more'));
    await act(async () => {});
    lengths.push(pieces());
  }
  expect(lengths).toEqual([20_002, 40_002, 50_007]);
  expect(document.querySelector('pre')?.textContent).toMatch(/THE END$/);
});
