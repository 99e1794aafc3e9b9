import { ServiceError } from '../../protocol/errors/service-error.ts';
import { kindOf } from './kinds.ts';
import type { Prompt, PromptWindow } from './prompt.ts';
import { changePrompt, endPrompt, newWindow, openPrompts, readPrompt, type PromptKey } from './store.ts';
import { part, type Wallet } from '../platform.ts';

/**
 * Opens the window of a prompt that awaits the user's decision, if none is open. A repeated request doesn't bring the
 * window to the front. If the window fails to open, the prompt ends, so it doesn't count toward the window limit.
 */
export async function showPrompt(wallet: Wallet, key: PromptKey): Promise<void> {
  const prompt = await readPrompt(wallet, key);
  if (prompt?.state === 'awaitingDecision')
    await open(wallet, prompt).catch((error: unknown) => endPrompt(wallet, key, error, { failed: true }));
}

/** IDs of the windows that are being opened, whose browser IDs aren't known yet, and of those that they replace. */
const opening = part(() => new Set<string>());

async function open(wallet: Wallet, prompt: Prompt): Promise<void> {
  if (opening(wallet).has(prompt.window.id)) return;
  // An earlier worker may have opened a window without storing its browser ID. The prompt gets a new `id`, so the
  // earlier window no longer works.
  const window = newWindow(wallet);
  const ids = [prompt.window.id, window.id];
  for (const id of ids) opening(wallet).add(id);
  try {
    if (!(await windowExists(wallet, prompt.window.windowId))) await openAs(wallet, prompt, window);
  } finally {
    for (const id of ids) opening(wallet).delete(id);
  }
}

async function openAs(wallet: Wallet, prompt: Prompt, window: PromptWindow): Promise<void> {
  if (!(await changePrompt(wallet, prompt, () => ({ window })))) return;
  const windowId = await openWindow(wallet, window.id);
  const kept = await changePrompt(wallet, prompt, (now) => ({ window: { ...now.window, windowId } }));
  if (!kept) await closeWindow(wallet, windowId);
  // If the window was closed before its ID was stored, the close event was missed.
  if (kept && windowId !== null && !(await windowExists(wallet, windowId))) await promptWindowClosed(wallet, windowId);
}

/**
 * Brings the window of a prompt to the front, or opens it again if the browser has lost it.
 * @param id the window's own `id`, not the browser's window id
 * @throws ServiceError `approval-unknown` if the prompt is no longer open
 */
export async function bringToFront(wallet: Wallet, id: string): Promise<void> {
  const prompt = (await openPrompts(wallet)).find(
    ({ window, state }) => window.id === id && state === 'awaitingDecision',
  );
  if (!prompt) throw new ServiceError('approval-unknown');
  if (!(await focusWindow(wallet, prompt.window.windowId))) await showPrompt(wallet, prompt);
}

/** Rejects the prompt of a closed window, unless it was already decided. */
export async function promptWindowClosed(wallet: Wallet, windowId: number): Promise<void> {
  const prompt = (await openPrompts(wallet)).find(({ window }) => window.windowId === windowId);
  if (prompt) await endPrompt(wallet, prompt, closedError(wallet, prompt), { dismissedBy: 'user' });
}

/** Ends all prompts, after a browser restart or the wallet's removal has closed their windows. */
export async function dropPrompts(wallet: Wallet): Promise<void> {
  for (const prompt of await openPrompts(wallet)) await endPrompt(wallet, prompt, closedError(wallet, prompt));
}

function closedError(wallet: Wallet, prompt: Prompt): ServiceError {
  const { closed, declined } = kindOf(wallet, prompt);
  return new ServiceError(closed ?? declined);
}

const APPROVAL_PAGE = 'extension/approval/index.html';

/** How long approvals are rejected after a window first shows its contents (milliseconds). */
const READING_MS = 500;

/** True if the window is still open. */
export async function windowExists(wallet: Wallet, windowId: number | null | undefined): Promise<boolean> {
  if (windowId === null || windowId === undefined) return false;
  return wallet.windows.get(windowId).then(
    () => true,
    () => false,
  );
}

/** Opens a prompt's window. @returns the browser's window ID, or null if it reports none */
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

/** True if the user has had time to read the window, even if the clock has been set back since. */
export function wasRead(wallet: Wallet, { shownAt }: PromptWindow): boolean {
  return shownAt !== null && Math.abs(wallet.now() - shownAt) >= READING_MS;
}
