import { meaningOf, ServiceError, type ErrorCode } from '../../protocol/errors/service-error.ts';
import type { Transaction } from '../../protocol/bitcoin/transaction.ts';
import { fetchTransaction } from '../chain/headers/spv.ts';
import { MAX_BYTES } from '../chain/http.ts';
import type { NetworkInfo } from '../chain/network-info.ts';
import type { Wallet } from '../platform.ts';

/** Remaining requests and bytes. Requests in progress when they run out are finished. */
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

/** True if an error is about only one transaction, list or proof. */
function isOfOne(code: ErrorCode): boolean {
  const { blame } = meaningOf(code);
  return blame === 'network' || blame === 'page';
}

/** After this many failed requests in a row the network counts as gone, and requests stop. */
const MOST_FAILURES = 5;
/** Bytes of transactions that are kept during the refresh, in case they pay more of the wallet's addresses. */
const KEPT_BYTES = 20_000_000;

/**
 * One refresh: its remaining requests to the index, its errors, and what it leaves to the next one. At the three
 * requests a second of the public service, 120 of them take 40 seconds.
 */
export class Work {
  readonly #wallet: Wallet;
  /** Lists of coins, for the addresses that are searched each time. */
  readonly lists = new Budget(120, 64_000_000);
  readonly transactions = new Budget(100, 64_000_000);
  /** Proofs, spenders, and checks of transactions that disappeared. */
  readonly checks = new Budget(100);
  /** All addresses are searched again, and all stored coins are compared with the network. */
  isWhole = false;
  /** Addresses (scripts) that were searched. */
  readonly looked = new Set<string>();
  /**
   * Transactions that the index showed with an unspent output of the wallet, and those of them that it reports as
   * mined.
   */
  readonly shown = new Set<string>();
  readonly mined = new Set<string>();
  /** Transactions that were not read, and the addresses (scripts) that they pay. */
  readonly unread = new Map<string, Set<string>>();
  readonly faults: ServiceError[] = [];
  /** Some of the wallet's tokens and ordinals, or their mints, were left to the next refresh. */
  isCut = false;
  #failures = 0;
  #kept = new Map<string, { transaction: Transaction; bytes: number }>();

  constructor(wallet: Wallet) {
    this.#wallet = wallet;
  }

  /** True once the index counts as gone, after several failures in a row. */
  get isOver(): boolean {
    return this.#failures >= MOST_FAILURES;
  }

  /**
   * Runs work that is about only one thing. Errors are skipped and recorded as the refresh's failure: anyone can pay
   * the wallet with a huge transaction, and the index may lie about one thing or fail at it. Neither may hide the
   * others.
   * @returns the error, or null
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
      const transaction = await fetchTransaction(this.#wallet, info, txid, (length) => (bytes = length));
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
