/** The prompt to unlock the wallet for a site. All calls from a site share one window. */
import type { UnlockPromptView } from '../../../protocol/messages/wallet-messages.ts';
import { promptUser } from '../../prompts/request.ts';
import { resolvePrompt } from '../../prompts/decide.ts';
import type { PromptKind } from '../../prompts/kinds.ts';
import { changePrompt, openPrompts } from '../../prompts/store.ts';
import { closeWindow } from '../../prompts/show.ts';
import { vaultStatus } from '../../vault/vault.ts';
import type { Caller } from '../caller.ts';
import { isPromptedAgain } from './permission-queue.ts';
import { part, type Wallet } from '../../platform.ts';

export const unlockPrompt = part((wallet): PromptKind<{ call: string }, null, UnlockPromptView> => ({
  name: 'unlock',
  approvedBy: 'unlock',
  declined: 'wallet-locked',
  view: () => Promise.resolve({ kind: 'unlock' }),
  approve: (prompt) => resolvePrompt(wallet, prompt, () => null),
}));

export const isUnlocked = async (wallet: Wallet): Promise<boolean> => !(await vaultStatus(wallet)).locked;

/**
 * Prompts the user to unlock the wallet.
 * @throws ServiceError `wallet-not-set-up`, `wallet-locked` (rejected), `busy`, `too-many-requests`, `site-blocked`,
 * `page-gone`
 */
export function promptUnlock(wallet: Wallet, caller: Caller): Promise<null> {
  return promptUser(
    wallet,
    unlockPrompt(wallet),
    { ...caller, message: unlockPrompt(wallet).name },
    () => Promise.resolve({ call: caller.message }),
    () => true,
    (ended) => isPromptedAgain(wallet, ended, unlockPrompt(wallet).declined, caller),
  );
}

/** If the wallet is unlocked, resolves all pending unlock prompts and closes their windows. */
export async function resolveUnlockPrompts(wallet: Wallet): Promise<void> {
  const open = (await openPrompts(wallet)).filter(({ kind }) => kind === unlockPrompt(wallet).name);
  if (open.length === 0 || !(await isUnlocked(wallet))) return;
  for (const prompt of open) {
    await changePrompt(wallet, prompt, () => ({ event: 'answer', answer: null }));
    await closeWindow(wallet, prompt.window.windowId);
  }
}
