/**
 * The running ledger. Transactions and blocks are accepted one at a time, and written to disk before they are
 * announced. State changes are synchronous, so reading is always safe.
 */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { ServiceError } from '../../../protocol/errors/service-error.ts';
import { txidOf } from '../../../protocol/bitcoin/transaction.ts';
import type { Candidate } from '../../chain/envelope.ts';
import { type Block, Ledger, type LedgerTransaction } from './ledger.ts';
import { openLog, type RecordLog } from './log.ts';
import { openMinerKey, type MinerKey } from './miner-key.ts';
import { planBlocks } from './plan-blocks.ts';
import { FIRST_BLOCKS } from '../arc/policy.ts';
import { blockRecord, dropRecord, replay, transactionRecord } from './records.ts';
import { verifyTransaction } from './verify.ts';

/** Called for every transaction when it is accepted, and again when it is mined. */
export type TransactionListener = (transaction: LedgerTransaction) => void;

export class LedgerNode {
  readonly ledger: Ledger;
  readonly miner: MinerKey;
  readonly #log: RecordLog;
  readonly #listeners = new Set<TransactionListener>();
  #queue: Promise<unknown> = Promise.resolve();
  #closed = false;

  constructor(ledger: Ledger, log: RecordLog, miner: MinerKey) {
    this.ledger = ledger;
    this.miner = miner;
    this.#log = log;
  }

  /** Subscribes to transactions. @returns a function that unsubscribes */
  onTransaction(listener: TransactionListener): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /**
   * Runs `work` after all previously queued work. {@link takeNow} and {@link mineNow} must be called from `work`.
   * @throws ServiceError `service-unavailable` after {@link close}
   */
  exclusive<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closed)
      return Promise.reject(new ServiceError('service-unavailable', { detail: 'the ledger is closed' }));
    const done = this.#queue.then(work);
    this.#queue = done.catch(() => undefined);
    return done;
  }

  /**
   * Verifies and accepts a transaction. Idempotent.
   * @throws LedgerRejection, ServiceError `service-unavailable` (closed, or writing failed)
   */
  submit(candidate: Candidate): Promise<LedgerTransaction> {
    return this.exclusive(() => this.takeNow(candidate));
  }

  /** Mines blocks. The first contains all waiting transactions. @returns the last block */
  async mine(blocks: number): Promise<Block> {
    let left = blocks;
    let last: Block;
    do {
      // Mined in batches so that even a thousand blocks delay a payment only briefly.
      const now = Math.min(left, 100);
      last = await this.exclusive(() => this.mineNow(now));
      left -= now;
    } while (left > 0);
    return last;
  }

  /** Like {@link submit}, but must be called inside {@link exclusive}. */
  async takeNow(candidate: Candidate, isMiners = false): Promise<LedgerTransaction> {
    const known = this.ledger.transaction(txidOf(candidate.bytes));
    if (known) return known;
    const { transaction, fee } = await verifyTransaction(this.ledger, candidate, isMiners);
    const bytes = candidate.bytes.slice();
    const time = Date.now();
    await this.#log.append([transactionRecord(bytes, time, fee)]);
    const taken = this.ledger.addTransaction(bytes, transaction, time, fee);
    this.#tell(taken);
    return taken;
  }

  /**
   * Replaces an unconfirmed transaction with another that spends the same coins. Drops the old one's descendants.
   * @throws LedgerRejection, after which the old transaction is lost; ServiceError `service-unavailable`
   */
  replace(txid: string, bytes: Uint8Array): Promise<LedgerTransaction> {
    return this.exclusive(async () => {
      await this.#log.append([dropRecord(txid)]);
      this.ledger.drop(txid);
      return this.takeNow({ bytes, sources: null }, true);
    });
  }

  /** Mines `count` blocks (at least one) in one write. Must be called inside {@link exclusive}. */
  async mineNow(count: number): Promise<Block> {
    const made = planBlocks(this.ledger, this.miner.lockingScript, count, Math.floor(Date.now() / 1000));
    await this.#log.append(made.map(({ header, coinbase, txids }) => blockRecord(header, coinbase, txids)));
    for (const { header, coinbase, txids } of made) {
      this.ledger.addBlock(header, coinbase, txids);
      for (const txid of txids) this.#tell(this.ledger.transaction(txid));
    }
    return this.#tip();
  }

  /** Waits for work in progress and closes the log. New work is then rejected. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#listeners.clear();
    await this.#queue;
    await this.#log.close();
  }

  #tip(): Block {
    const { tip } = this.ledger;
    if (!tip) throw new ServiceError('internal', { detail: 'the chain is empty' });
    return tip;
  }

  #tell(transaction: LedgerTransaction | undefined): void {
    if (transaction) for (const listener of this.#listeners) listener(transaction);
  }
}

/**
 * Opens the ledger in a directory, which is created if missing, and mines any missing first blocks. The caller must
 * ensure that no other process has the directory open.
 * @param chronicleHeight the first block with the Chronicle upgrade
 * @throws ServiceError `internal` (damaged log or key)
 */
export async function openNode(directory: string, chronicleHeight = 0): Promise<LedgerNode> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const miner = await openMinerKey(directory);
  const { log, records } = await openLog(path.join(directory, 'ledger.log'));
  const ledger = new Ledger(chronicleHeight);
  try {
    for (const record of records) replay(ledger, record);
  } catch (error) {
    await log.close();
    throw error;
  }
  const node = new LedgerNode(ledger, log, miner);
  // After an interrupted first start, mines only the remaining blocks.
  if (ledger.height + 1 < FIRST_BLOCKS) await node.exclusive(() => node.mineNow(FIRST_BLOCKS - ledger.height - 1));
  return node;
}
