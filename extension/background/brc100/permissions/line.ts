/**
 * Calls that wait for the user, of each site. A site has one window at a time: different questions come one after the
 * other, the same question is one. The line is in memory: after a restart of the worker the relay asks again, and whose
 * question is in the window goes on with it.
 */
import { ServiceError } from '../../../../protocol/errors.ts';
import { nextAnnouncement } from '../../events.ts';
import type { Prompt } from '../../prompts/prompt.ts';
import { openPrompts } from '../../prompts/store.ts';
import type { Caller } from '../caller.ts';

/** Most calls of one site that wait at once. */
const MAX_WAITING = 100;
/** A refusal counts for so long (milliseconds), unless a person acts in the page. */
const REFUSED_FOR_MS = 600_000;

const waiting = new Map<string, number>();

/**
 * Asks the user until nothing is missing any more.
 * @param isReady is it so at this moment?
 * @param ask puts what is missing to the user; throws `busy` where the site's window asks something else
 * @throws ServiceError `too-many-requests` (so many calls of the site wait already), `busy` (no window is free), and
 *   those of `ask`
 */
export async function waitInLine(
  caller: Caller,
  isReady: () => Promise<boolean>,
  ask: (caller: Caller) => Promise<unknown>,
): Promise<void> {
  if (await isReady()) return;
  const { origin } = caller;
  const before = waiting.get(origin) ?? 0;
  if (before >= MAX_WAITING) throw new ServiceError('too-many-requests');
  waiting.set(origin, before + 1);
  try {
    let asking = caller;
    do {
      const change = nextAnnouncement();
      let changed = false;
      void change.then(() => (changed = true));
      try {
        await ask(asking);
      } catch (error) {
        if (!(error instanceof ServiceError) || error.code !== 'busy') throw error;
        // Without a window of its own, or one that has just gone, the windows of others are in the way.
        if (!changed && !(await openPrompts()).some((prompt) => prompt.origin === origin)) throw error;
        await change;
        asking = afterWaiting(caller);
      }
    } while (!(await isReady()));
  } finally {
    const left = (waiting.get(origin) ?? 1) - 1;
    if (left > 0) waiting.set(origin, left);
    else waiting.delete(origin);
  }
}

/** Whatever the user decided meanwhile, they decided after the act that this call came with. */
const afterWaiting = (caller: Caller): Caller =>
  caller.userActivation === 'new' ? { ...caller, userActivation: 'active' } : caller;

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
  return Date.now() - createdAt <= REFUSED_FOR_MS && !isNewAct;
}
