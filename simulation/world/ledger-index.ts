/** An index of the simulated ledger: which transaction spends an output, and which outputs pay a script. */
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import type { Transaction } from '../../protocol/bitcoin/transaction.ts';

/** The envelope of an inscription, in front of a lock: OP_FALSE OP_IF "ord". */
const ENVELOPE = '0063036f7264';
/** Hexadecimal digits of P2PKH. */
const LOCK_DIGITS = 50;

/** The script that a key unlocks: without an inscription in front of it, if there is one (hex). */
export const lockOf = (script: string): string => (script.startsWith(ENVELOPE) ? script.slice(-LOCK_DIGITS) : script);

type Known = Map<string, { hex: string; transaction: Transaction }>;

/** Kept up to date with each change of the ledger. */
export class LedgerIndex {
  /** The transactions that the network has, or had once, by id. */
  readonly ever = new Map<string, Transaction>();
  /** Called after each change. */
  onChange: () => void = () => undefined;
  readonly #known: Known;
  /** By outpoint, in the order of arrival. */
  readonly #spenders = new Map<string, string[]>();
  /** Outpoints by lock (hex), those of forgotten transactions included. */
  readonly #paying = new Map<string, Set<string>>();

  /** Watches the ledger's map, which must be empty. */
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

  /** The first transaction that spends an output, except `but`. */
  spenderOf(txid: string, vout: number, but = ''): string | undefined {
    return this.#spenders.get(`${txid}:${vout}`)?.find((one) => one !== but);
  }

  isSpent(outpoint: string): boolean {
    return this.#spenders.has(outpoint);
  }

  /** Whether the ledger has the output, and nothing spends it. */
  isUnspent(outpoint: string): boolean {
    return this.#known.has(outpoint.slice(0, 64)) && !this.#spenders.has(outpoint);
  }

  /** The outputs (outpoints) that ever paid a script, with inscriptions or without. */
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
