/**
 * A site asks for an allowance for automatic payments. The question is stored first and put before the user in a window
 * of its own; asked again (the relay does so when the worker was stopped), it is the same question.
 */
import { ServiceError, toWireError, type WireError } from '../../../protocol/errors.ts';
import type { Money, PageParams, PageResults } from '../../../protocol/page-messages.ts';
import type { AllowanceAskView } from '../../../protocol/wallet-messages.ts';
import { announceChange } from '../changes.ts';
import { rateOf, rateOrNull } from '../chain/rates.ts';
import { balance } from '../coins/store.ts';
import { database, inOneStep, readKey, type StepTransaction } from '../database.ts';
import { readSettings } from '../settings.ts';
import { offersBlock } from '../sites/site.ts';
import { noteBlock, noteNo, noteYes, readSite } from '../sites/store.ts';
import { vaultStatus } from '../vault/vault.ts';
import { nextChange, tellChange } from '../watch.ts';
import { admit } from '../windows/admission.ts';
import { closeWindow, openWindow, randomId, wasRead, windowExists, type ApprovalWindow } from '../windows/approval-window.ts';
import type { AllowanceKey, Terms } from './allowance.ts';
import type { Gesture } from './decide.ts';
import { grant } from './spend.ts';
import { allowanceRates, readAllowance, viewOf } from './store.ts';
import { unitsOf } from './units.ts';

/** One question, as stored. It is gone ten minutes after it was answered. */
export interface AllowanceAsk {
  origin: string;
  /** The page's own name for its message: the relay asks again under it. */
  message: string;
  clientIdentifier: string;
  suggested: Money | null;
  minimum: Money | null;
  createdAt: number;
  window: ApprovalWindow;
  /** What came of it; null while it waits for the user. */
  outcome: { token: string } | { error: WireError } | null;
}

type AskKey = [origin: string, message: string];

/** Answers are kept so long for a relay that asks again (milliseconds). */
const ANSWER_LIFE_MS = 600_000;

const waiting = new Map<string, { key: AskKey; askers: Set<object> }>();
const beginning = new Map<string, Promise<void>>();
const gone = new WeakSet<object>();

const nameOf = (key: AskKey) => `allowance ${JSON.stringify(key)}`;
const readAsk = async (key: AskKey) => (await database()).get('asks', key);
const openAsks = async () => (await (await database()).getAll('asks')).filter(({ outcome }) => outcome === null);
const refusal = () => ({ error: toWireError(new ServiceError('allowance-refused')) });

/** Who asks: the origin by the browser's word, the message's name, the document, and the hand that the relay saw. */
export interface AllowanceAsker {
  origin: string;
  message: string;
  asker: object;
  gesture: Gesture;
}

/**
 * Asks the user, and answers with the token of the allowance.
 * @throws ServiceError `wallet-not-set-up`, `allowance-refused`, `busy`, `too-many-requests`, `site-blocked`,
 *   `invalid-amount`, `invalid-currency`, `rate-unavailable`, `page-gone`
 */
export async function askForAllowance(params: PageParams<'allowance/ask'>, { origin, message, asker, gesture }: AllowanceAsker): Promise<PageResults['allowance/ask']> {
  if (!(await readKey('vault'))) throw new ServiceError('wallet-not-set-up');
  const key: AskKey = [origin, message];
  const name = nameOf(key);
  const begun = beginning.get(name) ?? begin(key, params, gesture).finally(() => beginning.delete(name));
  beginning.set(name, begun);
  await begun;
  const entry = waiting.get(name) ?? { key, askers: new Set() };
  entry.askers.add(asker);
  waiting.set(name, entry);
  if (gone.has(asker)) await allowanceAskerGone(asker); // it left while its question was being looked at
  try {
    return await outcomeOf(key);
  } finally {
    entry.askers.delete(asker);
    if (entry.askers.size === 0) waiting.delete(name);
  }
}

async function outcomeOf(key: AskKey): Promise<{ token: string }> {
  for (;;) {
    const change = nextChange(nameOf(key));
    const ask = await readAsk(key);
    if (!ask) throw new ServiceError('page-gone');
    if (ask.outcome && 'token' in ask.outcome) return ask.outcome;
    if (ask.outcome) throw new ServiceError(ask.outcome.error.code, { message: ask.outcome.error.message });
    await change;
  }
}

async function begin(key: AskKey, params: PageParams<'allowance/ask'>, gesture: Gesture): Promise<void> {
  for (const money of [params.suggestedAmount, params.minimumAmount]) {
    if (!money) continue;
    unitsOf(money.amount);
    await rateOf(money.currency);
  }
  const ask = await inOneStep((tx) => storeAsk(tx, key, params, gesture));
  if (ask.outcome !== null) return;
  // What the browser opens no window for is over: it must not hold a place among the windows.
  await show(ask).catch((error: unknown) => change(ask, () => ({ outcome: { error: toWireError(error) } })));
}

/** Finds or stores the question, in one transaction with the count of what is open. */
async function storeAsk(tx: StepTransaction, key: AskKey, params: PageParams<'allowance/ask'>, gesture: Gesture): Promise<AllowanceAsk> {
  const asks = tx.objectStore('asks');
  const known = await asks.get(key);
  if (known) return known;
  await admit(tx, key[0], gesture);
  const now = Date.now();
  for (const old of await asks.getAll()) {
    if (old.outcome !== null && now - old.createdAt > ANSWER_LIFE_MS) await asks.delete([old.origin, old.message]);
  }
  const ask: AllowanceAsk = {
    origin: key[0], message: key[1], clientIdentifier: params.clientIdentifier, suggested: params.suggestedAmount ?? null,
    minimum: params.minimumAmount ?? null, createdAt: now, window: { id: randomId(), windowId: null, shownAt: null }, outcome: null,
  };
  await asks.put(ask);
  return ask;
}

/** Opens its window where none is open. */
async function show(ask: AllowanceAsk): Promise<void> {
  if (await windowExists(ask.window.windowId)) return;
  // A window of an id that an earlier life gave out may stand open without a number: it is of no use any more.
  const window: ApprovalWindow = { id: randomId(), windowId: null, shownAt: null };
  if (!(await change(ask, () => ({ window })))) return;
  const windowId = await openWindow(window.id);
  const kept = await change(ask, (now) => ({ window: { ...now.window, windowId } }));
  if (!kept) await closeWindow(windowId);
  // Closed before it was noted: nobody heard that.
  if (kept && windowId !== null && !(await windowExists(windowId))) await askWindowClosed(windowId);
}

/** Changes a question that is still open, in one transaction. @returns the new one, or null where it is not open */
async function change(
  { origin, message }: Pick<AllowanceAsk, 'origin' | 'message'>,
  to: (ask: AllowanceAsk, tx: StepTransaction) => Partial<AllowanceAsk> | Promise<Partial<AllowanceAsk>>,
): Promise<AllowanceAsk | null> {
  const changed = await inOneStep(async (tx) => {
    const ask = await tx.objectStore('asks').get([origin, message]);
    if (ask?.outcome !== null) return null;
    const next = { ...ask, ...(await to(ask, tx)) };
    await tx.objectStore('asks').put(next);
    return next;
  });
  if (changed) {
    tellChange(nameOf([origin, message]));
    announceChange();
  }
  return changed;
}

/** The document went away: a question that nobody waits for is taken back. */
export async function allowanceAskerGone(asker: object): Promise<void> {
  gone.add(asker);
  for (const { key, askers } of waiting.values()) {
    if (askers.delete(asker) && askers.size === 0) await withdraw(key, true);
  }
}

/** Takes back what an earlier life of the worker left open and nobody waits for any more. */
export async function withdrawAbandonedAsks(before: number): Promise<void> {
  for (const { origin, message, createdAt } of await openAsks()) {
    if (!waiting.has(nameOf([origin, message])) && createdAt < before) await withdraw([origin, message], false);
  }
}

async function withdraw(key: AskKey, noted: boolean): Promise<void> {
  const ask = await change({ origin: key[0], message: key[1] }, async (_, tx) => {
    if (noted) await noteNo(tx, key[0], 'page');
    return { outcome: { error: toWireError(new ServiceError('page-gone')) } };
  });
  await closeWindow(ask?.window.windowId);
}

/** A window was closed: if it was such a question's, and nothing was decided, that is a no. */
export async function askWindowClosed(windowId: number): Promise<void> {
  const ask = (await openAsks()).find(({ window }) => window.windowId === windowId);
  if (ask) await refuse(ask, null);
}

/** The browser has restarted: its windows are gone, and with them what they asked. */
export async function dropOldAsks(): Promise<void> {
  for (const ask of await openAsks()) await change(ask, () => ({ outcome: refusal() }));
}

async function askOf(approvalId: string): Promise<AllowanceAsk> {
  const ask = (await openAsks()).find(({ window }) => window.id === approvalId);
  if (!ask) throw new ServiceError('approval-unknown');
  return ask;
}

/**
 * What its window shows.
 * @throws ServiceError `approval-unknown`
 */
export async function readAllowanceAsk(approvalId: string): Promise<AllowanceAskView> {
  const ask = await askOf(approvalId);
  if (ask.window.shownAt === null) await change(ask, ({ window }) => ({ window: { ...window, shownAt: window.shownAt ?? Date.now() } }));
  const current = await readAllowance(keyOf(ask));
  const { network, currency } = await readSettings();
  return {
    kind: 'allowance', origin: ask.origin, clientIdentifier: ask.clientIdentifier, suggested: ask.suggested, minimum: ask.minimum,
    locked: (await vaultStatus()).locked, network, current: current && viewOf(current),
    allowanceRates: await allowanceRates(await rateOrNull(currency), [ask.suggested?.currency, ask.minimum?.currency].filter((code) => code !== undefined)),
    mayBlock: offersBlock(await readSite(ask.origin), Date.now()), balanceSatoshis: (await balance()).satoshis.toString(),
  };
}

const keyOf = ({ origin, clientIdentifier }: AllowanceAsk): AllowanceKey => [origin, clientIdentifier, 'automatic'];

/**
 * Takes the user's yes: the allowance and the answer are stored in one transaction.
 * @throws ServiceError `approval-unknown`, `too-soon`, `wallet-locked`
 */
export async function grantAllowanceAsk(approvalId: string, terms: Terms): Promise<void> {
  const ask = await askOf(approvalId);
  if (!wasRead(ask.window)) throw new ServiceError('too-soon');
  if ((await vaultStatus()).locked) throw new ServiceError('wallet-locked');
  const granted = await change(ask, async (_, tx) => {
    await noteYes(tx, ask.origin);
    return { outcome: { token: await grant(tx, keyOf(ask), terms, randomId()) } };
  });
  if (!granted) throw new ServiceError('approval-unknown');
}

/**
 * Takes the user's no, and where the user wants it blocks the site until a time (milliseconds since 1970).
 * @throws ServiceError `approval-unknown`
 */
export async function refuseAllowanceAsk(approvalId: string, blockedUntil: number | null): Promise<void> {
  await refuse(await askOf(approvalId), blockedUntil);
}

async function refuse(ask: AllowanceAsk, blockedUntil: number | null): Promise<void> {
  await change(ask, async ({ origin }, tx) => {
    await noteNo(tx, origin, 'user');
    if (blockedUntil !== null) await noteBlock(tx, origin, blockedUntil);
    return { outcome: refusal() };
  });
}
