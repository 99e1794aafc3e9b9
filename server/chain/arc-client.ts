/** The service's operators of the network, ARC or Arcade: what they know of a transaction, and what miners charge. */
import { setTimeout as pause } from 'node:timers/promises';
import type { NetworkTransaction } from '../../protocol/arc.ts';
import {
  createBroadcaster,
  type Broadcaster,
  type BroadcasterPlatform,
  type Callback,
  type FeePolicy,
  type Submission,
} from '../../protocol/broadcaster/broadcaster.ts';
import { extendedFormat } from '../../protocol/broadcaster/extended-format.ts';
import { createOperators, type FailureMemory } from '../../protocol/broadcaster/operators.ts';
import { fromHex, toHex } from '../../protocol/bytes.ts';
import { outcomeOf, type Outcome } from '../../protocol/broadcaster/outcome.ts';
import type { NetworkStanding } from '../../protocol/payment-types.ts';
import { ServiceError } from '../../protocol/errors.ts';
import {
  parseTransaction,
  serializeTransaction,
  txidOf,
  type Transaction,
  type TransactionOutput,
} from '../../protocol/transaction.ts';
import { readEnvelope } from './envelope.ts';
import { fetchResponse } from './fetch-json.ts';
import { openStream } from './open-stream.ts';
import type { TransactionSource } from './transaction-source.ts';

/** The operators as the service uses them. */
export interface ArcClient {
  /**
   * What the operators know of a transaction, or null if none has a verdict.
   * @throws ServiceError `network-unavailable`
   */
  transaction(txid: string): Promise<NetworkTransaction | null>;
  /**
   * Checks with the other operators what one says of a transaction that it does not have accepted. Those that don't know
   * the transaction are given it. Two rejections count as one by the network, and the only operator's too.
   * @param known what {@link transaction} returned
   * @param rawtx its bytes; null if they are not stored: those that the index has are submitted
   * @returns `contested` also if one operator rejects it; null if one that may know it can't be reached
   */
  secondOpinion(
    known: NetworkTransaction | null,
    rawtx: Uint8Array | null,
    txid: string,
  ): Promise<NetworkStanding | 'rejected' | null>;
  /**
   * Gives the network a transaction, and says what is then known of it; null if it was refused and is not known. One that
   * the network had already is as good as a new one. It goes out in Extended Format, from its BEEF or from the index.
   * @param hex the transaction, raw or as BEEF with its ancestors
   * @throws ServiceError `network-unavailable`: it may have been taken all the same
   */
  broadcast(hex: string, txid: string): Promise<NetworkTransaction | null>;
  /**
   * Registers a callback for a transaction that an operator already has, by submitting the same bytes once more.
   * @throws ServiceError `network-unavailable`
   */
  askCallback(rawtx: Uint8Array, callback: Callback): Promise<void>;
  /** The operators one by one, to follow what they report of transactions that were submitted under a token. */
  readonly followed: readonly Pick<Broadcaster, 'url' | 'follow'>[];
  /**
   * What miners ask for now.
   * @throws ServiceError `network-unavailable`
   */
  feePolicy(): Promise<FeePolicy>;
}

/** How the operators are reached. */
export interface ArcOptions {
  /** Operators to be tried after the first. */
  others?: readonly string[];
  /** The first operator's key. No other gets it. */
  key?: string | null;
  /** Where spent outputs are read that no BEEF holds; null: a transaction without them goes out raw. */
  source?: TransactionSource | null;
}

/** Transactions that are fetched for one, and ancestors that are submitted with it. */
const MAX_FETCHED = 20;
const MAX_ANCESTORS = 50;

const platform: BroadcasterPlatform = { send: fetchResponse, open: openStream, now: () => Date.now() };

/** @param baseUrl the first operator's base, without ARC's `/v1` */
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

  /** In Extended Format, hex; null if an output that it spends is not at hand. */
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
    async broadcast(hex, txid) {
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
      // Only ARC takes the ancestors along. Elsewhere they go first, and those that are mined long ago are refused.
      if (parsed.length > 1 && (outcome.kind === 'contested' || outcome.kind === 'refused')) {
        for (const { id, rawtx, transaction } of parsed.slice(-MAX_ANCESTORS))
          if (id !== txid)
            await operators.submit({ txid: id, rawtx, extended: await extended(transaction, members, fetched) });
        outcome = await operators.submit(submission);
      }
      if (outcome.kind === 'unreachable' || outcome.kind === 'later')
        throw new ServiceError('network-unavailable', { detail: outcome.detail });
      return outcome.transaction ?? null;
    },
    async secondOpinion(known, rawtx, txid) {
      if (each.length === 1) return opinionOf([outcomeOf(known)], 1);
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
      return opinionOf(await Promise.all(outcomes), 2);
    },
    async askCallback(rawtx, callback) {
      const bytes = Buffer.from(rawtx.buffer, rawtx.byteOffset, rawtx.byteLength);
      await operators.register({ txid: txidOf(rawtx), rawtx: bytes.toString('hex'), extended: null }, callback);
    },
    feePolicy: () => operators.policy(),
  };
}

/** What operators say together. One that lacks the outputs that a raw transaction spends has no opinion. */
function opinionOf(outcomes: readonly Outcome[], rejectionsNeeded: number): NetworkStanding | 'rejected' | null {
  const count = (kind: Outcome['kind']) =>
    outcomes.filter((one) => one.kind === kind && !(one.kind === 'refused' && one.needsExtended)).length;
  if (count('accepted') > 0) return 'seen';
  if (count('contested') > 0) return 'contested';
  if (count('refused') > 0) return count('refused') >= rejectionsNeeded ? 'rejected' : 'contested';
  return count('unreachable') > 0 ? null : 'unknown';
}

/** The transactions of a submission, parents first; none if its bytes can't be read: that is for the network to say. */
function read(hex: string): { id: string; rawtx: string; transaction: Transaction }[] {
  try {
    return readEnvelope(fromHex(hex)).candidates.map(({ bytes }) => ({
      id: txidOf(bytes),
      rawtx: toHex(bytes),
      transaction: parseTransaction(bytes),
    }));
  } catch {
    return [];
  }
}
