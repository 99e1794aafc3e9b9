import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/preact';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fakeWallet, overview, settings } from '../../ui/window/fake-wallet.ts';
import { settingsTexts as t, texts } from '../../ui/texts/texts.ts';
import { SettingsWindow } from './settings-window.tsx';

const runtime = vi.hoisted(() => ({ sendMessage: undefined as unknown as (message: never) => Promise<unknown> }));
vi.mock('webextension-polyfill', () => ({
  default: { runtime: { sendMessage: (message: never) => runtime.sendMessage(message) } },
}));

const title = () => screen.findByRole('heading', { level: 1 }).then((heading) => heading.textContent);
const unlocked = { exists: true, locked: false, lockAt: null };

beforeEach(() => history.replaceState(null, '', '/settings'));
afterEach(cleanup);

async function open(handlers: Parameters<typeof fakeWallet>[0] = {}) {
  const wallet = fakeWallet({
    'vault/status': () => unlocked,
    'vault/unlock': () => null,
    'wallet/overview': () => overview,
    'settings/read': () => settings,
    'passkeys/list': () => ({ passkeys: [] }),
    ...handlers,
  });
  runtime.sendMessage = wallet.sendMessage;
  render(<SettingsWindow />);
  await act(async () => {});
  return wallet;
}

test('a locked wallet shows only the unlock form, then the page in the address', async () => {
  history.replaceState(null, '', '#words');
  let locked = true;
  const wallet = await open({
    'vault/status': () => ({ ...unlocked, locked }),
    'vault/unlock': () => void (locked = false) as never,
  });
  expect(await title()).toBe(texts.unlock.title);
  expect(wallet.asked('wallet/overview')).toEqual([]);
  fireEvent.input(screen.getByLabelText(texts.password), { target: { value: 'correct horse battery' } });
  fireEvent.click(screen.getByRole('button', { name: texts.unlock.button }));
  await waitFor(async () => expect(await title()).toBe(t.words.title));
});

test('a wallet that is locked between two requests shows the unlock form', async () => {
  const { Refusal } = await import('../../ui/window/fake-wallet.ts');
  await open({
    'wallet/overview': () => {
      throw new Refusal('wallet-locked');
    },
  });
  expect(await title()).toBe(texts.unlock.title);
});

test('the browser’s Back and Forward switch between the pages', async () => {
  await open();
  fireEvent.click(await screen.findByText(t.words.title));
  expect(location.hash).toBe('#words');
  expect(await title()).toBe(t.words.title);
  history.back();
  await waitFor(async () => expect(await title()).toBe(t.title));
  history.forward();
  await waitFor(async () => expect(await title()).toBe(t.words.title));
});

test('the page’s own Back adds no entry to the history', async () => {
  await open();
  fireEvent.click(await screen.findByText(t.words.title));
  const { length } = history;
  fireEvent.click(await screen.findByRole('button', { name: texts.back }));
  await waitFor(() => expect(location.hash).toBe(''));
  expect(await title()).toBe(t.title);
  expect(history.length).toBe(length);
});

test('a page that was opened by its address leads back to the list', async () => {
  history.replaceState(null, '', '#password');
  await open();
  fireEvent.click(await screen.findByRole('button', { name: texts.back }));
  expect(await title()).toBe(t.title);
  expect(location.hash).toBe('');
});

test('an unknown address shows the list', async () => {
  history.replaceState(null, '', '#nowhere');
  await open();
  expect(await title()).toBe(t.title);
});
