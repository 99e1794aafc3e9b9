import { cleanup, fireEvent, screen, waitFor } from '@testing-library/preact';
import { expect, test } from 'vitest';
import { pressKey } from '../../../testing/press-key.ts';
import { ERRORS } from '../../../protocol/errors/service-error.ts';
import { PAYMENT_PROTOCOL, type Permission } from '../../../protocol/messages/permission.ts';
import type { PermissionGroupView, UnlockPromptView } from '../../../protocol/messages/wallet-messages.ts';
import { allowance, groupSample, permissionSample, Refusal } from '../../ui/window/fake-wallet.ts';
import { clock, close, id, openApproval, part, text, useApprovalWindow, type Handlers } from '../testing.tsx';

useApprovalWindow();

const KEY = `02${'cd'.repeat(32)}`;
const unlockAsk: UnlockPromptView = {
  kind: 'unlock',
  origin: 'https://app.example',
  locked: true,
  network: 'devnet',
  mayBlock: false,
};
const open = (permission: Permission, publicKey: string | null = null) =>
  openApproval({ ...permissionSample, permission, publicKey });
const openGroup = (view: Partial<PermissionGroupView> = {}, handlers: Handlers = {}) =>
  openApproval({ ...groupSample, ...view }, handlers);
/** Removes the Unicode isolates around quoted text. */
const plain = (words: string | null | undefined = text()) => words?.replaceAll(/[\u2068\u2069]/g, '');
const yes = () => document.querySelector<HTMLButtonElement>('.approval-buttons .button-primary') as HTMLButtonElement;
const boxes = () => [...document.querySelectorAll<HTMLInputElement>('[data-part=wanted]')];

test('the identity key is shown, with the consequences of sharing it', async () => {
  const wallet = await open({ kind: 'identity' }, KEY);
  expect(part('origin')?.textContent).toBe('https://app.example');
  expect(text()).toContain('wants to know your identity key');
  expect(part('key')?.textContent).toBe(KEY);
  expect(part('may')?.textContent).toContain('The key is the same everywhere: sites can recognize you by it.');
  expect(text()).toContain('It can’t make payments with it');
  fireEvent.click(yes());
  fireEvent.click(yes());
  await screen.findByText('Allowed');
  expect(wallet.asked('approval/decide')).toEqual([{ approvalId: id, decision: 'permit' }]);
  await waitFor(() => expect(close).toHaveBeenCalledOnce());
});

test('a connection is explained: recognition, keys, the lock, and possible sharing of the identity', async () => {
  const wallet = await open({ kind: 'connect' });
  expect(text()).toContain('wants to connect to your wallet');
  expect([...(part('may-once-connected')?.children ?? [])].map((one) => one.textContent)).toEqual([
    'recognize you when you come back',
    'see whether your wallet is locked, and list its own earlier actions',
    'sign, encrypt and decrypt with keys that need no further permission',
  ]);
  expect(part('may-name')?.textContent).toContain('It may find out who you are');
  expect(text()).toContain('It can’t make payments, and can’t see your balance.');
  expect(part('connects')).toBeNull();
  fireEvent.click(yes());
  await screen.findByText('Allowed');
  expect(wallet.asked('approval/decide')).toEqual([{ approvalId: id, decision: 'permit' }]);
});

test('the window for another permission mentions that granting it also connects the site', async () => {
  for (const connects of [true, false]) {
    await openApproval({ ...permissionSample, permission: { kind: 'basket', basket: 'notes' }, connects });
    expect(part('connects')?.textContent.includes('find out by them who you are') ?? false).toBe(connects);
    cleanup();
  }
});

test('a site that requests several permissions is connected by any approval, even if all are unchecked', async () => {
  const connection = { permission: { kind: 'connect' }, said: null } as const;
  const wallet = await openGroup({ wanted: [...groupSample.wanted, connection] });
  expect(part('connects')?.textContent).toContain('This also connects the site');
  expect(boxes()).toHaveLength(3);
  for (const box of boxes()) fireEvent.click(box);
  fireEvent.click(yes());
  await screen.findByText('Allowed');
  expect(wallet.asked('approval/decide')).toEqual([{ approvalId: id, decision: 'permit', permitted: [] }]);
});

test.each<[string, Permission, string, string]>([
  [
    'of level 1',
    { kind: 'protocol', level: 1, protocol: 'secret notes', counterparty: null },
    '“secret notes”',
    'Anyone the site chooses',
  ],
  [
    'with oneself',
    { kind: 'protocol', level: 2, protocol: 'secret notes', counterparty: 'self' },
    '“secret notes”',
    'Yourself only',
  ],
  [
    'with anyone',
    { kind: 'protocol', level: 2, protocol: 'secret notes', counterparty: 'anyone' },
    '“secret notes”',
    'Anyone',
  ],
  [
    'with somebody',
    { kind: 'protocol', level: 2, protocol: PAYMENT_PROTOCOL, counterparty: KEY },
    'Payments to people’s keys (BRC-29)',
    KEY,
  ],
])('a protocol %s shows its purpose and the counterparty', async (_, permission, purpose, counterparty) => {
  await open(permission);
  expect(plain(part('purpose')?.textContent)).toBe(purpose);
  expect(part('counterparty')?.textContent).toBe(counterparty);
  expect(part('may')?.textContent).toContain('sign, encrypt and decrypt');
  expect(text()).toContain('It never gets the keys themselves');
});

test('a basket’s name is shown exactly, with hidden characters', async () => {
  await open({ kind: 'basket', basket: 'notes\u202e' });
  expect(part('basket')?.textContent).toBe('notes⟨U+202E⟩');
  expect(text()).toContain('It can’t see your other baskets or your balance');
});

test('the button and Escape reject the permission', async () => {
  for (const refuse of [async () => void fireEvent.click(screen.getByText('Refuse')), () => pressKey('Escape')]) {
    const wallet = await open({ kind: 'identity' }, KEY);
    await waitFor(() => expect(document.activeElement?.tagName).toBe('H1'));
    await refuse();
    await screen.findByText('You refused');
    expect(text()).toContain('This site didn’t get your permission.');
    expect(wallet.asked('approval/decide')).toEqual([{ approvalId: id, decision: 'refuse' }]);
    cleanup();
  }
});

test('a locked wallet is unlocked in the same window, and an early click grants nothing', async () => {
  clock.ready = false;
  const wallet = await openApproval({ ...permissionSample, locked: true }, { 'vault/unlock': () => null });
  expect(yes().textContent).toBe('Unlock and allow');
  expect(yes().disabled).toBe(true);
  fireEvent.input(screen.getByLabelText('Password'), { target: { value: 'right' } });
  fireEvent.click(yes());
  await screen.findByText(ERRORS['too-soon'].message);
  expect(wallet.asked('vault/unlock')).toEqual([]);
  clock.ready = true;
  fireEvent.click(yes());
  await screen.findByText('Allowed');
  expect(wallet.asked('approval/decide')).toHaveLength(1);
});

test('several permissions are listed with the site’s quoted reasons, and unchecked ones are not granted', async () => {
  const wallet = await openGroup({
    wanted: [
      ...groupSample.wanted,
      { permission: { kind: 'basket', basket: 'x' }, said: 'Safe” says your wallet\u202e' },
    ],
  });
  expect(plain()).toContain('Use your keys for “secret notes”');
  expect(plain()).toContain(`with the holder of this key:${KEY}`);
  expect(plain()).toContain('Use the basket “notes”');
  expect(plain()).toContain('“To read your notes”');
  expect(plain()).toContain('“Safe’ says your wallet⟨U+202E⟩”');
  expect(plain()).toContain('It also wants certificates. Your wallet doesn’t have any');
  expect(boxes().map(({ checked }) => checked)).toEqual([true, true, true, true]);
  fireEvent.click(boxes()[1] as HTMLInputElement);
  fireEvent.click(yes());
  await screen.findByText('Allowed');
  expect(wallet.asked('approval/decide')).toEqual([{ approvalId: id, decision: 'permit', permitted: [0, 2, 3] }]);
});

test('nothing can be allowed if nothing is checked', async () => {
  await openGroup({ suggested: null, certificates: false });
  for (const box of boxes()) fireEvent.click(box);
  expect(yes().disabled).toBe(true);
  expect(yes().textContent).toBe('Check at least one');
  fireEvent.click(boxes()[0] as HTMLInputElement);
  expect(yes().disabled).toBe(false);
  expect(document.querySelector('[data-part=grant-on]')).toBeNull();
});

test('the allowance is unchecked until the user wants it, lasts a month, and the button names the amount', async () => {
  const wallet = await openGroup({ current: allowance });
  const paying = () => document.querySelector<HTMLInputElement>('[data-part=grant-on]') as HTMLInputElement;
  expect(paying().checked).toBe(false);
  expect(yes().textContent).toBe('Allow');
  for (const box of boxes()) fireEvent.click(box);
  fireEvent.click(paying());
  expect(yes().textContent).toBe('Allow, up to 0.02 BSV a month');
  const amount = document.querySelector('[data-part=allowance-amount]') as HTMLInputElement;
  fireEvent.input(amount, { target: { value: '' } });
  expect([yes().disabled, yes().textContent]).toEqual([true, 'Finish the allowance']);
  fireEvent.input(amount, { target: { value: '0.01' } });
  fireEvent.click(yes());
  await screen.findByText('Allowed');
  expect(wallet.asked('approval/decide')).toEqual([
    {
      approvalId: id,
      decision: 'permit',
      permitted: [],
      grant: { amount: '0.01', currency: 'BSV', period: 'month', perPayment: null, rate: null },
    },
  ]);
});

test('a site that waits for the wallet to be unlocked is notified only of the unlock', async () => {
  const wallet = await openApproval(unlockAsk, { 'vault/unlock': () => null });
  expect(text()).toContain('needs your wallet unlocked');
  expect(text()).toContain('It gets no new permission, and never your password.');
  fireEvent.input(screen.getByLabelText('Password'), { target: { value: 'right' } });
  fireEvent.click(yes());
  await screen.findByText('Unlocked');
  expect(wallet.asked('approval/decide')).toEqual([{ approvalId: id, decision: 'unlock' }]);
});

test('an unlock in another window also unlocks this one', async () => {
  await openApproval(unlockAsk, {
    'vault/unlock': () => null,
    'approval/decide': () => {
      throw new Refusal('approval-unknown');
    },
  });
  fireEvent.input(screen.getByLabelText('Password'), { target: { value: 'right' } });
  fireEvent.click(yes());
  await screen.findByText('Unlocked');
});
