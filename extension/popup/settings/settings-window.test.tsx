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

test('a locked wallet shows only the unlock form, then the page from the URL', async () => {
  history.replaceState(null, '', '#words');
  let locked = true;
  const wallet = await open({
    'vault/status': () => ({ ...unlocked, locked }),
    'vault/unlock': () => void (locked = false) as never,
  });
  expect(await title()).toBe(texts.unlock.title);
  expect(wallet.asked('wallet/overview')).toEqual([]);
  fireEvent.input(await screen.findByLabelText(texts.password), { target: { value: 'correct horse battery' } });
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

/** Calls `then` when the text appears in the document, before the browser paints it. */
const onceShown = (text: string, then: () => void) =>
  new Promise<void>((resolve) => {
    const observer = new MutationObserver(() => {
      if (!document.body.textContent.includes(text)) return;
      observer.disconnect();
      then();
      resolve();
    });
    observer.observe(document.body, { childList: true, subtree: true, characterData: true });
  });

test('a Back that happens before the page is drawn is followed', async () => {
  history.replaceState(null, '', '#password');
  let locked = true;
  await open({
    'vault/status': () => ({ ...unlocked, locked }),
    'vault/unlock': () => void (locked = false) as never,
  });
  const left = onceShown(t.password.now, () => {
    history.replaceState(null, '', '/settings');
    dispatchEvent(new PopStateEvent('popstate'));
  });
  fireEvent.input(await screen.findByLabelText(texts.password), { target: { value: 'correct horse battery' } });
  fireEvent.click(screen.getByRole('button', { name: texts.unlock.button }));
  await left;
  await waitFor(async () => expect(await title()).toBe(t.title));
});

test('the words are removed if the page is hidden before it is drawn', async () => {
  const words = 'legal winner thank year wave sausage worth useful castle dolphin ribbon yellow';
  history.replaceState(null, '', '#words');
  await open({ 'vault/show-words': () => ({ words }) });
  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('visible');
  const hidden = onceShown('sausage', () => {
    visibility.mockReturnValue('hidden');
    document.dispatchEvent(new Event('visibilitychange'));
  });
  fireEvent.input(await screen.findByLabelText(t.words.password), { target: { value: 'correct horse battery' } });
  fireEvent.click(screen.getByRole('button', { name: t.words.show }));
  await hidden;
  await waitFor(() => expect(document.body.textContent).not.toContain('sausage'));
  visibility.mockRestore();
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

test('a page that was opened by URL leads back to the list', async () => {
  history.replaceState(null, '', '#password');
  await open();
  fireEvent.click(await screen.findByRole('button', { name: texts.back }));
  expect(await title()).toBe(t.title);
  expect(location.hash).toBe('');
});

test('an unknown URL shows the list', async () => {
  history.replaceState(null, '', '#nowhere');
  await open();
  expect(await title()).toBe(t.title);
});
