/** Limits open prompts: one per site and four in total, none for a site that is blocked or must wait. */
import { ServiceError } from '../../protocol/errors/service-error.ts';
import type { UserActivation } from '../../protocol/messages/page-messages.ts';
import type { WriteTransaction } from '../store/database.ts';
import { refuseBlocked, getSite, mustWait } from '../sites/store.ts';
import type { PromptView } from './kinds.ts';
import type { Prompt } from './prompt.ts';
import { promptIn, updatePrompt, type PromptKey, openPromptsIn } from './store.ts';
import type { Wallet } from '../platform.ts';

/** Maximum number of windows across all sites. */
const MAX_WINDOWS = 4;

/** Returns the open prompts, and the origins of those that await a decision and of those in preparation. */
async function places(tx: WriteTransaction): Promise<{ open: Prompt[]; windows: string[]; preparing: string[] }> {
  const open = await openPromptsIn(tx);
  const of = (state: string) => open.filter((one) => one.state === state).map(({ origin }) => origin);
  return { open, windows: of('awaitingDecision'), preparing: of('preparing') };
}

const NAMES: Readonly<Record<PromptView['kind'], string>> = {
  payment: 'A payment',
  mint: 'The creation of a token',
  'sign-in': 'A sign-in',
  allowance: 'An allowance',
  permission: 'A permission',
  'permission-group': 'A list of permissions',
  operations: 'A signature, encryption or decryption',
  unlock: 'A request to unlock the wallet',
};
const WHERE = 'Click the wallet’s icon in the toolbar to bring its window to the front. No money has moved.';

function busyWith(kind: string): ServiceError {
  const name = NAMES[kind as PromptView['kind']];
  return new ServiceError('busy', { message: `${name} for this site is already waiting for your decision. ${WHERE}` });
}

/** Other sites aren't named, because a page must not learn which of them have prompts. */
function busyElsewhere(): ServiceError {
  const message = `Windows for other sites are already waiting for your decision. ${WHERE}`;
  return new ServiceError('busy', { message });
}

/**
 * Checks that a site can open a prompt, in the transaction that stores it.
 * @throws ServiceError `site-blocked`, `busy`, `too-many-requests` (the site's last windows were dismissed, without a
 * user gesture since)
 */
export async function checkPromptLimits(
  wallet: Wallet,
  tx: WriteTransaction,
  origin: string,
  userActivation: UserActivation,
): Promise<void> {
  await refuseBlocked(wallet, tx, origin);
  const { open, windows, preparing } = await places(tx);
  const all = [...windows, ...preparing];
  const own = open.find((one) => one.origin === origin && one.state !== 'withheld');
  if (own) throw busyWith(own.kind);
  // A user gesture ignores prompts in preparation, because a site can stall those with hosts that never respond.
  if ((userActivation === 'new' ? windows : all).length >= MAX_WINDOWS) throw busyElsewhere();
  // Each gesture allows one prompt. Otherwise, one click could open window after window.
  if (userActivation !== 'new' && mustWait(await getSite(tx, origin), wallet.now()))
    throw new ServiceError('too-many-requests');
}

/**
 * Moves a prompt from `preparing` to `awaitingDecision`. Does nothing in other states.
 * @throws ServiceError `busy` if the maximum number of windows is open
 */
export async function promptPrepared(tx: WriteTransaction, key: PromptKey): Promise<void> {
  const prompt = await promptIn(tx, key);
  if (prompt?.state !== 'preparing') return;
  if ((await places(tx)).windows.length >= MAX_WINDOWS) throw busyElsewhere();
  await updatePrompt(tx, prompt, { event: 'prepare' });
}
