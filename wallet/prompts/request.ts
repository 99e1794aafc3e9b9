/**
 * Prompts that pages request. A prompt is stored before its window opens so that repeated requests (for example, after
 * the worker stopped) join it. It is withdrawn when no page is waiting for it any longer.
 */
import { ServiceError } from '../../protocol/errors/service-error.ts';
import type { UserActivation } from '../../protocol/messages/page-messages.ts';
import { hasKey, inTransaction } from '../store/database.ts';
import { signalChange } from '../events.ts';
import type { PromptKind, PromptView } from './kinds.ts';
import {
  checkPromptLimits,
  dropAnswered,
  endPrompt,
  nextPromptChange,
  openPrompts,
  promptIn,
  putPrompt,
  readPrompt,
  removePrompt,
  type PromptKey,
} from './store.ts';
import type { Prompt } from './prompt.ts';
import { showPrompt, closeWindow } from './show.ts';
import { part, type Wallet } from '../platform.ts';

/** The caller: browser-verified origin, message name, document, and user activation seen by the relay. */
export interface Client {
  origin: string;
  message: string;
  client: object;
  userActivation: UserActivation;
}

// Documents waiting for each prompt. Lost when the worker stops, after which the pages repeat their requests.
const waiting = part(() => new Map<string, { key: PromptKey; clients: Set<object> }>());
const gone = part(() => new WeakSet<object>());
const running = part(() => new Map<string, Promise<unknown>>());

const nameOf = ({ origin, message }: PromptKey) => JSON.stringify([origin, message]);

/** Runs one call per name at a time. Concurrent calls with the same name share its result. */
export function shared<T>(wallet: Wallet, name: string, run: () => Promise<T>): Promise<T> {
  const begun =
    (running(wallet).get(name) as Promise<T> | undefined) ?? run().finally(() => running(wallet).delete(name));
  running(wallet).set(name, begun);
  return begun;
}

/**
 * Prompts the user, and returns the approved prompt's answer.
 * @param prepare checks the request and returns the details to store. Not called if the request joins a stored prompt
 * @param isSame true if the stored details match the request
 * @param isPromptedAgain true to prompt again although a prompt with this name has ended. By default, only if its page
 * was unloaded
 * @throws ServiceError `wallet-not-set-up`, `busy`, `too-many-requests`, `site-blocked`, `page-gone`, `invalid-request`
 * (the name belongs to a different kind of prompt), `request-id-reused` (the name belongs to a different request of
 * this kind), the kind's rejection, and errors from `prepare`
 */
export async function promptUser<Details, Answer, View extends PromptView>(
  wallet: Wallet,
  kind: PromptKind<Details, Answer, View>,
  { origin, message, client, userActivation }: Client,
  prepare: () => Promise<Details>,
  isSame: (details: Details) => boolean = () => true,
  isPromptedAgain: (ended: Prompt<Details, Answer>) => boolean = ({ outcome }) =>
    isRequestedAgain(outcome, userActivation),
): Promise<Answer> {
  if (!(await hasKey(wallet, 'vault'))) throw new ServiceError('wallet-not-set-up');
  // The document was unloaded while its request was queued.
  if (gone(wallet).has(client)) throw new ServiceError('page-gone');
  const key = { origin, message };
  await shared(wallet, nameOf(key), () =>
    begin(wallet, kind, key, userActivation, prepare, isPromptedAgain as (ended: Prompt) => boolean),
  );
  return waitAs(wallet, key, client, async () => {
    for (;;) {
      const change = nextPromptChange(wallet, key);
      const prompt = (await readPrompt(wallet, key)) as Prompt<Details, Answer> | undefined;
      if (!prompt) throw new ServiceError('page-gone');
      if (prompt.kind !== kind.name) throw new ServiceError('invalid-request');
      if (!isSame(prompt.details)) throw new ServiceError('request-id-reused');
      if (prompt.outcome && 'answer' in prompt.outcome) return prompt.outcome.answer;
      if (prompt.outcome) throw new ServiceError(prompt.outcome.error.code, { message: prompt.outcome.error.message });
      await change;
    }
  });
}

async function begin<Details, Answer, View extends PromptView>(
  wallet: Wallet,
  kind: PromptKind<Details, Answer, View>,
  key: PromptKey,
  userActivation: UserActivation,
  prepare: () => Promise<Details>,
  isPromptedAgain: (ended: Prompt) => boolean,
): Promise<void> {
  const isKnown = (prompt: Prompt | undefined) =>
    prompt !== undefined && (prompt.outcome === null || !isPromptedAgain(prompt));
  if (!isKnown(await readPrompt(wallet, key))) {
    const details = await prepare();
    await inTransaction(wallet, async (tx) => {
      if (isKnown(await promptIn(tx, key))) return;
      await checkPromptLimits(wallet, tx, key.origin, userActivation);
      await dropAnswered(wallet, tx);
      await putPrompt(wallet, tx, kind.name, key, details, 'awaitingDecision');
    });
    // The wallet may have been removed since the first check, and its removal may have missed the prompt.
    if (!(await hasKey(wallet, 'vault'))) {
      await inTransaction(wallet, (tx) => removePrompt(tx, key));
      throw new ServiceError('wallet-not-set-up');
    }
  }
  if ((await readPrompt(wallet, key))?.kind === kind.name) await showPrompt(wallet, key);
}

/** True if the prompt ended because its page was unloaded, and the request is repeated with a new user gesture. */
function isRequestedAgain(outcome: Prompt['outcome'], userActivation: UserActivation): boolean {
  return userActivation === 'new' && outcome !== null && 'error' in outcome && outcome.error.code === 'page-gone';
}

/**
 * Waits for the outcome of a prompt on behalf of a document. A prompt is withdrawn once no document is waiting for it.
 */
export async function waitAs<T>(wallet: Wallet, key: PromptKey, client: object, wait: () => Promise<T>): Promise<T> {
  const name = nameOf(key);
  const entry = waiting(wallet).get(name) ?? { key, clients: new Set() };
  entry.clients.add(client);
  waiting(wallet).set(name, entry);
  if (gone(wallet).has(client)) await withdrawClient(wallet, client); // unloaded in the meantime
  try {
    return await wait();
  } finally {
    entry.clients.delete(client);
    if (entry.clients.size === 0) waiting(wallet).delete(name);
  }
}

export const isClientGone = (wallet: Wallet, client: object): boolean => gone(wallet).has(client);

export const waitersOf = (wallet: Wallet, key: PromptKey): number =>
  waiting(wallet).get(nameOf(key))?.clients.size ?? 0;

export const isAwaited = (wallet: Wallet, key: PromptKey): boolean => waitersOf(wallet, key) > 0;

/** Wakes all callers waiting for a prompt after all prompts have been deleted. */
export function wakeCallers(wallet: Wallet): void {
  for (const { key } of waiting(wallet).values()) signalChange(wallet, key.message);
}

/** Withdraws the prompts of an unloaded document that no other document is waiting for. */
export async function withdrawClient(wallet: Wallet, client: object): Promise<void> {
  gone(wallet).add(client);
  for (const { key, clients } of waiting(wallet).values()) {
    if (clients.delete(client) && clients.size === 0) await withdraw(wallet, key, 'page');
  }
}

/**
 * Withdraws open prompts from earlier worker runs if no page is waiting for them, and deletes old answers. Called after
 * pages have had time to repeat their requests.
 * @param before start of this run, milliseconds since 1970
 */
export async function withdrawAbandoned(wallet: Wallet, before: number): Promise<void> {
  await inTransaction(wallet, (tx) => dropAnswered(wallet, tx));
  for (const prompt of await openPrompts(wallet))
    if (!isAwaited(wallet, prompt) && prompt.createdAt < before) await withdraw(wallet, prompt);
}

/** Withdraws a prompt. @param dismissedBy `page` counts the withdrawal against the site */
export async function withdraw(wallet: Wallet, key: PromptKey, dismissedBy?: 'page'): Promise<void> {
  const prompt = await endPrompt(wallet, key, new ServiceError('page-gone'), dismissedBy && { dismissedBy });
  await closeWindow(wallet, prompt?.window.windowId);
}
