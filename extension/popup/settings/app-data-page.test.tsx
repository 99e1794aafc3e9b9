import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/preact';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ERRORS } from '../../../protocol/errors/service-error.ts';
import type { AppDataView } from '../../../protocol/messages/wallet-messages.ts';
import { fakeWallet, Refusal } from '../../ui/window/fake-wallet.ts';
import { appDataTexts as t } from '../../ui/texts/texts.ts';
import { AppDataPage, appDataRow } from './app-data-page.tsx';

const runtime = vi.hoisted(() => ({ sendMessage: undefined as unknown as (message: never) => Promise<unknown> }));
vi.mock('webextension-polyfill', () => ({
  default: { runtime: { sendMessage: (message: never) => runtime.sendMessage(message) } },
}));

const VIEW: AppDataView = {
  kept: 'service',
  entries: 3,
  unsent: 0,
  trouble: null,
  unapplied: 0,
  damaged: false,
  exportedAt: null,
};
const onAccount = vi.fn();
const button = (action: string) => document.querySelector<HTMLElement>(`[data-action=${action}]`) as HTMLElement;
const text = () => document.body.textContent ?? '';

beforeEach(() => {
  URL.createObjectURL = vi.fn(() => 'blob:file');
  URL.revokeObjectURL = vi.fn();
});
afterEach(() => {
  cleanup();
  vi.clearAllMocks();
});

async function open(view: Partial<AppDataView> = {}, handlers: Parameters<typeof fakeWallet>[0] = {}) {
  const wallet = fakeWallet({ 'app-data/read': () => ({ ...VIEW, ...view }), ...handlers });
  runtime.sendMessage = wallet.sendMessage;
  render(<AppDataPage onBack={() => {}} onAccount={onAccount} />);
  await waitFor(() => expect(document.querySelector('[data-kept]')).not.toBeNull());
  return wallet;
}

test('shows where the data is stored, and what is not backed up yet', async () => {
  await open({ unsent: 1_200, unapplied: 2 });
  for (const said of [t.lead, t.service, t.unsent({ count: '1,200' }), t.unapplied({ count: '2' })])
    expect(text()).toContain(said);
  expect(document.querySelector('.banner')).toBeNull();
});

test('offers an account and a file if the data has no backup', async () => {
  await open({ kept: 'nowhere' });
  expect(text()).toContain(t.nowhere);
  fireEvent.click(button('account'));
  expect(onAccount).toHaveBeenCalledOnce();
});

test('shows damaged data, and replaces it if the user agrees', async () => {
  const wallet = await open({ damaged: true, trouble: 'app-log-full' }, { 'app-data/save-again': () => null });
  expect(text()).toContain(t.damaged);
  expect(text()).toContain(ERRORS['app-log-full'].message);
  fireEvent.click(button('save-again'));
  await waitFor(() => expect(wallet.asked('app-data/save-again')).toHaveLength(1));
});

test('saves a file, and offers to save it again', async () => {
  const clicked = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
  await open({}, { 'app-data/export': () => ({ file: '{}', entries: 3 }) });
  fireEvent.click(button('save-file'));
  await waitFor(() => expect(text()).toContain(t.saved));
  expect(clicked).toHaveBeenCalledOnce();
  expect(screen.getByText(t.saveFileAgain).getAttribute('download')).toMatch(/app-data\.json$/);
});

test.each([
  [2, t.restored({ count: '2' })],
  [0, t.restoredNone],
])('a file restores %d entries', async (entries, said) => {
  const wallet = await open({}, { 'app-data/restore': () => ({ entries }) });
  const file = new File(['{"a":1}'], 'app-data.json');
  fireEvent.change(screen.getByLabelText(t.restoreFile), { target: { files: [file] } });
  await waitFor(() => expect(text()).toContain(said));
  expect(wallet.asked('app-data/restore')).toEqual([{ file: '{"a":1}' }]);
});

test('shows an error for a file of another wallet', async () => {
  await open(
    {},
    {
      'app-data/restore': () => {
        throw new Refusal('app-log-other-words');
      },
    },
  );
  fireEvent.change(screen.getByLabelText(t.restoreFile), { target: { files: [new File(['x'], 'x')] } });
  await waitFor(() => expect(text()).toContain(ERRORS['app-log-other-words'].message));
});

test('the settings row has a summary', () => {
  expect(appDataRow(null)).toBe('');
  expect(appDataRow(VIEW)).toBe(t.rowService);
  expect(appDataRow({ ...VIEW, kept: 'nowhere' })).toBe(t.rowNowhere);
  expect(appDataRow({ ...VIEW, damaged: true })).toBe(t.rowTrouble);
});
