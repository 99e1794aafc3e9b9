/** The prompt to unlock the wallet for a site. All calls of the site share one window. */
import type { UnlockPromptView } from '../../../../protocol/wallet-messages.ts';
import { promptUser } from '../../prompts/ask.ts';
import { answerPrompt } from '../../prompts/decide.ts';
import type { PromptKind } from '../../prompts/kinds.ts';
import { changePrompt, openPrompts } from '../../prompts/store.ts';
import { closeWindow } from '../../prompts/window.ts';
import { vaultStatus } from '../../vault/vault.ts';
import type { Caller } from '../caller.ts';
import { isAskedAnew } from './line.ts';

export const unlockPrompt: PromptKind<{ call: string }, null, UnlockPromptView> = {
  name: 'unlock',
  approvedBy: 'unlock',
  declined: 'wallet-locked',
  view: () => Promise.resolve({ kind: 'unlock' }),
  approve: (prompt) => answerPrompt(prompt, () => null),
};

export const isUnlocked = async (): Promise<boolean> => !(await vaultStatus()).locked;

/**
 * Prompts the user to unlock the wallet.
 * @throws ServiceError `wallet-not-set-up`, `wallet-locked` (rejected), `busy`, `too-many-requests`, `site-blocked`,
 * `page-gone`
 */
export function askToUnlock(caller: Caller): Promise<null> {
  return promptUser(
    unlockPrompt,
    { ...caller, message: unlockPrompt.name },
    () => Promise.resolve({ call: caller.message }),
    () => true,
    (ended) => isAskedAnew(ended, unlockPrompt.declined, caller),
  );
}

/** Answers the waiting calls and closes their windows, after the wallet was unlocked elsewhere. */
export async function answerUnlocked(): Promise<void> {
  const open = (await openPrompts()).filter(({ kind }) => kind === unlockPrompt.name);
  if (open.length === 0 || !(await isUnlocked())) return;
  for (const prompt of open) {
    await changePrompt(prompt, () => ({ outcome: { answer: null } }));
    await closeWindow(prompt.window.windowId);
  }
}
