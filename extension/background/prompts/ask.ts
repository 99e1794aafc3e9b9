/**
 * Pages that ask the user. A question is stored first and put before the user in a window of its own; asked again (the
 * relay does so when the worker was stopped), it is the same question. It lives as long as a page waits for it.
 */
import { ServiceError } from '../../../protocol/errors.ts';
import type { UserActivation } from '../../../protocol/page-messages.ts';
import { inTransaction, readKey } from '../database.ts';
import { signalChange } from '../events.ts';
import type { PromptKind, PromptView } from './kinds.ts';
import { checkPromptLimits } from './limits.ts';
import type { Prompt } from './prompt.ts';
import { showPrompt } from './show.ts';
import {
  dropAnswered,
  endPrompt,
  nextPromptChange,
  openPrompts,
  promptIn,
  putPrompt,
  readPrompt,
  type PromptKey,
} from './store.ts';
import { closeWindow } from './window.ts';

/** Who asks: the origin by the browser's word, the message's name, the document, and the hand that the relay saw. */
export interface Client {
  origin: string;
  message: string;
  client: object;
  userActivation: UserActivation;
}

// Which documents wait for which prompt. Gone with the worker; they ask again then.
const waiting = new Map<string, { key: PromptKey; clients: Set<object> }>();
const gone = new WeakSet<object>();
const running = new Map<string, Promise<unknown>>();

const nameOf = ({ origin, message }: PromptKey) => JSON.stringify([origin, message]);

/** Runs one call per name at a time: concurrent calls under the same name share its result. */
export function shared<T>(name: string, run: () => Promise<T>): Promise<T> {
  const begun = (running.get(name) as Promise<T> | undefined) ?? run().finally(() => running.delete(name));
  running.set(name, begun);
  return begun;
}

/**
 * Asks the user, and answers with what the yes brought.
 * @param prepare checks what is asked, and gives what is kept of it; not called for a question that is known
 * @param isSame is the question of this name the one that is asked now?
 * @param isAskedAnew is one of this name that has ended put to the user anew? Of a message's own name only where the
 *   page was left
 * @throws ServiceError `wallet-not-set-up`, `busy`, `too-many-requests`, `site-blocked`, `page-gone`, `invalid-request`
 *   (the name is that of another kind of question), `request-id-reused` (of another one of this kind), the kind's
 *   refusal, and what `prepare` throws
 */
export async function promptUser<Details, Answer, View extends PromptView>(
  kind: PromptKind<Details, Answer, View>,
  { origin, message, client, userActivation }: Client,
  prepare: () => Promise<Details>,
  isSame: (details: Details) => boolean = () => true,
  isAskedAnew: (ended: Prompt<Details, Answer>) => boolean = ({ outcome }) => isRequestedAgain(outcome, userActivation),
): Promise<Answer> {
  if (!(await readKey('vault'))) throw new ServiceError('wallet-not-set-up');
  // It left while its question waited for its turn: nobody is there to be asked for.
  if (gone.has(client)) throw new ServiceError('page-gone');
  const key = { origin, message };
  await shared(nameOf(key), () => begin(kind, key, userActivation, prepare, isAskedAnew as (ended: Prompt) => boolean));
  return waitAs(key, client, async () => {
    for (;;) {
      const change = nextPromptChange(key);
      const prompt = (await readPrompt(key)) as Prompt<Details, Answer> | undefined;
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
  kind: PromptKind<Details, Answer, View>,
  key: PromptKey,
  userActivation: UserActivation,
  prepare: () => Promise<Details>,
  isAskedAnew: (ended: Prompt) => boolean,
): Promise<void> {
  const isKnown = (prompt: Prompt | undefined) =>
    prompt !== undefined && (prompt.outcome === null || !isAskedAnew(prompt));
  if (!isKnown(await readPrompt(key))) {
    const details = await prepare();
    await inTransaction(async (tx) => {
      if (isKnown(await promptIn(tx, key))) return;
      await checkPromptLimits(tx, key.origin, userActivation);
      await dropAnswered(tx);
      await putPrompt(tx, kind.name, key, details, 'awaitingDecision');
    });
  }
  if ((await readPrompt(key))?.kind === kind.name) await showPrompt(key);
}

/**
 * A page that was left while it asked comes back, and a person acts again: that is a new question under the old name.
 */
function isRequestedAgain(outcome: Prompt['outcome'], userActivation: UserActivation): boolean {
  return userActivation === 'new' && outcome !== null && 'error' in outcome && outcome.error.code === 'page-gone';
}

/** Waits for what becomes of a prompt, on behalf of a document. When the last one of them goes, the prompt goes too. */
export async function waitAs<T>(key: PromptKey, client: object, wait: () => Promise<T>): Promise<T> {
  const name = nameOf(key);
  const entry = waiting.get(name) ?? { key, clients: new Set() };
  entry.clients.add(client);
  waiting.set(name, entry);
  if (gone.has(client)) await clientGone(client); // it left while its question was being looked at
  try {
    return await wait();
  } finally {
    entry.clients.delete(client);
    if (entry.clients.size === 0) waiting.delete(name);
  }
}

/** Was the document unloaded? */
export const isGone = (client: object): boolean => gone.has(client);

/** How many documents wait for it. */
export const waitersOf = (key: PromptKey): number => waiting.get(nameOf(key))?.clients.size ?? 0;

/** Does any document still wait for it? */
export const isAwaited = (key: PromptKey): boolean => waitersOf(key) > 0;

/** Has whoever waits for a prompt look again: the store was emptied from under them. */
export function promptsGone(): void {
  for (const { key } of waiting.values()) signalChange(key.message);
}

/** The document was unloaded: a prompt that no other one waits for is withdrawn. */
export async function clientGone(client: object): Promise<void> {
  gone.add(client);
  for (const { key, clients } of waiting.values()) {
    if (clients.delete(client) && clients.size === 0) await withdraw(key, 'page');
  }
}

/**
 * Withdraws prompts that an earlier run of the worker left open and no page waits for any more; old answers are deleted. Called once the
 * pages had time to ask again.
 * @param before start of this run, milliseconds since 1970
 */
export async function withdrawAbandoned(before: number): Promise<void> {
  await inTransaction(dropAnswered);
  for (const prompt of await openPrompts()) if (!isAwaited(prompt) && prompt.createdAt < before) await withdraw(prompt);
}

/** Takes a question back. @param dismissedBy `page`: counts against the site */
export async function withdraw(key: PromptKey, dismissedBy?: 'page'): Promise<void> {
  const prompt = await endPrompt(key, new ServiceError('page-gone'), dismissedBy && { dismissedBy });
  await closeWindow(prompt?.window.windowId);
}
