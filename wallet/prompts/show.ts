import { ServiceError } from '../../protocol/errors/service-error.ts';
import { kindOf } from './kinds.ts';
import type { Prompt } from './prompt.ts';
import { changePrompt, endPrompt, newWindow, openPrompts, readPrompt, type PromptKey } from './store.ts';
import { closeWindow, focusWindow, openWindow, windowExists } from './window.ts';
import type { Wallet } from '../platform.ts';

/**
 * Opens the window of a prompt that awaits the user's decision, if none is open. A page that repeats its request can't
 * bring it to the front. A prompt whose window fails to open ends, so that it doesn't count among the windows.
 * @returns the prompt as it was before; undefined if there is none
 */
export async function showPrompt(wallet: Wallet, key: PromptKey): Promise<Prompt | undefined> {
  const prompt = await readPrompt(wallet, key);
  if (prompt?.state === 'awaitingDecision')
    await open(wallet, prompt).catch((error: unknown) => endPrompt(wallet, key, error, { failed: true }));
  return prompt;
}

async function open(wallet: Wallet, prompt: Prompt): Promise<void> {
  if (await windowExists(wallet, prompt.window.windowId)) return;
  // A window opened by an earlier worker may be open without a stored number, and is useless now.
  const window = newWindow(wallet);
  if (!(await changePrompt(wallet, prompt, () => ({ window })))) return;
  const windowId = await openWindow(wallet, window.id);
  const kept = await changePrompt(wallet, prompt, (now) => ({ window: { ...now.window, windowId } }));
  if (!kept) await closeWindow(wallet, windowId);
  // The window was closed before it was stored, so the event was missed.
  if (kept && windowId !== null && !(await windowExists(wallet, windowId))) await promptWindowClosed(wallet, windowId);
}

/**
 * Brings the window of a prompt to the front, or opens it again if the browser has lost it.
 * @param id the window's own id
 * @throws ServiceError `approval-unknown` (it is no longer open)
 */
export async function bringToFront(wallet: Wallet, id: string): Promise<void> {
  const prompt = (await openPrompts(wallet)).find(
    ({ window, state }) => window.id === id && state === 'awaitingDecision',
  );
  if (!prompt) throw new ServiceError('approval-unknown');
  if (!(await focusWindow(wallet, prompt.window.windowId))) await showPrompt(wallet, prompt);
}

/** Rejects the undecided prompt of a window that was closed. */
export async function promptWindowClosed(wallet: Wallet, windowId: number): Promise<void> {
  const prompt = (await openPrompts(wallet)).find(({ window }) => window.windowId === windowId);
  if (prompt) await endPrompt(wallet, prompt, closedError(wallet, prompt), { dismissedBy: 'user' });
}

/** Ends all prompts, because the browser restarted or the wallet was removed, which closed their windows. */
export async function dropPrompts(wallet: Wallet): Promise<void> {
  for (const prompt of await openPrompts(wallet)) await endPrompt(wallet, prompt, closedError(wallet, prompt));
}

function closedError(wallet: Wallet, prompt: Prompt): ServiceError {
  const { closed, declined } = kindOf(wallet, prompt);
  return new ServiceError(closed ?? declined);
}
