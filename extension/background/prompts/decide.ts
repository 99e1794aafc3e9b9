/** The user's view of a prompt in its window, and the decision. */
import { ServiceError } from '../../../protocol/errors.ts';
import type { WriteTransaction } from '../database.ts';
import { readSettings } from '../settings.ts';
import { offersBlock } from '../sites/site.ts';
import { recordApproval, readSite } from '../sites/store.ts';
import { vaultStatus } from '../vault/vault.ts';
import { kindOf, type Approval, type PromptView } from './kinds.ts';
import type { Prompt } from './prompt.ts';
import { changePrompt, endPrompt, openPrompts, readPrompt } from './store.ts';
import { wasRead } from './window.ts';

async function promptOf(approvalId: string): Promise<Prompt> {
  const prompt = (await openPrompts()).find(({ state, window }) => state !== 'withheld' && window.id === approvalId);
  if (!prompt) throw new ServiceError('approval-unknown');
  return prompt;
}

/**
 * Returns what the window of a prompt shows. The first view starts the reading time.
 * @param windowId the window's number as reported by the browser: a worker that died after it opened the window hasn't
 * stored it
 * @throws ServiceError `approval-unknown`
 */
export async function viewPrompt(approvalId: string, windowId: number | null = null): Promise<PromptView> {
  const prompt = await promptOf(approvalId);
  const { network } = await readSettings();
  const { locked } = await vaultStatus();
  const view = await kindOf(prompt).view(prompt, locked);
  await noteShown(prompt, windowId);
  const mayBlock = offersBlock(await readSite(prompt.origin), Date.now());
  return { ...view, origin: prompt.origin, locked, network, mayBlock } as PromptView;
}

/** Writes only changes: the window re-reads after each one, so unconditional writes would loop. */
async function noteShown(prompt: Prompt, windowId: number | null): Promise<void> {
  const shown = ({ window }: Prompt) => ({
    ...window,
    windowId: window.windowId ?? windowId,
    shownAt: window.shownAt ?? Date.now(),
  });
  const isNew = (one: Prompt) =>
    one.window.id === prompt.window.id && (one.window.shownAt === null || one.window.windowId !== shown(one).windowId);
  const now = await readPrompt(prompt);
  if (now && isNew(now)) await changePrompt(prompt, (one) => (isNew(one) ? { window: shown(one) } : {}));
}

/** Restarts the reading time, because the window shows something new. */
export const readAgain = ({ window }: Pick<Prompt, 'window'>): Pick<Prompt, 'window'> => ({
  window: { ...window, shownAt: null },
});

/**
 * Processes the user's approval.
 * @throws ServiceError `approval-unknown` (also for another kind's approval), `too-soon`, `wallet-locked`, and those of
 * the kind
 */
export async function approvePrompt(approvalId: string, yes: Approval): Promise<void> {
  const prompt = await promptOf(approvalId);
  const kind = kindOf(prompt);
  if (kind.approvedBy !== yes.decision) throw new ServiceError('approval-unknown');
  if (!wasRead(prompt.window)) throw new ServiceError('too-soon');
  if ((await vaultStatus()).locked) throw new ServiceError('wallet-locked');
  await kind.approve(prompt, yes);
}

/**
 * Ends a prompt with the answer of its approval. Only one of several concurrent approvals counts.
 * @param answer makes the answer, and may change other stores in the same database transaction; it must await nothing
 * else
 * @throws ServiceError `approval-unknown`
 */
export async function answerPrompt<Details, Answer>(
  prompt: Prompt<Details, Answer>,
  answer: (tx: WriteTransaction) => Answer | Promise<Answer>,
): Promise<void> {
  const taken = await changePrompt<Details, Answer>(prompt, async ({ window, origin }, tx) => {
    if (window.id !== prompt.window.id) throw new ServiceError('approval-unknown');
    await recordApproval(tx, origin);
    return { outcome: { answer: await answer(tx) } };
  });
  if (!taken) throw new ServiceError('approval-unknown');
}

/**
 * Rejects a prompt, and optionally blocks the site until a time (milliseconds since 1970).
 * @throws ServiceError `approval-unknown`
 */
export async function rejectPrompt(approvalId: string, blockedUntil: number | null = null): Promise<void> {
  const prompt = await promptOf(approvalId);
  await endPrompt(prompt, new ServiceError(kindOf(prompt).declined), { dismissedBy: 'user', blockedUntil });
}
