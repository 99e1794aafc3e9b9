import { meaningOf, ServiceError, type ErrorCode } from '../../../protocol/errors.ts';
import type { Transaction } from '../../../protocol/transaction.ts';
import { fetchTransaction } from '../chain/spv.ts';
import { MAX_BYTES } from '../chain/http.ts';
import type { NetworkInfo } from '../chain/network-info.ts';

/** Requests and bytes that may still be asked for. What is under way when they end is finished. */
export class Budget {
  #requests: number;
  #bytes: number;

  constructor(requests: number, bytes = Number.POSITIVE_INFINITY) {
    this.#requests = requests;
    this.#bytes = bytes;
  }

  get left(): boolean {
    return this.#requests > 0 && this.#bytes > 0;
  }

  took(requests: number, bytes = 0): void {
    this.#requests -= requests;
    this.#bytes -= bytes;
  }
}

/**
 * Is it the fault of one transaction, list or proof, which says nothing about the others? What the user can change (a
 * wallet that was removed, say) and what is our own fault concern them all.
 */
function isOfOne(code: ErrorCode): boolean {
  const { blame } = meaningOf(code);
  return blame === 'network' || blame === 'page';
}

/** After so many failed requests in a row the network is gone, and nothing more is asked of it. */
const MOST_FAILURES = 5;
/** Bytes of transactions that are kept while the refresh goes on, in case they pay more of our addresses. */
const KEPT_BYTES = 20_000_000;

/**
 * One refresh: how much it may still request from the index, what went wrong, and what it leaves to the next one. At
 * the three requests a second of the public service, 120 of them take 40 seconds.
 */
export class Work {
  /** Lists of coins, of the addresses that are looked at each time. */
  readonly lists = new Budget(120, 64_000_000);
  readonly transactions = new Budget(100, 64_000_000);
  /** Proofs, spenders, and what became of transactions that are not seen any more. */
  readonly checks = new Budget(100);
  /** All addresses are read again: whatever the wallet has stored of its coins is compared with the network. */
  isWhole = false;
  /** Addresses (scripts) that it has looked at. */
  readonly looked = new Set<string>();
  /** Transactions that the index showed with an unspent output of ours, and those of them that it calls mined. */
  readonly shown = new Set<string>();
  readonly mined = new Set<string>();
  /** Transactions that were not read, and the addresses (scripts) that they pay. */
  readonly unread = new Map<string, Set<string>>();
  readonly faults: ServiceError[] = [];
  /** Some of the wallet's tokens and ordinals, or what their mints say, were left to the next refresh. */
  isCut = false;
  #failures = 0;
  #kept = new Map<string, { transaction: Transaction; bytes: number }>();

  /** True once the index has failed so often in a row that it is gone. */
  get isOver(): boolean {
    return this.#failures >= MOST_FAILURES;
  }

  /**
   * Does what concerns one thing alone. What turns out to be wrong is passed over and kept as the refresh's failure:
   * anybody can pay us a monster, and the index may lie about one thing or fail at it; neither may hide the others.
   * @returns what went wrong, or null
   */
  async passingOver(work: () => Promise<void>): Promise<ServiceError | null> {
    try {
      await work();
      this.#failures = 0;
      return null;
    } catch (error) {
      if (!(error instanceof ServiceError) || !isOfOne(error.code)) throw error;
      this.#failures = error.code === 'network-unavailable' ? this.#failures + 1 : 0;
      if (error.code !== 'network-unavailable' || this.isOver) this.faults.push(error);
      return error;
    }
  }

  /**
   * A transaction, fetched once in this refresh.
   * @throws ServiceError as {@link fetchTransaction}
   */
  async transaction(info: NetworkInfo, txid: string): Promise<Transaction | null> {
    const kept = this.#kept.get(txid);
    if (kept) return kept.transaction;
    let bytes = 0;
    try {
      const transaction = await fetchTransaction(info, txid, (length) => (bytes = length));
      if (transaction) this.#keep(txid, transaction, bytes);
      return transaction;
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'too-large') bytes ||= MAX_BYTES;
      throw error;
    } finally {
      this.transactions.took(1, bytes);
    }
  }

  #keep(txid: string, transaction: Transaction, bytes: number): void {
    this.#kept.set(txid, { transaction, bytes });
    let sum = 0;
    for (const { bytes: one } of this.#kept.values()) sum += one;
    for (const [oldest, { bytes: one }] of this.#kept) {
      if (sum <= KEPT_BYTES || oldest === txid) break;
      this.#kept.delete(oldest);
      sum -= one;
    }
  }
}
