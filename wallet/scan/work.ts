import { meaningOf, ServiceError, type ErrorCode } from '../../protocol/errors/service-error.ts';
import type { Transaction } from '../../protocol/bitcoin/transaction.ts';
import { fetchTransaction } from '../chain/headers/spv.ts';
import { MAX_BYTES } from '../chain/http.ts';
import type { NetworkInfo } from '../chain/network-info.ts';
import type { Wallet } from '../platform.ts';

/** A budget of requests and bytes. Requests in progress are completed even if the budget runs out. */
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

/** True if an error concerns only a single transaction, list or proof. */
function isOfOne(code: ErrorCode): boolean {
  const { blame } = meaningOf(code);
  return blame === 'network' || blame === 'page';
}

/** Number of consecutive failures after which the index is considered unreachable, and requests stop. */
const MAX_CONSECUTIVE_FAILURES = 5;
/**
 * Maximum size of the transactions cached during a refresh (bytes). A transaction is cached because it can pay several
 * addresses.
 */
const KEPT_BYTES = 20_000_000;

/**
 * The state of one refresh: its request budgets, its errors, and the work left for the next one. At the public
 * service's three requests per second, 120 requests take 40 seconds.
 */
export class Work {
  readonly #wallet: Wallet;
  /** Budget for lists of coins at the addresses that are searched each time. */
  readonly lists = new Budget(120, 64_000_000);
  readonly transactions = new Budget(100, 64_000_000);
  /** Budget for proofs, spenders, and checks of disappeared transactions. */
  readonly checks = new Budget(100);
  /** True if all addresses are searched and all stored coins are compared with the network. */
  isWhole = false;
  /** Searched addresses (scripts). */
  readonly looked = new Set<string>();
  /** Unconfirmed transactions that the index lists with one of the wallet's unspent outputs. */
  readonly shown = new Set<string>();
  /** Transactions that the index reports as mined and that have an unspent output of the wallet. */
  readonly mined = new Set<string>();
  /** Transactions that pay the wallet but haven't been read yet, with the addresses (scripts) that they pay. */
  readonly unread = new Map<string, Set<string>>();
  readonly faults: ServiceError[] = [];
  /** True if some of the wallet's tokens and ordinals, or their mints, are left for the next refresh. */
  isCut = false;
  #failures = 0;
  #kept = new Map<string, { transaction: Transaction; bytes: number }>();

  constructor(wallet: Wallet) {
    this.#wallet = wallet;
  }

  /** True if the index is considered unreachable, after several consecutive failures. */
  get isOver(): boolean {
    return this.#failures >= MAX_CONSECUTIVE_FAILURES;
  }

  /**
   * Runs work on a single item. Skips errors and records them as the refresh's errors, because anyone can pay the
   * wallet with a huge transaction, and the index can fail or lie about a single item. All other items must still be
   * found.
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
   * Returns a transaction, fetched once per refresh.
   * @throws ServiceError those of {@link fetchTransaction}
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
