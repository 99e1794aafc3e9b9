/** The window of a prompt: one for each, with an id that cannot be guessed. */
import browser from 'webextension-polyfill';
import { toHex } from '../../../protocol/bytes.ts';
import type { PromptWindow } from './prompt.ts';

/** Path of its document. */
const APPROVAL_PAGE = 'extension/approval/index.html';
/** A decision sooner than this after the window first asked what to show is not the user's (milliseconds). */
const READING_MS = 500;

/** An id that cannot be guessed: 128 random bits. */
export const randomId = (): string => toHex(crypto.getRandomValues(new Uint8Array(16)));

/** Is it still open? */
export async function windowExists(windowId: number | null | undefined): Promise<boolean> {
  if (windowId === null || windowId === undefined) return false;
  return browser.windows.get(windowId).then(
    () => true,
    () => false,
  );
}

/** Opens it. @returns its window's id, if the browser gives one */
export async function openWindow(id: string): Promise<number | null> {
  const opened = await browser.windows.create({
    type: 'popup',
    url: browser.runtime.getURL(`${APPROVAL_PAGE}?id=${id}`),
    width: 420,
    height: 680,
    focused: true,
  });
  return opened.id ?? null;
}

/** Brings it to the front, also if it was minimized. @returns false if it isn't open */
export async function focusWindow(windowId: number | null): Promise<boolean> {
  if (windowId === null) return false;
  try {
    const { state } = await browser.windows.get(windowId);
    if (state === 'minimized') await browser.windows.update(windowId, { state: 'normal' });
    await browser.windows.update(windowId, { focused: true });
    return true;
  } catch {
    return false;
  }
}

/** Closes it, if it is still open. */
export async function closeWindow(windowId: number | null | undefined): Promise<void> {
  if (windowId !== null && windowId !== undefined) await browser.windows.remove(windowId).catch(() => undefined);
}

/** Has the user had time to read it? */
export function wasRead({ shownAt }: PromptWindow): boolean {
  return shownAt !== null && Date.now() - shownAt >= READING_MS;
}
