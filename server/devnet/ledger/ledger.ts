/**
 * The ledger's state: blocks, unconfirmed transactions, coins and their spends. Does no I/O, and doesn't execute
 * scripts.
 */
import { p2pkhHash } from '../../../protocol/bitcoin/address.ts';
import { ServiceError } from '../../../protocol/errors/service-error.ts';
import { parseTransaction, type Transaction, txidOf } from '../../../protocol/bitcoin/transaction.ts';
import {
  headerHash,
  HEADER_SIZE,
  medianTime,
  merkleRoot,
  NO_BLOCK,
  parseHeader,
  workOf,
  type Header,
} from './blocks.ts';

/** An output not spent in any block. `height` is null while its own transaction is unconfirmed. */
export interface Coin {
  txid: string;
  vout: number;
  satoshis: bigint;
  lockingScript: Uint8Array;
  height: number | null;
  coinbase: boolean;
}

/** A transaction in the ledger. `time` (ms since 1970) is its time of acceptance or, once mined, its block's time. */
export interface LedgerTransaction {
  txid: string;
  bytes: Uint8Array;
  time: number;
  fee: bigint;
  height: number | null;
  /** Index in the block; 0 for the coinbase. */
  index: number;
}

/** A block. `size` is the block's total bytes; `work` is the cumulative work of the chain up to it. */
export interface Block {
  height: number;
  hash: string;
  header: Header;
  medianTime: number;
  txids: readonly string[];
  size: number;
  work: bigint;
}

export function outpoint(txid: string, vout: number): string {
  return `${txid}:${vout}`;
}

const NO_COINS: ReadonlyMap<string, Coin> = new Map();
const NO_TRANSACTIONS: ReadonlySet<string> = new Set();

/** The ledger's state. Changed only by {@link Ledger.addTransaction}, {@link Ledger.drop}, {@link Ledger.addBlock}. */
export class Ledger {
  readonly chronicleHeight: number;
  readonly #blocks: Block[] = [];
  readonly #heights = new Map<string, number>();
  readonly #transactions = new Map<string, LedgerTransaction>();
  readonly #mempool = new Map<string, LedgerTransaction>();
  readonly #coins = new Map<string, Coin>();
  readonly #spends = new Map<string, { txid: string; vin: number }>();
  readonly #byAddress = new Map<string, Map<string, Coin>>();
  readonly #history = new Map<string, Set<string>>();

  /** @param chronicleHeight the first block to which the Chronicle upgrade applies */
  constructor(chronicleHeight = 0) {
    this.chronicleHeight = chronicleHeight;
  }

  /** Height of the last block; -1 before the first block. */
  get height(): number {
    return this.#blocks.length - 1;
  }

  get tip(): Block | undefined {
    return this.#blocks.at(-1);
  }

  /** Unconfirmed transactions in order of acceptance, so parents precede children. */
  get mempool(): ReadonlyMap<string, LedgerTransaction> {
    return this.#mempool;
  }

  /** Median of the last eleven block times (BIP113), in seconds since 1970. */
  get medianTime(): number {
    return this.tip?.medianTime ?? 0;
  }

  block(height: number): Block | undefined {
    return this.#blocks[height];
  }

  heightOf(hash: string): number | undefined {
    return this.#heights.get(hash);
  }

  transaction(txid: string): LedgerTransaction | undefined {
    return this.#transactions.get(txid);
  }

  transactions(): Iterable<LedgerTransaction> {
    return this.#transactions.values();
  }

  /** Returns an output unless it is spent in a block. For spends by unconfirmed transactions, see {@link spend}. */
  coin(txid: string, vout: number): Coin | undefined {
    return this.#coins.get(outpoint(txid, vout));
  }

  spend(txid: string, vout: number): { txid: string; vin: number } | undefined {
    return this.#spends.get(outpoint(txid, vout));
  }

  /**
   * Returns all coins locked to a public key hash (hex), oldest first, including those spent by unconfirmed
   * transactions.
   */
  coinsOf(hash: string): Iterable<Coin> {
    return (this.#byAddress.get(hash) ?? NO_COINS).values();
  }

  /** True if any transaction has ever paid this public key hash (hex). */
  isUsed(hash: string): boolean {
    return this.#byAddress.has(hash);
  }

  /** Returns the txids of all transactions that pay a public key hash (hex) or spend its coins, oldest first. */
  historyOf(hash: string): Iterable<string> {
    return this.#history.get(hash) ?? NO_TRANSACTIONS;
  }

  /** Adds a verified transaction with this fee (satoshis), accepted at `time` (ms since 1970). */
  addTransaction(bytes: Uint8Array, transaction: Transaction, time: number, fee: bigint): LedgerTransaction {
    const entry: LedgerTransaction = { txid: txidOf(bytes), bytes, time, fee, height: null, index: 0 };
    transaction.inputs.forEach((input, vin) => {
      const key = outpoint(input.txid, input.vout);
      this.#spends.set(key, { txid: entry.txid, vin });
      const hash = p2pkhHash(this.#coins.get(key)?.lockingScript ?? new Uint8Array());
      if (hash) this.#noteHistory(Buffer.from(hash).toString('hex'), entry.txid);
    });
    this.#transactions.set(entry.txid, entry);
    this.#mempool.set(entry.txid, entry);
    this.#addCoins(entry, transaction, false);
    return entry;
  }

  /** Removes an unconfirmed transaction and its descendants, as if they had never been accepted. */
  drop(txid: string): void {
    const entry = this.#mempool.get(txid);
    if (!entry) return;
    const { inputs, outputs } = parseTransaction(entry.bytes);
    for (const vout of outputs.keys()) {
      const key = outpoint(txid, vout);
      this.drop(this.#spends.get(key)?.txid ?? '');
      this.#coins.delete(key);
    }
    for (const coins of this.#byAddress.values())
      for (const [key, coin] of coins) if (coin.txid === txid) coins.delete(key);
    for (const ids of this.#history.values()) ids.delete(txid);
    for (const input of inputs) this.#spends.delete(outpoint(input.txid, input.vout));
    this.#transactions.delete(txid);
    this.#mempool.delete(txid);
  }

  /**
   * Adds the next block: header, coinbase, and the txids of already accepted transactions, in order.
   * @throws ServiceError `internal` if the block doesn't extend the chain, which means that the log is damaged
   */
  addBlock(headerBytes: Uint8Array, coinbase: Uint8Array, txids: readonly string[]): Block {
    const header = parseHeader(headerBytes);
    const all = [txidOf(coinbase), ...txids];
    if (
      header.previous !== (this.tip?.hash ?? NO_BLOCK) ||
      header.merkleRoot !== merkleRoot(all) ||
      header.time <= this.medianTime ||
      txids.some((txid) => !this.#mempool.has(txid))
    ) {
      throw new ServiceError('internal', { detail: `block ${this.height + 1} does not extend the chain` });
    }
    const height = this.height + 1;
    const entry: LedgerTransaction = { txid: all[0] ?? '', bytes: coinbase, time: 0, fee: 0n, height: null, index: 0 };
    this.#transactions.set(entry.txid, entry);
    this.#addCoins(entry, parseTransaction(coinbase), true);
    let size = HEADER_SIZE;
    all.forEach((txid, index) => {
      size += this.#settle(txid, height, index, header.time * 1000);
    });
    const times = [...this.#blocks.slice(-10).map((below) => below.header.time), header.time];
    const block: Block = {
      height,
      header,
      size,
      hash: headerHash(headerBytes),
      medianTime: medianTime(times),
      txids: all,
      work: (this.tip?.work ?? 0n) + workOf(header.bits),
    };
    this.#blocks.push(block);
    this.#heights.set(block.hash, height);
    return block;
  }

  #noteHistory(hash: string, txid: string): void {
    const before = this.#history.get(hash);
    if (before) before.add(txid);
    else this.#history.set(hash, new Set([txid]));
  }

  #addCoins(entry: LedgerTransaction, transaction: Transaction, coinbase: boolean): void {
    transaction.outputs.forEach(({ satoshis, lockingScript }, vout) => {
      // Outputs without value carry data and can't be spent.
      if (satoshis === 0n) return;
      const coin: Coin = { txid: entry.txid, vout, satoshis, lockingScript, height: null, coinbase };
      const key = outpoint(entry.txid, vout);
      this.#coins.set(key, coin);
      const hash = p2pkhHash(lockingScript);
      if (!hash) return;
      const address = Buffer.from(hash).toString('hex');
      this.#noteHistory(address, entry.txid);
      const coins = this.#byAddress.get(address);
      if (coins) coins.set(key, coin);
      else this.#byAddress.set(address, new Map([[key, coin]]));
    });
  }

  /** Marks a transaction as mined, confirms its coins, and removes the coins it spends. @returns its size in bytes */
  #settle(txid: string, height: number, index: number, time: number): number {
    const entry = this.#transactions.get(txid);
    if (!entry) return 0;
    Object.assign(entry, { height, index, time });
    this.#mempool.delete(txid);
    const { inputs, outputs } = parseTransaction(entry.bytes);
    outputs.forEach((_, vout) => {
      const coin = this.coin(txid, vout);
      if (coin) coin.height = height;
    });
    for (const input of inputs) {
      const key = outpoint(input.txid, input.vout);
      const spent = this.#coins.get(key);
      if (!spent) continue;
      this.#coins.delete(key);
      const hash = p2pkhHash(spent.lockingScript);
      if (hash) this.#byAddress.get(Buffer.from(hash).toString('hex'))?.delete(key);
    }
    return entry.bytes.length;
  }
}
