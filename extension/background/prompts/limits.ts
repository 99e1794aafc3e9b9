/** Which prompts get a place before the user: one for each site, four altogether, and none for a blocked or pressing site. */
import { ServiceError } from '../../../protocol/errors.ts';
import type { UserActivation } from '../../../protocol/page-messages.ts';
import type { WriteTransaction } from '../database.ts';
import { mustWait } from '../sites/site.ts';
import { refuseBlocked } from '../sites/store.ts';
import { promptIn, updatePrompt, type PromptKey } from './store.ts';

/** Most windows at once, over all sites. */
const MAX_WINDOWS = 4;

/** The origins of all prompts that have a place: those with a window, or about to have it, and those being prepared. */
async function places(tx: WriteTransaction): Promise<{ windows: string[]; preparing: string[] }> {
  const open = (await tx.objectStore('prompts').getAll()).filter(({ outcome }) => outcome === null);
  const of = (state: string) => open.filter((one) => one.state === state).map(({ origin }) => origin);
  return { windows: of('awaitingDecision'), preparing: of('preparing') };
}

/**
 * Checks that a site may put a question to the user, in the transaction that stores it.
 * @throws ServiceError `site-blocked`, `busy`, `too-many-requests` (its last windows came to nothing, and no person has
 * acted since)
 */
export async function checkPromptLimits(
  tx: WriteTransaction,
  origin: string,
  userActivation: UserActivation,
): Promise<void> {
  await refuseBlocked(tx, origin);
  const { windows, preparing } = await places(tx);
  const all = [...windows, ...preparing];
  if (all.includes(origin)) throw new ServiceError('busy');
  // Where a site has its payments quoted by hosts that never answer, no person who acts elsewhere waits for those.
  if ((userActivation === 'new' ? windows : all).length >= MAX_WINDOWS) throw new ServiceError('busy');
  // An act that something was asked for already excuses nothing: else one click would open window after window.
  if (userActivation !== 'new' && mustWait(await tx.objectStore('sites').get(origin), Date.now()))
    throw new ServiceError('too-many-requests');
}

/**
 * What the window of a prompt shows is there: from here on it awaits the user's decision. Does nothing to one that was
 * not being prepared.
 * @throws ServiceError `busy` (no window is free any more)
 */
export async function promptPrepared(tx: WriteTransaction, key: PromptKey): Promise<void> {
  const prompt = await promptIn(tx, key);
  if (prompt?.state !== 'preparing') return;
  if ((await places(tx)).windows.length >= MAX_WINDOWS) throw new ServiceError('busy');
  await updatePrompt(tx, prompt, { state: 'awaitingDecision' });
}
