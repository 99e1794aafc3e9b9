/**
 * Calls that wait for the user, of each site. A site has one window at a time: different questions come one after the
 * other, the same question is one, and payments that an application makes stand in the same line. The line is in memory: after a restart of the worker the relay asks again, and whose
 * question is in the window goes on with it.
 */
import { ServiceError } from '../../../../protocol/errors.ts';
import { nextAnnouncement } from '../../events.ts';
import { isGone } from '../../prompts/ask.ts';
import type { Prompt } from '../../prompts/prompt.ts';
import { openPrompts } from '../../prompts/store.ts';
import type { Caller } from '../caller.ts';

/** Most calls of one site that wait at once. */
const MAX_WAITING = 100;
/** Whose turn comes later (milliseconds) asks nothing any more: the user would not know what for. */
const WAITS_FOR_MS = 600_000;
/** A refusal counts for so long (milliseconds), unless a person acts in the page. */
const REFUSED_FOR_MS = 600_000;

const waiting = new Map<string, Set<Caller>>();

/** @returns leaves the line @throws ServiceError `too-many-requests` */
function stand(caller: Caller): () => void {
  const { origin } = caller;
  const line = waiting.get(origin) ?? new Set();
  if (line.size >= MAX_WAITING && !line.has(caller)) throw new ServiceError('too-many-requests');
  waiting.set(origin, line.add(caller));
  return () => {
    line.delete(caller);
    if (line.size === 0 && waiting.get(origin) === line) waiting.delete(origin);
  };
}

/**
 * Asks the user until nothing is missing any more.
 * @param isReady is it so at this moment?
 * @param ask puts what is missing to the user; throws `busy` where the site's window asks something else
 * @throws ServiceError `too-many-requests` (so many calls of the site wait already), those of {@link inTurn}, and those
 *   of `ask`
 */
export async function waitInLine(
  caller: Caller,
  isReady: () => Promise<boolean>,
  ask: (caller: Caller) => Promise<unknown>,
): Promise<void> {
  if (await isReady()) return;
  const leave = stand(caller);
  try {
    const askUntilReady = async (asking: Caller) => {
      while (!(await isReady())) await ask(asking);
    };
    await inTurn(caller, askUntilReady, isReady);
  } finally {
    leave();
  }
}

/**
 * Asks the user once the site has no other window. Only whoever has to wait for that stands in line.
 * @param ask throws `busy` where the site's window asks something else; then it is called again at its next turn
 * @param isReady has become so what `ask` is for, whatever the window asks? Then it is called at once
 * @throws ServiceError `too-many-requests` (so many calls of the site wait already), `busy` (no window is free, or its turn
 *   came too late), `page-gone`, and those of `ask`
 */
export async function inTurn<T>(
  caller: Caller,
  ask: (caller: Caller) => Promise<T>,
  isReady: () => Promise<boolean> = () => Promise.resolve(false),
): Promise<T> {
  const since = Date.now();
  let leave = () => {};
  try {
    for (let [asking, hasWaited] = [caller, true]; ; asking = afterWaiting(caller)) {
      try {
        return await ask(asking);
      } catch (error) {
        if (!(error instanceof ServiceError) || error.code !== 'busy') throw error;
        if (asking === caller) leave = stand(caller);
        // Its window may just have gone. Without one, those of other sites are in the way.
        const waited = await siteWindowGone(caller, isReady);
        if ((!waited && !hasWaited) || Math.abs(Date.now() - since) > WAITS_FOR_MS) throw error;
        hasWaited = waited;
      }
    }
  } finally {
    leave();
  }
}

/**
 * Waits until the window that the site has now is gone, or it is ready.
 * @returns false where the site has none
 * @throws ServiceError `page-gone`
 */
async function siteWindowGone({ origin, client }: Caller, isReady: () => Promise<boolean>): Promise<boolean> {
  const inTheWay = await siteWindow(origin);
  if (inTheWay === undefined) return false;
  for (;;) {
    const change = nextAnnouncement();
    if (isGone(client)) throw new ServiceError('page-gone');
    if ((await siteWindow(origin)) !== inTheWay || (await isReady())) return true;
    await change;
  }
}

/** What names the question that has the site's window now. */
async function siteWindow(origin: string): Promise<string | undefined> {
  const placed = (await openPrompts()).find((prompt) => prompt.origin === origin && prompt.state !== 'withheld');
  return placed && `${placed.createdAt} ${placed.message}`;
}

/** Whatever the user decided meanwhile, they decided after the act that this call came with. */
const afterWaiting = (caller: Caller): Caller => ({
  ...caller,
  userActivation: caller.userActivation === 'new' ? 'active' : caller.userActivation,
});

/**
 * Is a question that has ended put to the user anew? One that was agreed to is missing again because it was taken back;
 * one that was refused is refused at once while that is settled.
 * @param declined the code of its refusal
 */
export function isAskedAnew(ended: Prompt<{ call: string }>, declined: string, caller: Caller): boolean {
  const { outcome } = ended;
  const isRefused = outcome !== null && 'error' in outcome && outcome.error.code === declined;
  return !isRefused || !isSettled(ended, caller);
}

/**
 * Does what the user decided a while ago stand without being asked again? Until a person acts in the page.
 * @param ended a prompt named after its question, with the message of the call that it was first asked by
 */
export function isSettled(
  { createdAt, details }: Prompt<{ call: string }>,
  { message, userActivation }: Caller,
): boolean {
  // The relay asks again with the act that it saw then: that call has its answer.
  const isNewAct = userActivation === 'new' && message !== details.call;
  return Math.abs(Date.now() - createdAt) <= REFUSED_FOR_MS && !isNewAct;
}
