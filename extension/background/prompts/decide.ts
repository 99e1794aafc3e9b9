/** What the user sees and decides in the window of a prompt. */
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
 * What the window of a prompt shows. From the first time on the user has time to read.
 * @param windowId its number, by the browser's word: a worker that died when it had opened it has not stored that
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

/** Writes only what is new: the window is notified of each change and would read again, in an endless loop. */
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

/** What a window shows has changed: what is new must be read first, so the time to read begins again. */
export const readAgain = ({ window }: Pick<Prompt, 'window'>): Pick<Prompt, 'window'> => ({
  window: { ...window, shownAt: null },
});

/**
 * Takes the user's yes.
 * @throws ServiceError `approval-unknown` (also where it is a yes to another kind), `too-soon`, `wallet-locked`, and those of
 *   the kind
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
 * Ends a prompt with what a yes brings. Of any number of yeses at once, one is taken.
 * @param answer makes the answer, and may change other stores in the same database transaction; it must await nothing
 *   else
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
 * Takes the user's no, and where the user wants it blocks the site until a time (milliseconds since 1970).
 * @throws ServiceError `approval-unknown`
 */
export async function rejectPrompt(approvalId: string, blockedUntil: number | null = null): Promise<void> {
  const prompt = await promptOf(approvalId);
  await endPrompt(prompt, new ServiceError(kindOf(prompt).declined), { dismissedBy: 'user', blockedUntil });
}
