import { toHex } from '../../protocol/bitcoin/bytes.ts';
import type { PromptWindow } from './prompt.ts';
import type { Wallet } from '../platform.ts';

const APPROVAL_PAGE = 'extension/approval/index.html';
/** Decisions sooner than this after the window first showed its contents don't count (milliseconds). */
const READING_MS = 500;

/** 128 random bits, as hex. */
export const randomId = (wallet: Wallet): string => toHex(wallet.getRandomValues(new Uint8Array(16)));

/** True if the window is still open. */
export async function windowExists(wallet: Wallet, windowId: number | null | undefined): Promise<boolean> {
  if (windowId === null || windowId === undefined) return false;
  return wallet.windows.get(windowId).then(
    () => true,
    () => false,
  );
}

/** Opens a prompt's window. @returns the window's number, if the browser reports one */
export async function openWindow(wallet: Wallet, id: string): Promise<number | null> {
  const opened = await wallet.windows.create({
    type: 'popup',
    url: wallet.runtime.getURL(`${APPROVAL_PAGE}?id=${id}`),
    width: 420,
    height: 680,
    focused: true,
  });
  return opened.id ?? null;
}

/** Brings a window to the front, even a minimized one. @returns false if it isn't open */
export async function focusWindow(wallet: Wallet, windowId: number | null): Promise<boolean> {
  if (windowId === null) return false;
  try {
    const { state } = await wallet.windows.get(windowId);
    if (state === 'minimized') await wallet.windows.update(windowId, { state: 'normal' });
    await wallet.windows.update(windowId, { focused: true });
    return true;
  } catch {
    return false;
  }
}

/** Closes a window, if it is still open. */
export async function closeWindow(wallet: Wallet, windowId: number | null | undefined): Promise<void> {
  if (windowId !== null && windowId !== undefined) await wallet.windows.remove(windowId).catch(() => undefined);
}

/** True if the user has had time to read the window. */
export function wasRead(wallet: Wallet, { shownAt }: PromptWindow): boolean {
  return shownAt !== null && wallet.now() - shownAt >= READING_MS;
}
