/** Sends requests to several operators of one network in turn. Avoids operators that have recently failed. */
import { ServiceError } from '../../errors/service-error.ts';
import type { NetworkTransaction } from '../arc.ts';
import { KeyRequiredError, type Broadcaster, type Callback, type FeePolicy, type Submission } from './broadcaster.ts';
import { outcomeOf, stageOf, type Outcome } from './outcome.ts';

/** An operator's latest failure. */
export interface Failure {
  /** Number of consecutive failures. */
  count: number;
  /** Until this time (milliseconds since 1970), the operator is used only after all others. */
  until: number;
  /** True if the operator itself requested the pause. */
  isAsked: boolean;
  /** True if the operator requires a key, or a different key. */
  needsKey: boolean;
}

/** Recent failures by URL, shared by all clients of the same operators. */
export interface FailureMemory {
  get(url: string): Failure | undefined;
  set(url: string, failure: Failure): unknown;
  delete(url: string): unknown;
}

const FIRST_FAILURE_MS = 30_000;
const MAX_FAILURE_MS = 600_000;

/** Operators of one network, in order of preference. */
export interface Operators {
  /**
   * Submits a transaction to one operator after another until one accepts it. Waits about five seconds for a pending
   * verdict.
   * @param options `everywhere`: continues after a pending or contested outcome
   * @returns the acceptance, otherwise the best outcome. A rejection is definite only if unanimous
   */
  submit(transaction: Submission, options?: { everywhere?: boolean }): Promise<Outcome>;
  /**
   * Subscribes to a transaction's status changes. Submits the transaction again, with a callback, to one operator after
   * another until one accepts it.
   * @throws ServiceError `network-unavailable`
   */
  register(transaction: Submission, callback: Callback): Promise<void>;
  /**
   * Returns the transaction as reported by the first operator that has accepted it, otherwise the report with the best
   * status. Null if no operator has a verdict.
   * @throws ServiceError `network-unavailable` if none responded
   */
  status(txid: string): Promise<NetworkTransaction | null>;
  /** Returns any operator's unverified merkle path (BUMP, hex), or null. @throws ServiceError `network-unavailable` */
  proof(txid: string): Promise<string | null>;
  /** Returns the fee rate of the first operator that responds. @throws ServiceError `network-unavailable` */
  policy(): Promise<FeePolicy>;
}

/** Outcomes from best to worst. */
const ORDER: readonly Outcome['kind'][] = ['accepted', 'contested', 'pending', 'later', 'refused', 'unreachable'];
const RANK = { mined: 0, accepted: 0, contested: 1, pending: 2, refused: 3 } as const;

export interface OperatorsPlatform {
  now(): number;
  /** Resolves after this many milliseconds. */
  pause(ms: number): Promise<unknown>;
}

/**
 * Delays between queries for a pending transaction (milliseconds). The total equals ARC's own wait for a node's
 * verdict.
 */
const PENDING_PAUSES_MS = [100, 200, 400, 800, 1500, 2000];

/** Creates a client for several operators. @param memory recent failures, updated by the client */
export function createOperators(
  broadcasters: readonly Broadcaster[],
  memory: FailureMemory,
  { now, pause }: OperatorsPlatform,
): Operators {
  const failed = (url: string, waitMs: number | null, needsKey = false) => {
    const count = (memory.get(url)?.count ?? 0) + 1;
    const wait = waitMs ?? Math.min(FIRST_FAILURE_MS * 2 ** (count - 1), MAX_FAILURE_MS);
    memory.set(url, { count, until: now() + wait, isAsked: waitMs !== null, needsKey });
  };
  const note = (url: string, outcome: Outcome) => {
    if (outcome.kind === 'unreachable') failed(url, null, outcome.needsKey);
    else if (outcome.kind === 'later' && !outcome.untilBlock) failed(url, outcome.retryAfterMs);
    else memory.delete(url);
  };
  /** Returns how much longer to avoid an operator (milliseconds). Setting the clock back doesn't extend the wait. */
  const leftOf = ({ url }: Broadcaster) => {
    const failure = memory.get(url);
    const left = failure ? failure.until - now() : 0;
    return left > 3_600_000 ? 0 : Math.max(0, left);
  };
  const isLeftAlone = (one: Broadcaster) => leftOf(one) > 0 && memory.get(one.url)?.isAsked === true;
  const inOrder = () => broadcasters.toSorted((a, b) => Number(leftOf(a) > 0) - Number(leftOf(b) > 0));

  /**
   * Queries operators in turn until `isEnough` accepts a response.
   * @throws ServiceError `network-unavailable` if none responded
   */
  async function firstOf<T>(ask: (one: Broadcaster) => Promise<T>, isEnough: (found: T) => boolean): Promise<T[]> {
    const found: T[] = [];
    let error: unknown = new ServiceError('network-unavailable', { detail: 'all operators requested a delay' });
    for (const one of inOrder()) {
      if (isLeftAlone(one)) continue;
      try {
        const answer = await ask(one);
        memory.delete(one.url);
        found.push(answer);
        if (isEnough(answer)) break;
      } catch (cause) {
        failed(one.url, null, cause instanceof KeyRequiredError);
        error = cause;
      }
    }
    if (found.length === 0) throw error;
    return found;
  }

  async function status(txid: string): Promise<NetworkTransaction | null> {
    const found = await firstOf(
      (one) => one.status(txid),
      (known) => known !== null && RANK[stageOf(known)] === 0,
    );
    const known = found.filter((one) => one !== null);
    return known.toSorted((a, b) => RANK[stageOf(a)] - RANK[stageOf(b)])[0] ?? null;
  }

  async function verdictOf(one: Broadcaster, txid: string, pending: Outcome): Promise<Outcome> {
    for (const ms of PENDING_PAUSES_MS) {
      await pause(ms);
      const outcome = await one.status(txid).then(outcomeOf, () => pending);
      if (outcome.kind !== 'pending') return outcome;
    }
    return pending;
  }

  return {
    status,
    async submit(transaction, { everywhere = false } = {}) {
      const outcomes: Outcome[] = [];
      for (const one of inOrder()) {
        const left = leftOf(one);
        if (isLeftAlone(one)) {
          outcomes.push({ kind: 'later', detail: 'operator requested a delay', retryAfterMs: left, untilBlock: false });
          continue;
        }
        const first = await withStatus(one, transaction.txid, await one.submit(transaction));
        const outcome = first.kind === 'pending' ? await verdictOf(one, transaction.txid, first) : first;
        note(one.url, outcome);
        if (outcome.kind === 'accepted') return outcome;
        outcomes.push(outcome);
        if (!everywhere && (outcome.kind === 'pending' || outcome.kind === 'contested')) break;
      }
      return mostHopeful(outcomes);
    },
    async register(transaction, callback) {
      let outcome: Outcome = { kind: 'unreachable', detail: 'no operator' };
      for (const one of inOrder()) {
        if (isLeftAlone(one)) continue;
        // Without a callback URL, only an event stream reports changes.
        if (callback.url === null && (await one.dialect().catch(() => null)) !== 'arcade') continue;
        outcome = await one.submit(transaction, callback);
        if (outcome.kind === 'accepted' || outcome.kind === 'pending') return;
      }
      throw new ServiceError('network-unavailable', {
        detail: 'no operator will report the transaction',
      });
    },
    async proof(txid) {
      const found = await firstOf(
        (one) => one.proof(txid),
        (proof) => proof !== null,
      );
      return found.at(-1) ?? null;
    },
    async policy() {
      const [found] = await firstOf(
        (one) => one.policy(),
        () => true,
      );
      return found as FeePolicy;
    },
  };
}

/**
 * Queries the status after a rejection, because an earlier submission might have been accepted although its response
 * was lost.
 */
async function withStatus(one: Broadcaster, txid: string, outcome: Outcome): Promise<Outcome> {
  if (outcome.kind === 'accepted' || outcome.kind === 'pending' || outcome.kind === 'later') return outcome;
  const known = await one.status(txid).catch(() => undefined);
  if (known) return outcomeOf(known);
  return known === undefined && outcome.kind === 'refused' ? { kind: 'unreachable', detail: outcome.detail } : outcome;
}

function mostHopeful(outcomes: readonly Outcome[]): Outcome {
  const [best] = outcomes.toSorted((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));
  if (!best) return { kind: 'unreachable', detail: 'no operator' };
  if (best.kind === 'refused')
    return { ...best, isDefinite: outcomes.every((one) => one.kind === 'refused' && one.isDefinite) };
  if (best.kind !== 'later') return best;
  const waits = outcomes.flatMap((one) => (one.kind === 'later' ? [one.retryAfterMs ?? 0] : []));
  return { ...best, retryAfterMs: Math.min(...waits) || null };
}
