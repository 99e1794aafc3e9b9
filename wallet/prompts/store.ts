/**
 * The prompt store. Each change is one database transaction, which may also change other stores. Limits open prompts to
 * one per site and four in total, and rejects prompts from sites that are blocked or must wait.
 */
import { toWireError, type WireError, ServiceError } from '../../protocol/errors/service-error.ts';
import { inTransaction, type WriteTransaction, readTransaction, type Reading, database } from '../store/database.ts';
import { announceChange, nextChange, signalChange } from '../events.ts';
import { recordBlock, recordRejection, refuseBlocked, getSite, mustWait } from '../sites/store.ts';
import { kindOf, type PromptView } from './kinds.ts';
import type { Prompt, PromptState, PromptWindow } from './prompt.ts';
import { movePrompt, type PromptChange } from './move.ts';
import type { Wallet } from '../platform.ts';
import type { PaymentOptions } from '../../protocol/payments/payment.ts';
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import type { UserActivation } from '../../protocol/messages/page-messages.ts';

export type PromptKey = Pick<Prompt, 'origin' | 'message'>;

/** How long outcomes are stored after the decision (milliseconds), in case a page repeats the request. */
const ANSWER_LIFE_MS = 600_000;

const keyOf = ({ origin, message }: PromptKey): [string, string] => [origin, message];

export async function readPrompt(wallet: Wallet, key: PromptKey): Promise<Prompt | undefined> {
  return promptIn(readTransaction(await database(wallet)), key);
}

/** Returns a prompt, read within the caller's transaction. */
export function promptIn(tx: Reading, key: PromptKey): Promise<Prompt | undefined> {
  return tx.objectStore('prompts').get(keyOf(key));
}

export async function openPrompts(wallet: Wallet): Promise<Prompt[]> {
  return openPromptsIn(readTransaction(await database(wallet)));
}

/** Returns the open prompts, read within the caller's transaction. */
export async function openPromptsIn(tx: Reading): Promise<Prompt[]> {
  return (await allPrompts(tx)).filter(({ outcome }) => outcome === null);
}

/** Returns all prompts, including those that have ended but are stored for repeated requests. */
export const allPrompts = (tx: Reading): Promise<Prompt[]> => tx.objectStore('prompts').getAll();

/** Waits for the next change to a prompt with the same `message`. */
export const nextPromptChange = (wallet: Wallet, { message }: PromptKey): Promise<void> => nextChange(wallet, message);

/** Returns the data for a window that isn't open yet. */
export const newWindow = (wallet: Wallet): PromptWindow => ({ id: randomId(wallet), windowId: null, shownAt: null });

/**
 * Stores a new prompt within the caller's transaction, and replaces one that has ended. The caller checks the limits.
 * @throws ServiceError `internal` if a prompt with this name is open
 */
export async function putPrompt<Details>(
  wallet: Wallet,
  tx: WriteTransaction,
  kind: string,
  { origin, message }: PromptKey,
  details: Details,
  state: PromptState,
  createdAt = wallet.now(),
): Promise<Prompt> {
  if ((await promptIn(tx, { origin, message }))?.outcome === null)
    throw new ServiceError('internal', { detail: 'a prompt with this name is open' });
  const prompt: Prompt = {
    kind,
    origin,
    message,
    createdAt,
    state,
    window: newWindow(wallet),
    details,
    outcome: null,
  };
  await tx.objectStore('prompts').put(prompt);
  return prompt;
}

/** Changes an open prompt within the caller's transaction. The caller announces the change. */
export async function updatePrompt(tx: WriteTransaction, prompt: Prompt, change: PromptChange): Promise<void> {
  await tx.objectStore('prompts').put(movePrompt(prompt, change));
}

/** Deletes a prompt instead of ending it, within the caller's transaction. */
export async function removePrompt(tx: WriteTransaction, key: PromptKey): Promise<void> {
  await tx.objectStore('prompts').delete(keyOf(key));
}

/** Deletes ended prompts with expired answers. */
export async function dropAnswered(wallet: Wallet, tx: WriteTransaction): Promise<void> {
  const prompts = tx.objectStore('prompts');
  for (const old of await prompts.getAll())
    if (old.outcome !== null && !hasJustEnded(wallet, old)) await prompts.delete(keyOf(old));
}

/** True if an ended prompt's outcome still applies to repeated requests. */
export function hasJustEnded(wallet: Wallet, { createdAt, endedAt = createdAt }: Prompt): boolean {
  return Math.abs(wallet.now() - endedAt) <= ANSWER_LIFE_MS;
}

/**
 * Changes a prompt that is still open, in one database transaction.
 * @returns the changed prompt; null, without changes, if it isn't open
 */
export async function changePrompt<Details, Answer>(
  wallet: Wallet,
  key: PromptKey,
  to: (
    prompt: Prompt<Details, Answer>,
    tx: WriteTransaction,
  ) => PromptChange<Details, Answer> | Promise<PromptChange<Details, Answer>>,
): Promise<Prompt<Details, Answer> | null> {
  const changed = await inTransaction(wallet, async (tx) => {
    const prompt = await promptIn(tx, key);
    if (prompt?.outcome !== null) return null;
    const moved = movePrompt(prompt, await to(prompt as Prompt<Details, Answer>, tx));
    const next = moved.outcome === null ? moved : { ...moved, endedAt: wallet.now() };
    const { record, kept } = kindOf(wallet, next);
    if (next.outcome !== null && record) await removePrompt(tx, key);
    else
      await tx
        .objectStore('prompts')
        .put(next.outcome === null || !kept ? next : { ...next, details: kept(next.details) });
    return next as Prompt<Details, Answer>;
  });
  if (changed) {
    signalChange(wallet, key.message);
    announceChange(wallet);
  }
  return changed;
}

export interface Ending {
  /** True if the prompt couldn't be shown or processed, as opposed to rejected by the user. */
  failed?: boolean;
  /** Who dismissed the prompt. Dismissals make the site wait. */
  dismissedBy?: 'user' | 'page';
  /** Time until which the site is blocked (milliseconds since 1970). */
  blockedUntil?: number | null;
}

/**
 * Ends an open prompt with an error instead of an answer.
 * @returns the ended prompt, or null if it had already ended
 */
export function endPrompt(
  wallet: Wallet,
  key: PromptKey,
  error: unknown,
  { failed = false, dismissedBy, blockedUntil = null }: Ending = {},
): Promise<Prompt | null> {
  return changePrompt(wallet, key, async (prompt, tx) => {
    const wire: WireError = toWireError(error);
    if (dismissedBy && prompt.state !== 'withheld') await recordRejection(wallet, tx, prompt.origin, dismissedBy);
    if (blockedUntil !== null) await recordBlock(wallet, tx, prompt.origin, blockedUntil);
    if (dismissedBy === 'user') await kindOf(wallet, prompt).dismissed?.(tx, prompt);
    await kindOf(wallet, prompt).record?.(tx, prompt, wire, failed);
    return { event: 'end', error: wire };
  });
}

/** True if the options are equal, regardless of the label and the order of keys. */
export function sameOptions(one: PaymentOptions, other: PaymentOptions): boolean {
  return canonical({ ...one, label: undefined }) === canonical({ ...other, label: undefined });
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

/** Returns the prompt name for a request ID. A page may repeat the same ID in a message with a different name. */
export const promptNameOf = (requestId: string): string => `request ${requestId}`;

/** Returns 128 random bits as hex. */
export const randomId = (wallet: Wallet): string => toHex(wallet.getRandomValues(new Uint8Array(16)));

const MAX_WINDOWS = 4;

/** Returns the open prompts, and the origins of those that await a decision and of those being prepared. */
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

/** Other sites aren't named, so a page can't tell which of them have prompts. */
function busyElsewhere(): ServiceError {
  const message = `Windows for other sites are already waiting for your decision. ${WHERE}`;
  return new ServiceError('busy', { message });
}

/**
 * Checks that a site can open a prompt, in the transaction that stores it.
 * @throws ServiceError `site-blocked`, `busy`, `too-many-requests` (the site's last windows were dismissed, and there
 * has been no user gesture since)
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
  // After a user gesture, prompts being prepared don't count, because a site can stall them with hosts that never
  // respond.
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
