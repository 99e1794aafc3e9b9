/** An index of the simulated ledger: spending transactions by output, and outputs by locking script. */
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import type { Transaction } from '../../protocol/bitcoin/transaction.ts';

/** The start of an inscription envelope, which precedes the lock: OP_FALSE OP_IF "ord". */
const ENVELOPE = '0063036f7264';
/** Length of a P2PKH script (hexadecimal digits). */
const LOCK_DIGITS = 50;

/** Returns a locking script without a preceding inscription (hex). */
export const lockOf = (script: string): string => (script.startsWith(ENVELOPE) ? script.slice(-LOCK_DIGITS) : script);

type Known = Map<string, { hex: string; transaction: Transaction }>;

/** An index that follows all changes to the ledger. */
export class LedgerIndex {
  /** All transactions that the network ever accepted, by ID. */
  readonly ever = new Map<string, Transaction>();
  /** Called after each change to the ledger. */
  onChange: () => void = () => undefined;
  readonly #known: Known;
  /** IDs of spending transactions by outpoint, in order of arrival. */
  readonly #spenders = new Map<string, string[]>();
  /** Outpoints by lock (hex), including those of dropped transactions. */
  readonly #paying = new Map<string, Set<string>>();

  /** Wraps the methods of the ledger's map, which must be empty. */
  constructor(known: Known) {
    this.#known = known;
    const [set, remove] = [known.set.bind(known), known.delete.bind(known)];
    known.set = (txid, one) => {
      if (known.has(txid)) return known;
      set(txid, one);
      this.#add(txid, one.transaction);
      return known;
    };
    known.delete = (txid) => {
      const one = known.get(txid);
      if (one) this.#remove(txid, one.transaction);
      return remove(txid) && (this.onChange(), true);
    };
  }

  /** Returns the first transaction except `but` that spends an output. */
  spenderOf(txid: string, vout: number, but = ''): string | undefined {
    return this.#spenders.get(`${txid}:${vout}`)?.find((one) => one !== but);
  }

  isSpent(outpoint: string): boolean {
    return this.#spenders.has(outpoint);
  }

  /** True if the ledger has the output and no transaction spends it. */
  isUnspent(outpoint: string): boolean {
    return this.#known.has(outpoint.slice(0, 64)) && !this.#spenders.has(outpoint);
  }

  /** Returns all outpoints that have ever paid a script, with or without an inscription. */
  paying(script: string): ReadonlySet<string> {
    return this.#paying.get(script) ?? NONE;
  }

  #add(txid: string, transaction: Transaction): void {
    const { inputs, outputs } = transaction;
    for (const input of inputs) {
      const key = `${input.txid}:${input.vout}`;
      const spenders = this.#spenders.get(key);
      if (spenders) spenders.push(txid);
      else this.#spenders.set(key, [txid]);
    }
    if (!this.ever.has(txid))
      for (const [vout, { lockingScript }] of outputs.entries()) {
        const script = lockOf(toHex(lockingScript));
        const paying = this.#paying.get(script) ?? new Set();
        this.#paying.set(script, paying.add(`${txid}:${vout}`));
      }
    this.ever.set(txid, transaction);
    this.onChange();
  }

  #remove(txid: string, { inputs }: Transaction): void {
    for (const input of inputs) {
      const key = `${input.txid}:${input.vout}`;
      const left = (this.#spenders.get(key) ?? []).filter((one) => one !== txid);
      if (left.length > 0) this.#spenders.set(key, left);
      else this.#spenders.delete(key);
    }
  }
}

const NONE: ReadonlySet<string> = new Set();
