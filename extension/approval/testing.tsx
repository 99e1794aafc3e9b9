/** Test fixture: an approval window with a mocked background. */
import { act, cleanup, render, waitFor } from '@testing-library/preact';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { fakeWallet } from '../ui/window/fake-wallet.ts';
import { Approval } from './approval.tsx';

const runtime = vi.hoisted(() => ({ sendMessage: undefined as unknown as (message: never) => Promise<unknown> }));
vi.mock('webextension-polyfill', () => ({
  default: { runtime: { sendMessage: (message: never) => runtime.sendMessage(message) } },
}));
const guard = vi.hoisted(() => ({ ready: true, restarts: 0 }));
vi.mock('../ui/window/click-guard.ts', () => ({
  createClickGuard: () => ({ ready: () => guard.ready, restart: () => void (guard.restarts += 1), dispose() {} }),
}));

/** The test's click guard. Controls whether clicks are accepted, and counts restarts. */
export const clock = guard;

export const id = 'approval-0123456789';

export const close = vi.fn();

export type Handlers = Parameters<typeof fakeWallet>[0];
type View = ReturnType<NonNullable<Handlers['approval/read']>>;

/** Resets the click guard before each test and closes the window after it. Call once per file. */
export function useApprovalWindow(): void {
  beforeEach(() => {
    clock.ready = true;
    close.mockReset();
    window.close = close;
    vi.stubGlobal('close', close);
  });
  afterEach(cleanup);
}

/** Opens the window. @param view the prompt that the background returns @param handlers additional responses */
export async function openApproval(view: View, handlers: Handlers = {}): Promise<ReturnType<typeof fakeWallet>> {
  const wallet = fakeWallet({ 'approval/read': () => view, 'approval/decide': () => null, ...handlers });
  runtime.sendMessage = wallet.sendMessage;
  render(<Approval id={id} />);
  await waitFor(() => expect(wallet.asked('approval/read')).toHaveLength(1));
  await act(async () => {});
  return wallet;
}

export const text = () => document.body.textContent ?? '';

export const part = (name: string) => document.querySelector(`[data-part=${name}]`);
