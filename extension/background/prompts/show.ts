import { ServiceError } from '../../../protocol/errors.ts';
import { kindOf } from './kinds.ts';
import type { Prompt } from './prompt.ts';
import { changePrompt, endPrompt, newWindow, openPrompts, readPrompt, type PromptKey } from './store.ts';
import { closeWindow, focusWindow, openWindow, windowExists } from './window.ts';

/**
 * Opens the window of a prompt that awaits the user's decision, if none is open. A page that repeats its request can't
 * bring it to the front. A prompt whose window fails to open ends, so that it doesn't count among the windows.
 */
export async function showPrompt(key: PromptKey): Promise<void> {
  const prompt = await readPrompt(key);
  if (prompt?.state !== 'awaitingDecision') return;
  await open(prompt).catch((error: unknown) => endPrompt(key, error, { failed: true }));
}

async function open(prompt: Prompt): Promise<void> {
  if (await windowExists(prompt.window.windowId)) return;
  // A window opened by an earlier run of the worker may be open without a stored number: it is useless now.
  const window = newWindow();
  if (!(await changePrompt(prompt, () => ({ window })))) return;
  const windowId = await openWindow(window.id);
  const kept = await changePrompt(prompt, (now) => ({ window: { ...now.window, windowId } }));
  if (!kept) await closeWindow(windowId);
  // The window was closed before it was stored, so the event was missed.
  if (kept && windowId !== null && !(await windowExists(windowId))) await promptWindowClosed(windowId);
}

/**
 * Brings the window of a prompt to the front, or opens it again if the browser has lost it.
 * @param id the window's own id
 * @throws ServiceError `approval-unknown` (it's no longer open)
 */
export async function bringToFront(id: string): Promise<void> {
  const prompt = (await openPrompts()).find(({ window, state }) => window.id === id && state === 'awaitingDecision');
  if (!prompt) throw new ServiceError('approval-unknown');
  if (!(await focusWindow(prompt.window.windowId))) await showPrompt(prompt);
}

/** Rejects the undecided prompt of a window that was closed. */
export async function promptWindowClosed(windowId: number): Promise<void> {
  const prompt = (await openPrompts()).find(({ window }) => window.windowId === windowId);
  if (prompt) await endPrompt(prompt, closedError(prompt), { dismissedBy: 'user' });
}

/** Ends all prompts, because the browser restarted or the wallet was removed, which closed their windows. */
export async function dropPrompts(): Promise<void> {
  for (const prompt of await openPrompts()) await endPrompt(prompt, closedError(prompt));
}

function closedError(prompt: Prompt): ServiceError {
  const { closed, declined } = kindOf(prompt);
  return new ServiceError(closed ?? declined);
}
