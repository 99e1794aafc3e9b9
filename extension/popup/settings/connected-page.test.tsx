import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/preact';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Connection } from '../../../protocol/http/api-v2.ts';
import { ERRORS } from '../../../protocol/errors/service-error.ts';
import { fakeWallet, overview, Refusal, settings } from '../../ui/window/fake-wallet.ts';
import { SettingsPage } from './settings-page.tsx';

const runtime = vi.hoisted(() => ({ sendMessage: undefined as unknown as (message: never) => Promise<unknown> }));
vi.mock('webextension-polyfill', () => ({
  default: {
    runtime: { sendMessage: (message: never) => runtime.sendMessage(message), getURL: (path: string) => path },
  },
}));
beforeEach(() => history.replaceState(null, '', '/settings'));
afterEach(cleanup);

const ROSES: Connection = {
  id: '5b0f8f52-6c1e-4f7e-9d55-0a2f6f1c9a10',
  name: 'Roses” by\u202EBob',
  url: 'https://roses.example/shop',
  since: '2026-11-20T10:00:00.000Z',
  scopes: ['auth.user_identity:read', 'users.newer:read'],
};
const BOOKS: Connection = { ...ROSES, id: ROSES.id.replace('5b', '6c'), name: 'Books', url: 'https://books.example' };

async function open(handlers: Parameters<typeof fakeWallet>[0] = {}) {
  const wallet = fakeWallet({
    'connections/list': () => ({ connections: [ROSES, BOOKS] }),
    'connections/remove': () => null,
    ...handlers,
  });
  runtime.sendMessage = wallet.sendMessage;
  render(<SettingsPage settings={settings} overview={overview} onSettings={() => {}} />);
  fireEvent.click(screen.getByText('Connected apps'));
  await waitFor(() => expect(wallet.asked('connections/list').length).toBeGreaterThan(0));
  await act(async () => {});
  return wallet;
}

const card = (id = ROSES.id) => document.querySelector<HTMLElement>(`[data-connection="${id}"]`);
const press = async (action: string) => {
  fireEvent.click(card()?.querySelector(`[data-action=${action}]`) as HTMLElement);
  await act(async () => {});
};

test('each app has its own name in quotation marks, with its host and its scopes', async () => {
  await open();
  const shown = card()?.textContent ?? '';
  expect(shown).toContain('“\u2068Roses’ by⟨U+202E⟩Bob\u2069”');
  for (const words of [
    'roses.example',
    'See your user ID and name',
    'users.newer:read',
    'It can never spend your money',
  ])
    expect(shown).toContain(words);
});

test('access ends with the second click, and the list shows that', async () => {
  const wallet = await open();
  await press('remove');
  expect(wallet.asked('connections/remove')).toEqual([]);
  fireEvent.click(screen.getByText('Keep'));
  expect(document.activeElement).toBe(card()?.querySelector('[data-action=remove]'));
  await press('remove');
  expect(document.activeElement).toBe(card()?.querySelector('[data-action=remove-sure]'));
  await press('remove-sure');
  await screen.findByText(/no longer has access/);
  expect(wallet.asked('connections/remove')).toEqual([{ id: ROSES.id }]);
  expect([card(), card(BOOKS.id) === null]).toEqual([null, false]);
});

test('a connection that could not be removed stays listed', async () => {
  await open({
    'connections/remove': () => {
      throw new Refusal('service-unavailable');
    },
  });
  await press('remove');
  await press('remove-sure');
  await screen.findByText(ERRORS['service-unavailable'].message);
  expect(card()).not.toBeNull();
});

test('the list can be loaded again after the service could not be reached', async () => {
  let reached = false;
  await open({
    'connections/list': () => {
      if (!reached) throw new Refusal('service-unavailable');
      return { connections: [BOOKS] };
    },
  });
  await screen.findByText(ERRORS['service-unavailable'].message);
  reached = true;
  fireEvent.click(screen.getByText('Try again'));
  await waitFor(() => expect(card(BOOKS.id)).not.toBeNull());
});

test('nothing can be connected without an account', () => {
  runtime.sendMessage = fakeWallet({}).sendMessage;
  render(<SettingsPage settings={settings} overview={{ ...overview, account: null }} onSettings={() => {}} />);
  expect(screen.queryByText('Connected apps')).toBeNull();
});
