/**
 * What a site asks of the user besides payments. A question is stored first and put before the user in a window of its
 * own; asked again (the relay does so when the worker was stopped), it is the same question. Each question is answered
 * once. What its window shows and what a yes does is its kind's own: allowances/prompt.ts, sign-in/prompt.ts,
 * crypto-operations/prompt.ts.
 */
import { ServiceError, toWireError, type ErrorCode } from '../../../protocol/errors.ts';
import { database, inTransaction, readKey, type WriteTransaction } from '../database.ts';
import { recordBlock, recordRejection, recordApproval } from '../sites/store.ts';
import { vaultStatus } from '../vault/vault.ts';
import { announceChange, nextChange, signalChange } from '../events.ts';
import { checkPromptLimits } from './limits.ts';
import { closeWindow, openWindow, randomId, wasRead, windowExists, type ApprovalWindow } from './window.ts';
import type { OperationsPrompt, StoredPrompt, Prompt } from './kinds.ts';
import type { UserActivation } from '../../../protocol/page-messages.ts';
/** One of {@link Prompt}'s kinds. */
export type PromptKind = Prompt['kind'];
/** The question of a kind. */
export type PromptOf<K extends PromptKind> = Extract<Prompt, { kind: K }>;
/** What a yes answers to it. */
export type AnswerOf<K extends PromptKind> = Extract<
  NonNullable<PromptOf<K>['outcome']>,
  { answer: unknown }
>['answer'];
/** What only this kind of question has. */
export type PromptDetails<K extends PromptKind> = Omit<PromptOf<K>, keyof StoredPrompt<K, never>>;

/** Who asks: the origin by the browser's word, the message's name, the document, and the hand that the relay saw. */
export interface Client {
  origin: string;
  message: string;
  client: object;
  userActivation: UserActivation;
}

type PromptKey = [origin: string, message: string];

/** Answers are kept so long for a relay that asks again (milliseconds). */
const ANSWER_LIFE_MS = 600_000;
/** What the page hears when the user says no. */
const NO: Record<PromptKind, ErrorCode> = {
  allowance: 'allowance-refused',
  'sign-in': 'sign-in-refused',
  operations: 'operation-refused',
};

const waiting = new Map<string, { key: PromptKey; clients: Set<object> }>();
const beginning = new Map<string, Promise<void>>();
const gone = new WeakSet<object>();

const nameOf = (key: PromptKey) => `ask ${JSON.stringify(key)}`;
const keyOf = ({ origin, message }: Pick<Prompt, 'origin' | 'message'>): PromptKey => [origin, message];
const readPrompt = async (key: PromptKey) => (await database()).get('prompts', key);
const openPrompts = async () => (await (await database()).getAll('prompts')).filter(({ outcome }) => outcome === null);
const refusal = ({ kind }: Pick<Prompt, 'kind'>) => ({ error: toWireError(new ServiceError(NO[kind])) });

/**
 * Asks the user, and answers with what the yes brought.
 * @param prepare checks what is asked, and gives what is kept of it; not called for a question that is known
 * @param isSame is the question of this name the one that is asked now?
 * @throws ServiceError `wallet-not-set-up`, `busy`, `too-many-requests`, `site-blocked`, `page-gone`, `invalid-request`
 * (the
 *   message's name is that of another kind of question), `request-id-reused` (of another one of this kind), the kind's refusal,
 *   and what `prepare` throws
 */
export async function promptUser<K extends PromptKind>(
  kind: K,
  { origin, message, client, userActivation }: Client,
  prepare: () => Promise<PromptDetails<K>>,
  isSame: (ask: PromptOf<K>) => boolean = () => true,
): Promise<AnswerOf<K>> {
  if (!(await readKey('vault'))) throw new ServiceError('wallet-not-set-up');
  const key: PromptKey = [origin, message];
  const name = nameOf(key);
  const begun = beginning.get(name) ?? begin(kind, key, userActivation, prepare).finally(() => beginning.delete(name));
  beginning.set(name, begun);
  await begun;
  const entry = waiting.get(name) ?? { key, clients: new Set() };
  entry.clients.add(client);
  waiting.set(name, entry);
  if (gone.has(client)) await promptClientGone(client); // it left while its question was being looked at
  try {
    return await outcomeOf(kind, key, isSame);
  } finally {
    entry.clients.delete(client);
    if (entry.clients.size === 0) waiting.delete(name);
  }
}

async function outcomeOf<K extends PromptKind>(
  kind: K,
  key: PromptKey,
  isSame: (ask: PromptOf<K>) => boolean,
): Promise<AnswerOf<K>> {
  for (;;) {
    const change = nextChange(nameOf(key));
    const ask = await readPrompt(key);
    if (!ask) throw new ServiceError('page-gone');
    if (ask.kind !== kind) throw new ServiceError('invalid-request');
    if (!isSame(ask as PromptOf<K>)) throw new ServiceError('request-id-reused');
    if (ask.outcome && 'answer' in ask.outcome) return ask.outcome.answer as AnswerOf<K>;
    if (ask.outcome) throw new ServiceError(ask.outcome.error.code, { message: ask.outcome.error.message });
    await change;
  }
}

async function begin<K extends PromptKind>(
  kind: K,
  key: PromptKey,
  userActivation: UserActivation,
  prepare: () => Promise<PromptDetails<K>>,
): Promise<void> {
  const known = await readPrompt(key);
  const ask =
    known && !isRequestedAgain(known, userActivation)
      ? known
      : await storePrompt(kind, key, userActivation, await prepare());
  if (ask.outcome !== null || ask.kind !== kind) return;
  // What the browser opens no window for is over: it must not hold a place among the windows.
  await show(ask).catch((error: unknown) => changePrompt(ask, () => ({ outcome: { error: toWireError(error) } })));
}

/**
 * A page that was left while it asked comes back, and a person acts again: that is a new question under the old name.
 */
function isRequestedAgain({ outcome }: Prompt, userActivation: UserActivation): boolean {
  return userActivation === 'new' && outcome !== null && 'error' in outcome && outcome.error.code === 'page-gone';
}

/** Finds or stores the question, in one transaction with the count of what is open. */
function storePrompt<K extends PromptKind>(
  kind: K,
  [origin, message]: PromptKey,
  userActivation: UserActivation,
  asked: PromptDetails<K>,
): Promise<Prompt> {
  return inTransaction(async (tx) => {
    const asks = tx.objectStore('prompts');
    const known = await asks.get([origin, message]);
    if (known && !isRequestedAgain(known, userActivation)) return known;
    await checkPromptLimits(tx, origin, userActivation);
    await dropAnswered(tx);
    const common = {
      kind,
      origin,
      message,
      createdAt: Date.now(),
      window: { id: randomId(), windowId: null, shownAt: null },
      outcome: null,
    };
    const ask = { ...common, ...asked } as unknown as Prompt;
    await asks.put(ask);
    return ask;
  });
}

async function dropAnswered(tx: WriteTransaction): Promise<void> {
  const asks = tx.objectStore('prompts');
  for (const old of await asks.getAll()) {
    if (old.outcome !== null && Date.now() - old.createdAt > ANSWER_LIFE_MS) await asks.delete(keyOf(old));
  }
}

/** Opens its window where none is open. */
async function show(ask: Prompt): Promise<void> {
  if (await windowExists(ask.window.windowId)) return;
  // A window of an id that an earlier life gave out may stand open without a number: it is of no use any more.
  const window: ApprovalWindow = { id: randomId(), windowId: null, shownAt: null };
  if (!(await changePrompt(ask, () => ({ window })))) return;
  const windowId = await openWindow(window.id);
  const kept = await changePrompt(ask, (now) => ({ window: { ...now.window, windowId } }));
  if (!kept) await closeWindow(windowId);
  // Closed before it was noted: nobody heard that.
  if (kept && windowId !== null && !(await windowExists(windowId))) await promptWindowClosed(windowId);
}

/** What of a question may change. */
type Change = Partial<Pick<Prompt, 'window' | 'outcome'> & Pick<OperationsPrompt, 'outcomes'>>;

/** Changes a question that is still open, in one transaction. @returns the new one, or null where it is not open */
export async function changePrompt(
  of: Pick<Prompt, 'origin' | 'message'>,
  to: (ask: Prompt, tx: WriteTransaction) => Change | Promise<Change>,
): Promise<Prompt | null> {
  const key = keyOf(of);
  const changed = await inTransaction(async (tx) => {
    const ask = await tx.objectStore('prompts').get(key);
    if (ask?.outcome !== null) return null;
    const next = { ...ask, ...(await to(ask, tx)) } as Prompt;
    // What is not the answer is nobody's any more: there may be plaintext in it.
    if (next.kind === 'operations' && next.outcome !== null) next.outcomes = [];
    await tx.objectStore('prompts').put(next);
    return next;
  });
  if (changed) {
    signalChange(nameOf(key));
    announceChange();
  }
  return changed;
}

/** The document went away: a question that nobody waits for is taken back. */
export async function promptClientGone(client: object): Promise<void> {
  gone.add(client);
  for (const { key, clients } of waiting.values()) {
    if (clients.delete(client) && clients.size === 0) await withdraw(key, true);
  }
}

/** Takes back what an earlier life of the worker left open and nobody waits for any more; old answers go. */
export async function withdrawAbandonedPrompts(before: number): Promise<void> {
  await inTransaction(dropAnswered);
  for (const ask of await openPrompts()) {
    if (!waiting.has(nameOf(keyOf(ask))) && ask.createdAt < before) await withdraw(keyOf(ask), false);
  }
}

async function withdraw([origin, message]: PromptKey, noted: boolean): Promise<void> {
  const ask = await changePrompt({ origin, message }, async (_, tx) => {
    if (noted) await recordRejection(tx, origin, 'page');
    return { outcome: { error: toWireError(new ServiceError('page-gone')) } };
  });
  await closeWindow(ask?.window.windowId);
}

/** A window was closed: if it was such a question's, and nothing was decided, that is a no. */
export async function promptWindowClosed(windowId: number): Promise<void> {
  const ask = (await openPrompts()).find(({ window }) => window.windowId === windowId);
  if (ask) await refuse(ask, null);
}

/** The browser has restarted: its windows are gone, and with them what they asked. */
export async function dropOldPrompts(): Promise<void> {
  for (const ask of await openPrompts()) await changePrompt(ask, () => ({ outcome: refusal(ask) }));
}

/**
 * The open question of a window.
 * @throws ServiceError `approval-unknown`
 */
export async function promptOf(approvalId: string): Promise<Prompt> {
  const ask = (await openPrompts()).find(({ window }) => window.id === approvalId);
  if (!ask) throw new ServiceError('approval-unknown');
  return ask;
}

/** Notes that its window shows it now: from here on the user has time to read. */
export async function noteShown(ask: Prompt): Promise<void> {
  if (ask.window.shownAt === null)
    await changePrompt(ask, ({ window }) => ({ window: { ...window, shownAt: window.shownAt ?? Date.now() } }));
}

/**
 * Finds the question that a window's yes is for, if it may be taken now.
 * @throws ServiceError `approval-unknown` (also where it is of another kind), `too-soon`, `wallet-locked`
 */
export async function decidable<K extends PromptKind>(kind: K, approvalId: string): Promise<PromptOf<K>> {
  const ask = await promptOf(approvalId);
  if (ask.kind !== kind) throw new ServiceError('approval-unknown');
  if (!wasRead(ask.window)) throw new ServiceError('too-soon');
  if ((await vaultStatus()).locked) throw new ServiceError('wallet-locked');
  return ask as PromptOf<K>;
}

/**
 * Takes the user's yes. Of any number at once, one is taken.
 * @param answer makes the answer, and may change other stores in the same transaction; it must await nothing else
 * @throws ServiceError `approval-unknown`
 */
export async function answerPrompt<K extends PromptKind>(
  ask: PromptOf<K>,
  answer: (tx: WriteTransaction) => AnswerOf<K> | Promise<AnswerOf<K>>,
): Promise<void> {
  const taken = await changePrompt(ask, async (_, tx) => {
    await recordApproval(tx, ask.origin);
    return { outcome: { answer: await answer(tx) } as NonNullable<Prompt['outcome']> };
  });
  if (!taken) throw new ServiceError('approval-unknown');
}

/** Ends a question that can no longer be answered with yes, and is no fault of the user's. */
export async function failPrompt(ask: Prompt, error: ServiceError): Promise<void> {
  await changePrompt(ask, () => ({ outcome: { error: toWireError(error) } }));
}

/**
 * Takes the user's no, and where the user wants it blocks the site until a time (milliseconds since 1970).
 * @throws ServiceError `approval-unknown`
 */
export async function rejectPrompt(approvalId: string, blockedUntil: number | null): Promise<void> {
  await refuse(await promptOf(approvalId), blockedUntil);
}

async function refuse(ask: Prompt, blockedUntil: number | null): Promise<void> {
  await changePrompt(ask, async ({ origin }, tx) => {
    await recordRejection(tx, origin, 'user');
    if (blockedUntil !== null) await recordBlock(tx, origin, blockedUntil);
    return { outcome: refusal(ask) };
  });
}
