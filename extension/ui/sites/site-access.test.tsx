import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/preact';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SiteAccess } from './site-access.tsx';
import { siteAccessTexts as t } from '../texts/texts.ts';

const SITES = { origins: ['https://*/*', 'http://localhost/*'] };
const permissions = vi.hoisted(() => {
  const listeners = new Set<() => void>();
  const event = {
    addListener: (listener: () => void) => void listeners.add(listener),
    removeListener: (listener: () => void) => void listeners.delete(listener),
  };
  return { has: true, listeners, onAdded: event, onRemoved: event, contains: vi.fn(), request: vi.fn() };
});
vi.mock('webextension-polyfill', () => ({
  default: {
    permissions,
    runtime: { getManifest: () => ({ host_permissions: ['https://*/*', 'http://localhost/*'] }) },
  },
}));

beforeEach(() => {
  permissions.has = true;
  permissions.contains.mockReset().mockImplementation(async () => permissions.has);
  permissions.request.mockReset();
});
afterEach(cleanup);

async function open(has: boolean) {
  permissions.has = has;
  render(<SiteAccess />);
  await act(async () => {});
}

test('no notice is shown if the browser allows all sites of the manifest', async () => {
  await open(true);
  expect(permissions.contains).toHaveBeenCalledWith(SITES);
  expect(document.body.textContent).toBe('');
});

test('a click requests missing permissions from the browser, and the notice disappears with the permission', async () => {
  await open(false);
  permissions.request.mockImplementation(async () => {
    permissions.has = true;
    for (const listener of permissions.listeners) listener();
    return true;
  });
  fireEvent.click(screen.getByText(t.allow));
  expect(permissions.request).toHaveBeenCalledExactlyOnceWith(SITES);
  await waitFor(() => expect(screen.queryByText(t.allow)).toBeNull());
});

test.each([async () => false, () => Promise.reject(new Error('no user gesture'))])(
  'the notice stays after a rejection',
  async (refuse) => {
    await open(false);
    permissions.request.mockImplementation(refuse);
    fireEvent.click(screen.getByText(t.allow));
    await act(async () => {});
    expect(screen.getByText(t.allow)).toBeDefined();
  },
);

test('permissions revoked while the window is open show the notice', async () => {
  await open(true);
  permissions.has = false;
  for (const listener of permissions.listeners) listener();
  expect(await screen.findByText(t.title)).toBeDefined();
  cleanup();
  await waitFor(() => expect(permissions.listeners.size).toBe(0));
});
