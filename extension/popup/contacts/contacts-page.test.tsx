import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/preact';
import { afterEach, expect, test, vi } from 'vitest';
import { MAX_CONTACTS } from '../../../protocol/payments/limits.ts';
import type { ContactView } from '../../../protocol/messages/wallet-messages.ts';
import { pressKey } from '../../../testing/press-key.ts';
import { fakeWallet, Refusal } from '../../ui/window/fake-wallet.ts';
import { ContactsPage } from './contacts-page.tsx';

const runtime = vi.hoisted(() => ({ sendMessage: undefined as unknown as (message: never) => Promise<unknown> }));
vi.mock('webextension-polyfill', () => ({
  default: { runtime: { sendMessage: (message: never) => runtime.sendMessage(message) } },
}));

afterEach(cleanup);

const ada: ContactView = { id: 'ada@pay.example', to: 'ada@pay.example', name: 'Ada', elsewhere: null };
const bob: ContactView = { id: 'b', to: 'mfWxJ45yp2SFn7UciZyNpvDKrzbhyfKrY8', name: 'Bob', elsewhere: null };
const old: ContactView = { id: '42 https://before.example', to: '42', name: 'Old', elsewhere: 'before.example' };

async function open(contacts: ContactView[], handlers: Parameters<typeof fakeWallet>[0] = {}) {
  const wallet = fakeWallet({
    'contacts/list': () => ({ contacts }),
    'contacts/save': () => null,
    'contacts/remove': () => null,
    ...handlers,
  });
  runtime.sendMessage = wallet.sendMessage;
  const [onSend, onBack] = [vi.fn(), vi.fn()];
  render(<ContactsPage network="devnet" onSend={onSend} onBack={onBack} />);
  await waitFor(() => expect(wallet.asked('contacts/list')).toHaveLength(1));
  if (contacts.length > 0) await screen.findByRole('searchbox');
  return { ...wallet, onSend, onBack };
}

const names = () => [...document.querySelectorAll('.list-title')].map((one) => one.textContent);
const action = (name: string) => document.querySelector<HTMLElement>(`[data-action=${name}]`) as HTMLElement;
const type = (label: string, value: string) => fireEvent.input(screen.getByLabelText(label), { target: { value } });
const TO = 'Paymail, user ID or address';

test('lists contacts with their full recipients, and finds them with slash and Escape as keys', async () => {
  const { onBack } = await open([ada, bob, old]);
  expect(names()).toEqual(['Ada', 'Bob', 'Old']);
  expect(document.body.textContent).toContain(bob.to);
  await pressKey('/');
  expect(document.activeElement).toBe(screen.getByRole('searchbox'));
  type('Search contacts', 'PAY ad');
  expect(names()).toEqual(['Ada']);
  type('Search contacts', 'nobody');
  screen.getByText('No contact matches.');
  await pressKey('Escape');
  expect(onBack).not.toHaveBeenCalled(); // Shortcuts don't interrupt typing.
  await pressKey('Escape', { target: document.body });
  expect(onBack).toHaveBeenCalledOnce();
});

test('pays, changes and removes a contact', async () => {
  const { onSend, asked } = await open([ada, bob]);
  fireEvent.click(screen.getByText('Ada'));
  fireEvent.click(screen.getByText('Send to Ada'));
  expect(onSend).toHaveBeenCalledWith('ada@pay.example');
  type('Name', ' Ada L. ');
  fireEvent.click(action('save'));
  await screen.findByRole('searchbox');
  expect(asked('contacts/save')).toEqual([{ id: ada.id, to: ada.to, name: 'Ada L.' }]);
  fireEvent.click(screen.getByText('Bob'));
  fireEvent.click(action('remove'));
  expect(asked('contacts/remove')).toEqual([]);
  fireEvent.click(action('remove-yes'));
  await screen.findByRole('searchbox');
  expect(asked('contacts/remove')).toEqual([{ id: bob.id }]);
});

test('adds no contact without a name, or whose recipient is missing, can’t be paid or is already saved', async () => {
  const { asked } = await open([ada], {
    'contacts/save': ({ name }) => {
      if (name === 'Nobody') throw new Refusal('unknown-recipient');
      return null;
    },
  });
  fireEvent.click(action('add-contact'));
  fireEvent.click(action('save'));
  screen.getByText('Enter a name.');
  screen.getByText('Enter a recipient.');
  type('Name', 'Nobody');
  for (const [to, problem] of [
    ['OP_1', /isn’t an address/],
    ['Ada@Pay.example', /already saved this recipient as Ada/],
    [`bitcoin:${bob.to}`, /different currency/],
  ] as const) {
    type(TO, to);
    fireEvent.click(action('save'));
    screen.getByText(problem);
  }
  type(TO, 'аda@pay.example'); // The second letter is a Cyrillic а.
  screen.getByText(/mixes letters from several alphabets/);
  fireEvent.click(action('save'));
  await waitFor(() => expect(document.querySelector('.banner-danger')).not.toBeNull());
  expect(asked('contacts/save')).toHaveLength(1);
});

test('a user ID from another service is shown as such, and is not offered for paying', async () => {
  await open([old]);
  fireEvent.click(screen.getByText('Old'));
  screen.getByText(/A user ID at before.example/);
  expect(action('send-to')).toBeNull();
  expect(screen.getByLabelText<HTMLInputElement>(TO).readOnly).toBe(true);
});

test('shows advice if there are no contacts, or the maximum', async () => {
  await open([]);
  screen.getByText('No contacts yet');
  cleanup();
  await open(Array.from({ length: MAX_CONTACTS }, (_, i) => ({ ...ada, id: `${i}`, to: `n${i}@pay.example` })));
  screen.getByText('You have 500 contacts, which is the maximum. Remove one first.');
  expect(action('add-contact')).toBeNull();
});
