/**
 * Simulated operators with the API of ARC or Arcade, each with its own statuses and faults. ARC reports every
 * transaction that the nodes have. Arcade reports only those submitted to it.
 */
import { fromHex, toHex } from '../../protocol/bitcoin/bytes.ts';
import { parseTransaction, txidOf, type Transaction } from '../../protocol/bitcoin/transaction.ts';
import type { Dialect } from '../../protocol/network/broadcaster/broadcaster.ts';
import { readEnvelope, type Candidate } from '../../server/chain/envelope.ts';
import type { SimulatedResponse } from './platform.ts';
import type { Random } from '../random.ts';

/** Paths of the operators: the one reported by the service, and one that the user may configure. */
export const OPERATOR_PATHS = ['/arc', '/other'] as const;

/** The fault of one submission. The comments describe what the operator does. */
export type OperatorFault =
  | 'rejected' // responds REJECTED, but doesn't store this status
  | 'refused' // responds with an error, as if the transaction were invalid
  | 'says rejected' // accepts the transaction, but responds REJECTED
  | 'says contested' // accepts the transaction, but responds DOUBLE_SPEND_ATTEMPTED
  | 'keeps rejected' // stores REJECTED as the status, until the transaction is accepted or mined
  | 'silence' // responds RECEIVED, and drops the transaction
  | 'received' // responds RECEIVED, and forwards the transaction up to an hour later
  | 'not final' // responds that the transaction isn't final
  | 'chain too long' // stores REJECTED, because the chain of unconfirmed transactions is too long
  | 'overloaded' // responds 503
  | 'key required' // responds 401
  | 'other dialect'; // responds like the other software

export interface Nodes {
  /** Validates a transaction. @returns the status and reason of a rejection, or null */
  judge(transaction: Transaction): { txStatus: string; extraInfo: string } | null;
  accept(bytes: Uint8Array): void;
  /** Returns the number of a transaction's confirmations: 0 if it is pending, null if it is unknown. */
  depthOf(txid: string): number | null;
  /** Returns the output that an input spends, if the nodes have it. */
  outputOf(txid: string, vout: number): { satoshis: bigint; lockingScript: Uint8Array } | undefined;
  later(task: () => void, afterMs: number): void;
}

/** A status that only this operator reports. */
interface Row {
  txStatus: string;
  extraInfo: string;
  /** ARC's status code for a rejection. */
  status?: number;
}

const INVALID = 461;
/** ARC's status codes, by the nodes' reason for a rejection. */
const CODES: Record<string, number> = { 'not signed': INVALID, 'fee too low': 465 };
const [NOT_EXTENDED, CONFLICT, NOT_FINAL] = [460, 466, 476];
const POLICY = {
  policy: {
    maxscriptsizepolicy: 1,
    maxtxsizepolicy: 1,
    maxtxsigopscountspolicy: 1,
    miningFee: { satoshis: 100, bytes: 1000 },
  },
};
/** Number of confirmations after which the simulated Arcade reports IMMUTABLE. The real Arcade requires more. */
const IMMUTABLE_AFTER = 4;
/** Maximum delay before an operator forwards a transaction (milliseconds). */
const MAX_DELAY_MS = 3_600_000;

export class Operator {
  dialect: Dialect = 'arc';
  readonly #rows = new Map<string, Row>();
  readonly #submitted = new Set<string>();
  readonly #nodes: Nodes;
  readonly #random: Random;

  constructor(nodes: Nodes, random: Random) {
    this.#nodes = nodes;
    this.#random = random;
  }

  /**
   * Handles a request.
   * @param path below the operator's address
   * @param isForgetful drops transactions after accepting them
   */
  answer(
    method: string,
    path: string,
    body: string,
    fault: OperatorFault | null,
    isForgetful: boolean,
  ): SimulatedResponse {
    const isArcade = this.dialect === 'arcade';
    if (fault === 'key required') return said(401, { error: 'unauthorized' });
    const below = isArcade ? path : path.startsWith('/v1/') ? path.slice(3) : '';
    if (below === '/policy' || (isArcade && path === '/v1/policy')) return said(200, POLICY);
    if (isArcade && path === '/health') return said(200, { healthy: true });
    if (method === 'POST' && below === '/tx') {
      if (fault === 'overloaded')
        return { ...said(503, { error: 'overloaded' }), retryAfter: String(this.#random.pick([1, 30, 600])) };
      return this.#submit((JSON.parse(body) as { rawTx: string }).rawTx, fault, isForgetful);
    }
    const row = method === 'GET' && below.startsWith('/tx/') ? this.#status(below.slice(4)) : null;
    return row ? said(200, row) : said(404, { error: 'not found' });
  }

  /** Drops the transactions that this operator hasn't forwarded yet. */
  endFaults(): void {
    for (const [txid, { txStatus }] of this.#rows) if (txStatus === 'RECEIVED') this.#rows.delete(txid);
  }

  #submit(rawTx: string, fault: OperatorFault | null, isForgetful: boolean): SimulatedResponse {
    const isArcade = (this.dialect === 'arcade') !== (fault === 'other dialect');
    const candidate = readEnvelope(fromHex(rawTx)).candidates.at(-1) as Candidate;
    const { bytes } = candidate;
    const txid = txidOf(bytes);
    const refuse = (status: number, reason: string) =>
      isArcade
        ? said(400, { error: 'transaction failed validation', reason, txid, status })
        : said(status, { status, title: reason, extraInfo: reason, txid });
    const report = (row: Row) =>
      isArcade ? said(202, { txid, status: 202, txStatus: row.txStatus }) : said(200, { txid, timestamp: '', ...row });
    const keep = (row: Row) => {
      this.#rows.set(txid, row);
      // Arcade reports a rejection only after it has acknowledged the submission.
      return report(isArcade && row.txStatus === 'REJECTED' ? { txStatus: 'RECEIVED', extraInfo: '' } : row);
    };

    if (isArcade && !this.#isExtended(candidate)) return refuse(NOT_EXTENDED, 'missing input scripts');
    const known = this.#nodes.depthOf(txid) === null ? null : this.#status(txid);
    const transaction = parseTransaction(bytes);
    // Nodes receive transactions even if their submission has a fault, because third parties may forward them.
    const refusal = this.#nodes.judge(transaction);
    if (fault === 'not final') return refuse(NOT_FINAL, 'not final');
    if (fault === 'silence') return report({ txStatus: 'RECEIVED', extraInfo: '' });
    if (fault === 'refused') return refuse(INVALID, 'by luck');
    if (fault === 'rejected' || fault === 'keeps rejected') {
      const row = { txStatus: 'REJECTED', extraInfo: 'by luck' };
      return fault === 'rejected' ? report(row) : keep(row);
    }
    if (fault === 'chain too long') return keep({ txStatus: 'REJECTED', extraInfo: 'too-long-mempool-chain' });
    this.#submitted.add(txid);
    if (fault === 'received' && !known) {
      this.#nodes.later(() => this.#forward(txid, bytes), this.#random.between(1000, MAX_DELAY_MS));
      return keep({ txStatus: 'RECEIVED', extraInfo: '' });
    }
    this.#rows.delete(txid);
    if (refusal !== null) {
      if (!isArcade) return said(200, { txid, timestamp: '', blockHash: null, ...refusal });
      const code = CODES[refusal.extraInfo];
      if (code !== undefined) return refuse(code, refusal.extraInfo);
      const isMissing = refusal.txStatus === 'SEEN_IN_ORPHAN_MEMPOOL';
      return keep({ ...refusal, txStatus: 'REJECTED', ...(!isMissing && { status: CONFLICT }) });
    }
    if (!isForgetful) this.#nodes.accept(bytes);
    if (fault === 'says rejected') return report({ txStatus: 'REJECTED', extraInfo: '' });
    if (fault === 'says contested') return report({ txStatus: 'DOUBLE_SPEND_ATTEMPTED', extraInfo: '' });
    return report(isArcade ? (known ?? { txStatus: 'RECEIVED', extraInfo: '' }) : this.#atNodes(txid));
  }

  #forward(txid: string, bytes: Uint8Array): void {
    if (this.#rows.get(txid)?.txStatus !== 'RECEIVED') return;
    this.#rows.delete(txid);
    const refusal = this.#nodes.judge(parseTransaction(bytes));
    if (refusal) this.#rows.set(txid, { ...refusal, txStatus: 'REJECTED' });
    else this.#nodes.accept(bytes);
  }

  #status(txid: string): (Row & { txid: string; timestamp: string }) | null {
    const depth = this.#nodes.depthOf(txid);
    const row = this.#rows.get(txid);
    // A block overrides all earlier statuses.
    const isOver = row !== undefined && (depth ?? 0) > 0;
    if (row && !isOver) return { txid, timestamp: '', ...row };
    if (depth === null || (this.dialect === 'arcade' && !this.#submitted.has(txid))) return null;
    return { txid, timestamp: '', ...this.#atNodes(txid) };
  }

  #atNodes(txid: string): Row {
    const depth = this.#nodes.depthOf(txid) ?? 0;
    const isArcade = this.dialect === 'arcade';
    const seen = isArcade && this.#random.chance(0.3) ? 'SEEN_MULTIPLE_NODES' : 'SEEN_ON_NETWORK';
    const mined = isArcade && depth >= IMMUTABLE_AFTER ? 'IMMUTABLE' : 'MINED';
    return { txStatus: depth > 0 ? mined : seen, extraInfo: '' };
  }

  /** True if the submission contains the outputs that it spends (BRC-30) and the nodes have the same outputs. */
  #isExtended({ bytes, sources }: Candidate): boolean {
    return parseTransaction(bytes).inputs.every(({ txid, vout }, i) => {
      const source = sources?.[i];
      const output = this.#nodes.outputOf(txid, vout);
      if (!source || !output) return source !== undefined;
      return source.satoshis === output.satoshis && toHex(source.lockingScript) === toHex(output.lockingScript);
    });
  }
}

const said = (status: number, body: object): SimulatedResponse => ({ status, text: JSON.stringify(body) });
