/** The contents of a prompt's window, and the user's decision in it. */
import { ServiceError } from '../../protocol/errors/service-error.ts';
import type { WriteTransaction } from '../store/database.ts';
import { readSettings } from '../settings.ts';
import { recordApproval, readSite, offersBlock } from '../sites/store.ts';
import { vaultStatus } from '../vault/vault.ts';
import { kindOf, type Approval, type PromptView } from './kinds.ts';
import type { Prompt } from './prompt.ts';
import { changePrompt, endPrompt, openPrompts, readPrompt } from './store.ts';
import { wasRead } from './show.ts';
import type { Wallet } from '../platform.ts';

async function promptOf(wallet: Wallet, promptId: string): Promise<Prompt> {
  const prompt = (await openPrompts(wallet)).find(
    ({ state, window }) => state !== 'withheld' && window.id === promptId,
  );
  if (!prompt) throw new ServiceError('approval-unknown');
  return prompt;
}

/**
 * Returns the contents of a prompt's window. The first view starts the reading time.
 * @param windowId the browser's window ID, stored in case the worker that opened the window stopped before it could
 * store the ID
 * @throws ServiceError `approval-unknown`
 */
export async function viewPrompt(
  wallet: Wallet,
  promptId: string,
  windowId: number | null = null,
): Promise<PromptView> {
  const prompt = await promptOf(wallet, promptId);
  const { network } = await readSettings(wallet);
  const { locked } = await vaultStatus(wallet);
  const view = await kindOf(wallet, prompt).view(prompt, locked);
  await noteShown(wallet, prompt, windowId);
  const mayBlock = offersBlock(await readSite(wallet, prompt.origin), wallet.now());
  return { ...view, origin: prompt.origin, locked, network, mayBlock } as PromptView;
}

/** Stores only changes. The window reloads after each change, so unconditional writes would cause an endless loop. */
async function noteShown(wallet: Wallet, prompt: Prompt, windowId: number | null): Promise<void> {
  const shown = ({ window }: Prompt) => ({
    ...window,
    windowId: window.windowId ?? windowId,
    shownAt: window.shownAt ?? wallet.now(),
  });
  const isNew = (one: Prompt) =>
    one.window.id === prompt.window.id && (one.window.shownAt === null || one.window.windowId !== shown(one).windowId);
  const now = await readPrompt(wallet, prompt);
  if (now && isNew(now)) await changePrompt(wallet, prompt, (one) => (isNew(one) ? { window: shown(one) } : {}));
}

/** Returns a change that restarts the reading time, because the window has new contents. */
export const readAgain = ({ window }: Pick<Prompt, 'window'>): Pick<Prompt, 'window'> => ({
  window: { ...window, shownAt: null },
});

/**
 * Processes the user's approval.
 * @throws ServiceError `approval-unknown` (also for an approval of a different kind), `too-soon`, `wallet-locked`, and the
 * kind's own errors
 */
export async function approvePrompt(wallet: Wallet, promptId: string, yes: Approval): Promise<void> {
  const prompt = await promptOf(wallet, promptId);
  const kind = kindOf(wallet, prompt);
  if (kind.approvedBy !== yes.decision) throw new ServiceError('approval-unknown');
  if (!wasRead(wallet, prompt.window)) throw new ServiceError('too-soon');
  if ((await vaultStatus(wallet)).locked) throw new ServiceError('wallet-locked');
  await kind.approve(prompt, yes);
}

/**
 * Ends an approved prompt with the answer to the page. Only one of several concurrent approvals takes effect.
 * @param answer creates the answer. The function can change other stores in the transaction, and must await only the
 * transaction
 * @throws ServiceError `approval-unknown`
 */
export async function resolvePrompt<Details, Answer>(
  wallet: Wallet,
  prompt: Prompt<Details, Answer>,
  answer: (tx: WriteTransaction) => Answer | Promise<Answer>,
): Promise<void> {
  const taken = await changePrompt<Details, Answer>(wallet, prompt, async ({ window, origin }, tx) => {
    if (window.id !== prompt.window.id) throw new ServiceError('approval-unknown');
    await recordApproval(tx, origin);
    return { event: 'answer', answer: await answer(tx) };
  });
  if (!taken) throw new ServiceError('approval-unknown');
}

/**
 * Rejects a prompt, and optionally blocks the site until a time (milliseconds since 1970).
 * @throws ServiceError `approval-unknown`
 */
export async function rejectPrompt(
  wallet: Wallet,
  promptId: string,
  blockedUntil: number | null = null,
): Promise<void> {
  const prompt = await promptOf(wallet, promptId);
  await endPrompt(wallet, prompt, new ServiceError(kindOf(wallet, prompt).declined), {
    dismissedBy: 'user',
    blockedUntil,
  });
}
