import { beforeEach, expect, test, vi } from 'vitest';
import { fakeWallet, settings } from './fake-wallet.ts';

const background = vi.hoisted(() => ({ sendMessage: undefined as unknown }));
vi.mock('webextension-polyfill', () => ({ default: { runtime: background } }));

const reload = vi.spyOn(location, 'reload').mockImplementation(() => {});

beforeEach(() => {
  vi.resetModules();
  reload.mockClear();
  document.body.innerHTML = '<div id="app"></div>';
});

/** Opens a window whose stored language differs from the background's setting. */
async function open(remembered: 'en' | 'ar', set: 'en' | 'ar'): Promise<void> {
  localStorage.setItem('language', remembered);
  const wallet = fakeWallet({ 'settings/read': () => ({ ...settings, language: set }) });
  background.sendMessage = wallet.sendMessage;
  const [{ mount }, { texts }] = await Promise.all([import('./mount.tsx'), import('../texts/texts.ts')]);
  mount(() => <p>{texts.popup.settings}</p>);
  await vi.waitFor(() => expect(localStorage.getItem('theme')).toBe('system'));
  await vi.waitFor(() => expect(document.querySelector('#app p')).not.toBeNull());
  await vi.waitFor(() => expect(localStorage.getItem('language')).toBe(set));
  localStorage.removeItem('theme');
}

test('a window in another language is not reloaded if the background responds before its texts have arrived', async () => {
  await open('ar', 'ar');
  expect(document.querySelector('#app p')?.textContent).toBe('الإعدادات');
  expect(document.documentElement.dir).toBe('rtl');
  expect(reload).not.toHaveBeenCalled();
});

test('a window whose language was changed in the meantime is reloaded', async () => {
  await open('en', 'ar');
  expect(reload).toHaveBeenCalledTimes(1);
});

test('a window in a frame shows nothing and requests nothing', async () => {
  const sendMessage = vi.fn<() => Promise<never>>();
  background.sendMessage = sendMessage;
  const top = vi.spyOn(window, 'top', 'get').mockReturnValue({} as Window);
  const { mount } = await import('./mount.tsx');
  mount(() => <p>Pay</p>);
  expect(document.querySelector('#app')?.innerHTML).toBe('');
  expect(sendMessage).not.toHaveBeenCalled();
  top.mockRestore();
});
