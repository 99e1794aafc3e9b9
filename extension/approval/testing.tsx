/** For tests: an approval window over a background of canned answers. */
import { act, cleanup, render, waitFor } from '@testing-library/preact';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { fakeWallet } from '../ui/fake-wallet.ts';
import { Approval } from './approval.tsx';

const runtime = vi.hoisted(() => ({ sendMessage: undefined as unknown as (message: never) => Promise<unknown> }));
vi.mock('webextension-polyfill', () => ({
  default: { runtime: { sendMessage: (message: never) => runtime.sendMessage(message) } },
}));
const guard = vi.hoisted(() => ({ ready: true, restarts: 0 }));
vi.mock('../ui/click-guard.ts', () => ({
  createClickGuard: () => ({ ready: () => guard.ready, restart: () => void (guard.restarts += 1), dispose() {} }),
}));

/** In place of the click guard: whether it lets a click through, and how often it began anew. */
export const clock = guard;

/** The id of the prompt that the window is for. */
export const id = 'approval-0123456789';

/** In place of `window.close`. */
export const close = vi.fn();

/** Answers of the background, by method. */
export type Handlers = Parameters<typeof fakeWallet>[0];
type View = ReturnType<NonNullable<Handlers['approval/read']>>;

/** Call it once in a file: each test begins with a guard that is ready, and ends without a window. */
export function useApprovalWindow(): void {
  beforeEach(() => {
    clock.ready = true;
    close.mockReset();
    window.close = close;
    vi.stubGlobal('close', close);
  });
  afterEach(cleanup);
}

/**
 * Opens the window.
 * @param view what the background says that is asked
 * @param handlers answers beside this, or other ones
 */
export async function openApproval(view: View, handlers: Handlers = {}): Promise<ReturnType<typeof fakeWallet>> {
  const wallet = fakeWallet({ 'approval/read': () => view, 'approval/decide': () => null, ...handlers });
  runtime.sendMessage = wallet.sendMessage;
  render(<Approval id={id} />);
  await waitFor(() => expect(wallet.asked('approval/read')).toHaveLength(1));
  await act(async () => {});
  return wallet;
}

/** All that it shows. */
export const text = () => document.body.textContent ?? '';

/** A part of it, by its name in `data-part`. */
export const part = (name: string) => document.querySelector(`[data-part=${name}]`);
