/** Client for the network operators (ARC or Arcade): transaction status, broadcast, and miners' fee policy. */
import { setTimeout as pause } from 'node:timers/promises';
import type { NetworkTransaction } from '../../protocol/network/arc.ts';
import {
  createBroadcaster,
  type Broadcaster,
  type BroadcasterPlatform,
  type Callback,
  type FeePolicy,
  type Submission,
} from '../../protocol/network/broadcaster/broadcaster.ts';
import { extendedFormat } from '../../protocol/network/broadcaster/extended-format.ts';
import { createOperators, type FailureMemory } from '../../protocol/network/broadcaster/operators.ts';
import { outcomeOf, type Outcome } from '../../protocol/network/broadcaster/outcome.ts';
import type { NetworkStanding } from '../../protocol/payments/payment-types.ts';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import {
  parseTransaction,
  serializeTransaction,
  txidOf,
  type Transaction,
  type TransactionOutput,
} from '../../protocol/bitcoin/transaction.ts';
import { fromHex, toHex } from '../../protocol/bitcoin/bytes.ts';
import { transactionsOf } from './envelope.ts';
import { fetchResponse } from './fetch-json.ts';
import { openStream } from './open-stream.ts';
import type { TransactionSource } from './transaction-source.ts';

export interface ArcClient {
  /**
   * Returns a transaction's status, or null if the operators have no verdict on it.
   * @throws ServiceError `network-unavailable`
   */
  transaction(txid: string): Promise<NetworkTransaction | null>;
  /**
   * Queries every operator for a transaction, and submits it to those that don't have it. The network's verdict is a
   * rejection if two operators reject it, or if the only operator does.
   * @param rawtx its bytes; null to fetch them from the index
   * @returns `contested` if only one of several operators rejects it; null if no operator has it and at least one is
   * unreachable
   */
  secondOpinion(rawtx: Uint8Array | null, txid: string): Promise<NetworkStanding | 'rejected' | null>;
  /**
   * Broadcasts a transaction, in Extended Format if possible, and returns its status, or null if the operators reject
   * it and don't already have it. Succeeds if the network already has it.
   * @param hex raw, or as BEEF with its ancestors
   * @param onAncestor called before an ancestor is submitted separately
   * @throws ServiceError `network-unavailable`, in which case it might still have been accepted
   */
  broadcast(hex: string, txid: string, onAncestor?: () => void): Promise<NetworkTransaction | null>;
  /** Registers a callback by resubmitting the transaction. @throws ServiceError `network-unavailable` */
  askCallback(rawtx: Uint8Array, callback: Callback): Promise<void>;
  /** The operators, each with its event stream. */
  readonly followed: readonly Pick<Broadcaster, 'url' | 'follow'>[];
  /** Returns the miners' current fee policy. @throws ServiceError `network-unavailable` */
  feePolicy(): Promise<FeePolicy>;
}

export interface ArcOptions {
  /** Fallback operators, used if the first one fails. */
  others?: readonly string[];
  /** The first operator's API key, which is never sent to other operators. */
  key?: string | null;
  /** Source for spent outputs missing from a BEEF. Without it, transactions with missing outputs are sent raw. */
  source?: TransactionSource | null;
}

/** Maximum number of parent transactions fetched per broadcast. */
const MAX_FETCHED = 20;
/** Maximum number of ancestors submitted with a transaction. */
const MAX_ANCESTORS = 50;
/**
 * After this number of rejected ancestors, only as many of the last ones are submitted. An operator might reject
 * ancestors that were mined after the BEEF was made; the last ones are the least likely to be mined.
 */
const MAX_REJECTED_ANCESTORS = 10;
/** Maximum number of transactions parsed, from the end of a BEEF. ARC receives the whole BEEF anyway. */
const MAX_PARSED = 1_000;

const platform: BroadcasterPlatform = { send: fetchResponse, open: openStream, now: () => Date.now() };

/** Creates the client. @param baseUrl the first operator's base URL, without ARC's `/v1` */
export function createArcClient(
  baseUrl: string,
  { others = [], key = null, source = null }: ArcOptions = {},
): ArcClient {
  const broadcasters = [baseUrl, ...others].map((url) =>
    createBroadcaster({ url, key: url === baseUrl ? key : null }, platform),
  );
  const memory: FailureMemory = new Map();
  const ask = (some: readonly Broadcaster[]) => createOperators(some, memory, { now: () => Date.now(), pause });
  const operators = ask(broadcasters);
  const each = broadcasters.map((one) => ask([one]));

  /** Returns the transaction in Extended Format (hex), or null if an output it spends is unavailable. */
  async function extended(
    transaction: Transaction,
    members: ReadonlyMap<string, Transaction>,
    fetched: Map<string, Transaction | null>,
  ): Promise<string | null> {
    const sources: TransactionOutput[] = [];
    for (const { txid, vout } of transaction.inputs) {
      if (!members.has(txid) && !fetched.has(txid)) {
        if (source === null || fetched.size >= MAX_FETCHED) return null;
        fetched.set(txid, (await source.transaction(txid).catch(() => null))?.transaction ?? null);
      }
      const output = (members.get(txid) ?? fetched.get(txid))?.outputs[vout];
      if (!output) return null;
      sources.push(output);
    }
    return toHex(extendedFormat(transaction, sources));
  }

  return {
    followed: broadcasters,
    transaction: (txid) => operators.status(txid),
    async broadcast(hex, txid, onAncestor = () => {}) {
      const parsed = read(hex);
      const members = new Map(parsed.map(({ id, transaction }) => [id, transaction]));
      const fetched = new Map<string, Transaction | null>();
      const subject = parsed.find(({ id }) => id === txid);
      const submission: Submission = {
        txid,
        rawtx: subject?.rawtx ?? hex,
        extended: subject ? await extended(subject.transaction, members, fetched) : null,
        ...(parsed.length > 1 && { beef: hex }),
      };
      let outcome = await operators.submit(submission);
      // Only ARC accepts a transaction together with its ancestors. Other operators get the unmined ancestors first.
      if (parsed.length > 1 && (outcome.kind === 'contested' || outcome.kind === 'refused')) {
        const ancestors = unminedAncestors(txid, parsed).slice(-MAX_ANCESTORS);
        let rejected = 0;
        for (const [i, { id, rawtx, transaction }] of ancestors.entries()) {
          if (rejected >= MAX_REJECTED_ANCESTORS && i < ancestors.length - MAX_REJECTED_ANCESTORS) continue;
          onAncestor();
          const sent = await operators.submit({
            txid: id,
            rawtx,
            extended: await extended(transaction, members, fetched),
          });
          if (sent.kind === 'contested' || sent.kind === 'refused') rejected += 1;
        }
        outcome = await operators.submit(submission);
      }
      if (outcome.kind === 'unreachable' || outcome.kind === 'later')
        throw new ServiceError('network-unavailable', { detail: outcome.detail });
      return outcome.transaction ?? null;
    },
    async secondOpinion(rawtx, txid) {
      const transaction = rawtx
        ? parseTransaction(rawtx)
        : (await source?.transaction(txid).catch(() => null))?.transaction;
      const submission: Submission | null = transaction
        ? {
            txid,
            rawtx: toHex(rawtx ?? serializeTransaction(transaction)),
            extended: await extended(transaction, new Map(), new Map()),
          }
        : null;
      const outcomes = each.map(async (one): Promise<Outcome> => {
        try {
          const status = await one.status(txid);
          return status || !submission ? outcomeOf(status) : await one.submit(submission);
        } catch {
          return { kind: 'unreachable', detail: 'no status' };
        }
      });
      return opinionOf(await Promise.all(outcomes), Math.min(2, each.length));
    },
    async askCallback(rawtx, callback) {
      await operators.register({ txid: txidOf(rawtx), rawtx: toHex(rawtx), extended: null }, callback);
    },
    feePolicy: () => operators.policy(),
  };
}

/** Combines the operators' outcomes. Ignores operators that can't find the outputs spent by a raw transaction. */
function opinionOf(outcomes: readonly Outcome[], rejectionsNeeded: number): NetworkStanding | 'rejected' | null {
  const count = (kind: Outcome['kind']) =>
    outcomes.filter((one) => one.kind === kind && !(one.kind === 'refused' && one.needsExtended)).length;
  if (count('accepted') > 0) return 'seen';
  if (count('contested') > 0) return 'contested';
  if (count('refused') > 0) return count('refused') >= rejectionsNeeded ? 'rejected' : 'contested';
  return count('unreachable') > 0 ? null : 'unknown';
}

interface ReadTransaction {
  id: string;
  rawtx: string;
  transaction: Transaction;
  isProven: boolean;
}

/**
 * Returns the transactions on which `txid` depends, in the given order, without those that have a merkle path and their
 * ancestors. Other transactions in a BEEF would only use up the quota at the operators.
 */
function unminedAncestors(txid: string, all: readonly ReadTransaction[]): ReadTransaction[] {
  const byId = new Map(all.map((one) => [one.id, one]));
  const found = new Set([txid]);
  // A set's iteration includes the elements that are added during it.
  for (const id of found)
    for (const { txid: parent } of byId.get(id)?.transaction.inputs ?? [])
      if (byId.get(parent)?.isProven === false) found.add(parent);
  found.delete(txid);
  return [...byId.values()].filter(({ id }) => found.has(id));
}

/**
 * Reads a submission's last transactions, parents first. Returns an empty list for malformed bytes, which the network
 * rejects.
 */
function read(hex: string): ReadTransaction[] {
  try {
    return transactionsOf(fromHex(hex))
      .slice(-MAX_PARSED)
      .map(({ bytes, isProven }) => ({
        id: txidOf(bytes),
        rawtx: toHex(bytes),
        transaction: parseTransaction(bytes),
        isProven,
      }));
  } catch {
    return [];
  }
}
