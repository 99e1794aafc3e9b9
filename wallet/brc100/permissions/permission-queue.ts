/**
 * Per-site queue of calls that wait for the user. A site has only one window at a time: different prompts are shown one
 * after another, and identical requests share one. The queue is in memory. After the worker restarts, the relay repeats
 * the calls, and a call that matches the open window joins it.
 */
import { ServiceError } from '../../../protocol/errors/service-error.ts';
import { nextAnnouncement } from '../../events.ts';
import { isClientGone } from '../../prompts/request.ts';
import type { Prompt } from '../../prompts/prompt.ts';
import { hasJustEnded, openPrompts } from '../../prompts/store.ts';
import type { Caller } from '../caller.ts';
import { part, type Wallet } from '../../platform.ts';

/** Maximum number of queued calls per site. */
const MAX_WAITING = 100;
/** Time after which a queued call no longer prompts (milliseconds), because the user may have forgotten the reason. */
const WAITS_FOR_MS = 600_000;

const waiting = part(() => new Map<string, Set<Caller>>());

/**
 * Joins the queue.
 * @returns a function that leaves the queue
 * @throws ServiceError `too-many-requests`
 */
function joinQueue(wallet: Wallet, caller: Caller): () => void {
  const { origin } = caller;
  const line = waiting(wallet).get(origin) ?? new Set();
  if (line.size >= MAX_WAITING && !line.has(caller)) throw new ServiceError('too-many-requests');
  waiting(wallet).set(origin, line.add(caller));
  return () => {
    line.delete(caller);
    if (line.size === 0 && waiting(wallet).get(origin) === line) waiting(wallet).delete(origin);
  };
}

/**
 * Prompts the user until no permission is missing.
 * @param isReady whether no permission is missing
 * @param prompt prompts for the next missing permission; throws `busy` if the site's window shows another prompt
 * @throws ServiceError `too-many-requests` (the site's queue is full), those of {@link inTurn}, and those of `prompt`
 */
export async function waitInLine(
  wallet: Wallet,
  caller: Caller,
  isReady: () => Promise<boolean>,
  prompt: (caller: Caller) => Promise<unknown>,
): Promise<void> {
  if (await isReady()) return;
  const leave = joinQueue(wallet, caller);
  try {
    const promptUntilReady = async (turn: Caller) => {
      while (!(await isReady())) await prompt(turn);
    };
    await inTurn(wallet, caller, promptUntilReady, isReady);
  } finally {
    leave();
  }
}

/**
 * Prompts the user as soon as the site has no other open window. A call joins the queue only if it must wait.
 * @param prompt throws `busy` if the site's window shows another prompt, and is called again after that window closes
 * @param isReady whether prompting is no longer necessary; `prompt` is then called immediately to return its result
 * @throws ServiceError `too-many-requests` (the site's queue is full), `busy` (other sites are using all windows, or
 * the call waited too long), `page-gone`, and those of `prompt`
 */
export async function inTurn<T>(
  wallet: Wallet,
  caller: Caller,
  prompt: (caller: Caller) => Promise<T>,
  isReady: () => Promise<boolean> = () => Promise.resolve(false),
): Promise<T> {
  const since = wallet.now();
  let leave = () => {};
  try {
    for (let [turn, hasWaited] = [caller, true]; ; turn = afterWaiting(caller)) {
      try {
        return await prompt(turn);
      } catch (error) {
        if (!(error instanceof ServiceError) || error.code !== 'busy') throw error;
        if (turn === caller) leave = joinQueue(wallet, caller);
        // The site's window may have just closed. If `prompt` throws `busy` again although the site has no window,
        // other sites are using all windows.
        const waited = await siteWindowGone(wallet, caller, isReady);
        if ((!waited && !hasWaited) || Math.abs(wallet.now() - since) > WAITS_FOR_MS) throw error;
        hasWaited = waited;
      }
    }
  } finally {
    leave();
  }
}

/**
 * Waits until the site's window closes or `isReady` returns true.
 * @returns false if the site has no window
 * @throws ServiceError `page-gone`
 */
async function siteWindowGone(
  wallet: Wallet,
  { origin, client }: Caller,
  isReady: () => Promise<boolean>,
): Promise<boolean> {
  const inTheWay = await siteWindow(wallet, origin);
  if (inTheWay === undefined) return false;
  for (;;) {
    const change = nextAnnouncement(wallet);
    if (isClientGone(wallet, client)) throw new ServiceError('page-gone');
    if ((await siteWindow(wallet, origin)) !== inTheWay || (await isReady())) return true;
    await change;
  }
}

async function siteWindow(wallet: Wallet, origin: string): Promise<string | undefined> {
  const placed = (await openPrompts(wallet)).find((prompt) => prompt.origin === origin && prompt.state !== 'withheld');
  return placed && `${placed.createdAt} ${placed.message}`;
}

/** While the call was queued, the user may have decided on prompts, so its user gesture is no longer new. */
const afterWaiting = (caller: Caller): Caller => ({
  ...caller,
  userActivation: caller.userActivation === 'new' ? 'active' : caller.userActivation,
});

/**
 * True if a completed prompt may be shown again: its approval was revoked, or its rejection no longer applies.
 * @param declined the error code of a rejection
 */
export function isPromptedAgain(
  wallet: Wallet,
  ended: Prompt<{ call: string }>,
  declined: string,
  caller: Caller,
): boolean {
  const { outcome } = ended;
  const isRefused = outcome !== null && 'error' in outcome && outcome.error.code === declined;
  return !isRefused || !isSettled(wallet, ended, caller);
}

/**
 * True if an earlier decision still applies (for ten minutes). A new user gesture in the page overrides it.
 * @param ended the completed prompt, with the message of the first call that requested it
 */
export function isSettled(
  wallet: Wallet,
  ended: Prompt<{ call: string }>,
  { message, userActivation }: Caller,
): boolean {
  // If the relay repeats a call, the original gesture has already been used.
  const isNewAct = userActivation === 'new' && message !== ended.details.call;
  return hasJustEnded(wallet, ended) && !isNewAct;
}
