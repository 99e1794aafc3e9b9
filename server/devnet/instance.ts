/** One operator's API instance in front of the ledger, with its own transactions and faults. */
import type { NetworkStatus } from '../../protocol/network/arc.ts';
import { parseTransaction, txidOf } from '../../protocol/bitcoin/transaction.ts';
import { broadcast, opened } from './arc/broadcast.ts';
import { Faults } from './arc/faults.ts';
import type { LedgerTransaction } from './ledger/ledger.ts';
import type { LedgerNode } from './ledger/node.ts';
import { LedgerRejection } from './arc/rejection.ts';

/** A transaction's status as reported by the operator. */
export interface Reported {
  txid: string;
  txStatus: NetworkStatus;
  extraInfo: string;
  /** ARC's status code for a rejection. */
  code?: number;
  competing?: readonly string[];
  /** Milliseconds since 1970. */
  time: number;
  /** The ledger's transaction; null if it isn't in the ledger. */
  transaction: LedgerTransaction | null;
}

/** Maximum number of transactions stored in addition to the ledger's. Further transactions displace the oldest. */
const MAX_ROWS = 1_000;
/** The nodes' reject reason (bitcoin-sv, validation.cpp). */
const TOO_LONG = 'too-long-mempool-chain';

export class Instance {
  readonly faults = new Faults();
  readonly #node: LedgerNode;
  /** Transactions that aren't in the ledger: rejected, or withheld from it by a fault. */
  readonly #rows = new Map<string, Reported>();

  constructor(node: LedgerNode) {
    this.#node = node;
  }

  /** Submits a transaction in any supported format. @throws LedgerRejection, ServiceError `service-unavailable` */
  async submit(bytes: Uint8Array): Promise<Reported> {
    const subject = opened(bytes).candidates.at(-1)?.bytes;
    if (!subject) throw new LedgerRejection(400, 'there is no transaction');
    const txid = txidOf(subject);
    const faulty = this.#node.ledger.transaction(txid) ? null : this.#faulty(txid, subject);
    if (faulty) return faulty;
    try {
      const transaction = await broadcast(this.#node, bytes);
      this.#rows.delete(txid);
      return ofLedger(transaction);
    } catch (error) {
      // A non-final transaction isn't stored as rejected, so it can be submitted again.
      if (error instanceof LedgerRejection && error.txid === txid && !isTooEarly(error))
        this.#keep({ ...blank(txid), txStatus: 'REJECTED', extraInfo: error.message, code: error.status });
      throw error;
    }
  }

  /** Returns a transaction's status, or null if this instance has no verdict. */
  status(txid: string): Reported | null {
    if (this.faults.has('forgets')) return null;
    const transaction = this.#node.ledger.transaction(txid);
    return transaction ? ofLedger(transaction) : (this.#rows.get(txid) ?? null);
  }

  #faulty(txid: string, subject: Uint8Array): Reported | null {
    const { faults } = this;
    const refused = faults.take('refused');
    if (refused) throw new LedgerRejection((refused.code ?? 461) as 461, refused.reason ?? 'on request', { txid });
    if (faults.take('silence')) return { ...blank(txid), txStatus: 'RECEIVED' };
    if (faults.take('received')) return this.#keep({ ...blank(txid), txStatus: 'RECEIVED' });
    if (faults.take('contested')) {
      const competing = ['cc'.repeat(32)];
      return this.#keep({ ...blank(txid), txStatus: 'DOUBLE_SPEND_ATTEMPTED', competing });
    }
    const chain = faults.has('too-long-chain') ? faults.take('too-long-chain') : null;
    if (chain && this.#unminedBefore(subject, chain.limit ?? 1) >= (chain.limit ?? 1))
      return this.#keep({ ...blank(txid), txStatus: 'REJECTED', extraInfo: TOO_LONG });
    const rejected = faults.take('rejected');
    if (!rejected) return null;
    return this.#keep({
      ...blank(txid),
      txStatus: 'REJECTED',
      extraInfo: rejected.reason ?? 'on request',
      ...(rejected.code !== undefined && { code: rejected.code }),
    });
  }

  /** Counts a transaction's unmined ancestors, up to `limit`. */
  #unminedBefore(bytes: Uint8Array, limit: number): number {
    const found = new Set<string>();
    const waiting = [bytes];
    for (let next = waiting.pop(); next && found.size < limit; next = waiting.pop())
      for (const { txid } of parseTransaction(next).inputs) {
        const parent = this.#node.ledger.transaction(txid);
        if (!parent || parent.height !== null || found.has(txid)) continue;
        found.add(txid);
        waiting.push(parent.bytes);
      }
    return found.size;
  }

  #keep(row: Reported): Reported {
    this.#rows.delete(row.txid);
    this.#rows.set(row.txid, row);
    const [oldest] = this.#rows.keys();
    if (this.#rows.size > MAX_ROWS && oldest !== undefined) this.#rows.delete(oldest);
    return row;
  }
}

const blank = (txid: string) => ({ txid, extraInfo: '', time: Date.now(), transaction: null });

function ofLedger(transaction: LedgerTransaction): Reported {
  const { txid, time, height } = transaction;
  return { txid, txStatus: height === null ? 'SEEN_ON_NETWORK' : 'MINED', extraInfo: '', time, transaction };
}

/** True if the transaction was rejected only because of its lock time (Arcade's code 476). */
export const isTooEarly = ({ status, message }: LedgerRejection): boolean =>
  status === 476 || (status === 463 && message.includes('non-final'));
