/**
 * Lets the nodes change their minds about unconfirmed transactions: they drop one, or replace one by another that
 * spends the same coin.
 */
import { addressScript } from '../../protocol/bitcoin/address.ts';
import { serializeTransaction, txidOf, type Transaction } from '../../protocol/bitcoin/transaction.ts';
import type { ForkingNetwork } from '../../testkit/network/forking.ts';
import type { LedgerIndex } from './ledger-index.ts';
import { refusalOf } from './node.ts';

/** The parts of the network that accept and drop transactions. */
interface Nodes {
  readonly ledger: ForkingNetwork;
  readonly index: LedgerIndex;
  readonly seen: ReadonlyMap<string, Transaction>;
  readonly outside: Set<string>;
  readonly readmitted: Set<string>;
  blockOf(txid: string): object | undefined;
  transactionOf(txid: string): Transaction | undefined;
}

/** The recipient of a payment that replaces one to the wallet. */
const ELSEWHERE = 'mfWxJ45yp2SFn7UciZyNpvDKrzbhyfKrY8';

/** Returns a pending transaction and its descendants. Returns an empty list if one of them is in a block. */
function withDescendants(network: Nodes, txid: string): string[] {
  const found = [txid];
  for (const parent of found)
    for (const [id, { transaction }] of network.ledger.known)
      if (transaction.inputs.some((input) => input.txid === parent) && !found.includes(id)) found.push(id);
  return found.some((id) => network.blockOf(id)) ? [] : found;
}

export class Rivals {
  /** Third parties' transactions that the nodes have dropped or not accepted yet, by ID. */
  readonly #waiting = new Map<string, Transaction>();
  readonly #network: Nodes;
  /** True if a transaction was ever dropped or replaced. */
  areUsed = false;

  constructor(network: Nodes) {
    this.#network = network;
  }

  /** Drops a pending transaction and its descendants. */
  drop(pick: number): void {
    const { ledger } = this.#network;
    const pending = [...ledger.known.keys()].filter((txid) => !this.#network.blockOf(txid));
    const txid = pending[pick % Math.max(1, pending.length)];
    if (txid !== undefined) this.forget(txid);
  }

  /** Lets the payer of an unconfirmed payment to the wallet sign another payment with the same coin. */
  sign(txid: string, to: string | null, satoshis: number): string | null {
    const paid = this.#network.transactionOf(txid);
    if (!paid || this.#network.blockOf(txid)) return null;
    const rival: Transaction = {
      ...paid,
      outputs: [{ satoshis: BigInt(satoshis), lockingScript: addressScript(to ?? ELSEWHERE, 'devnet') }],
    };
    const id = txidOf(serializeTransaction(rival));
    this.#network.outside.add(id);
    this.#waiting.set(id, rival);
    return id;
  }

  /** Lets the nodes accept a transaction that they lack, instead of the pending ones that conflict with it. */
  replace(pick: number): void {
    const { seen, ledger } = this.#network;
    const missing = [...seen, ...this.#waiting].filter(([txid]) => !ledger.known.has(txid));
    const possible = missing.filter(([txid, transaction]) => this.#canFollow(txid, transaction));
    const [txid, transaction] = possible[pick % Math.max(1, possible.length)] ?? [];
    if (txid === undefined || transaction === undefined) return;
    const rivals = this.#rivalsOf(transaction);
    if (rivals.length > 0) this.#network.readmitted.add(txid);
    for (const rival of rivals) this.forget(rival);
    if (this.#isForeign(transaction) || refusalOf(this.#network, transaction, txid) === null)
      ledger.take(serializeTransaction(transaction));
  }

  /** Lets the nodes accept the dropped transactions of third parties that don't conflict with others. */
  returnAll(): void {
    for (const [txid, transaction] of this.#waiting)
      if (!this.#network.ledger.known.has(txid) && this.#rivalsOf(transaction).length === 0)
        this.#network.ledger.take(serializeTransaction(transaction));
  }

  forget(txid: string): boolean {
    const { ledger, seen } = this.#network;
    const gone = withDescendants(this.#network, txid);
    this.areUsed ||= gone.length > 0;
    for (const id of gone) {
      const one = ledger.known.get(id);
      if (one && !seen.has(id)) this.#waiting.set(id, one.transaction);
      ledger.forget(id);
    }
    return gone.length > 0;
  }

  #rivalsOf({ inputs }: Transaction): string[] {
    return inputs.flatMap(({ txid, vout }) => this.#network.index.spenderOf(txid, vout) ?? []);
  }

  /** True if no node knows the coins of a transaction, because a third party owned them. */
  #isForeign({ inputs }: Transaction): boolean {
    return inputs.every(({ txid }) => !this.#network.transactionOf(txid) && !this.#waiting.has(txid));
  }

  #canFollow(txid: string, transaction: Transaction): boolean {
    const { ledger } = this.#network;
    const isKnown = transaction.inputs.every((input) => ledger.known.has(input.txid));
    if (!isKnown && !this.#isForeign(transaction)) return false;
    return this.#rivalsOf(transaction).every((one) => one !== txid && withDescendants(this.#network, one).length > 0);
  }
}
