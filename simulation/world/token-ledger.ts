/**
 * Determines the assets in one-satoshi outputs by the rules of BSV-21 and 1Sat ordinals (docs.1satordinals.com), and
 * responds like their index (1sat-server). Doesn't use the wallet's code.
 */
import { readAddress } from '../../protocol/bitcoin/address.ts';
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import type { Transaction } from '../../protocol/bitcoin/transaction.ts';

/**
 * Either an amount of a token, 0 if the output's claim is false, or an ordinal, identified by its origin
 * (`txid_vout`).
 */
export type TokenHolding = { token: string; units: bigint } | { ordinal: string };

/** Total amounts of tokens by ID, and the origins of ordinals, sorted. */
export interface Holdings {
  tokens: Record<string, string>;
  ordinals: string[];
}

interface Ledger {
  /** Returns any transaction that was ever submitted or accepted. */
  transactionOf(txid: string): Transaction | undefined;
  /** Returns the unspent outpoints of a lock (hex), with or without an inscription. */
  unspentOf(lock: string): string[];
  heightOf(txid: string): number | null;
}

const isOneSatoshi = (transaction: Transaction | undefined, vout: number) =>
  transaction?.outputs[vout]?.satoshis === 1n;

/** Parses a script's token claim. The ID is null if the output mints a new token. */
function claimIn(script: Uint8Array): { id: string | null; units: bigint } | null {
  const json = /application\/bsv-20.*?(\{.*?\})/s.exec(Buffer.from(script).toString('latin1'))?.[1];
  if (json === undefined) return null;
  const { op, id, amt } = JSON.parse(json) as { op: string; id?: string; amt: string };
  return { id: op === 'deploy+mint' ? null : (id ?? ''), units: BigInt(amt) };
}

const isInscribed = (script: Uint8Array) => toHex(script).startsWith('0063036f7264');

export class TokenLedger {
  readonly #ledger: Ledger;
  /** Cache of assets by output. A valid claim stays valid. */
  readonly #valid = new Map<string, TokenHolding>();

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  /** Returns the asset in an output. Null for money and for unknown outputs. */
  heldAt(txid: string, vout: number): TokenHolding | null {
    const key = `${txid}_${vout}`;
    const known = this.#valid.get(key);
    if (known) return known;
    const transaction = this.#ledger.transactionOf(txid);
    if (!transaction || !isOneSatoshi(transaction, vout)) return null;
    const script = transaction.outputs[vout]?.lockingScript as Uint8Array;
    const claim = claimIn(script);
    if (!claim) {
      const origin = this.#originOf(transaction, txid, vout);
      return origin === key && !isInscribed(script) ? null : { ordinal: origin };
    }
    const token = claim.id ?? key;
    const isTrue = claim.id === null || this.spentBy(transaction, token) >= claimedBy(transaction, token);
    const held = { token, units: isTrue ? claim.units : 0n };
    if (isTrue) this.#valid.set(key, held);
    return held;
  }

  /** Returns the units of a token in a transaction's inputs. */
  spentBy({ inputs }: Transaction, token: string): bigint {
    return inputs.reduce((sum, { txid, vout }) => {
      const held = this.heldAt(txid, vout);
      return held && 'token' in held && held.token === token ? sum + held.units : sum;
    }, 0n);
  }

  /**
   * Returns the origin of an ordinal (`txid_vout`). According to the rules, satoshis leave a transaction in the order
   * in which they enter it.
   */
  #originOf({ inputs, outputs }: Transaction, txid: string, vout: number): string {
    let at = outputs.slice(0, vout).reduce((sum, { satoshis }) => sum + satoshis, 0n);
    for (const input of inputs) {
      const source = this.#ledger.transactionOf(input.txid);
      const { satoshis } = source?.outputs[input.vout] ?? {};
      if (satoshis === undefined) break;
      if (at === 0n && satoshis === 1n) return this.#originOf(source as Transaction, input.txid, input.vout);
      if (at < satoshis) break;
      at -= satoshis;
    }
    return `${txid}_${vout}`;
  }

  /** Returns all assets in the unspent outputs of the given locks. */
  holdingsOf(locks: Iterable<string>): Holdings {
    const outpoints = [...locks].flatMap((lock) => this.#ledger.unspentOf(lock));
    return holdings(outpoints.flatMap((one) => this.heldAt(one.slice(0, 64), Number(one.slice(65))) ?? []));
  }

  /** Returns the index's response to a request, by the path below its root. */
  answer(path: string): { status?: number; body?: unknown } {
    const { pathname, searchParams } = new URL(path, 'http://index');
    const [, , kind, by, id = ''] = pathname.split('/');
    const [txid = '', vout = ''] = id.split('_');
    if (kind === 'txos') {
      const hash = readAddress(id)?.hash;
      const all = hash ? this.#ledger.unspentOf(`76a914${toHex(hash)}88ac`) : [];
      return { body: all.flatMap((one) => this.#listed(one, searchParams.get('bsv20') === 'true')) };
    }
    const held = this.heldAt(txid, Number(vout));
    if (!held || !('token' in held)) return { status: 404 };
    if (by === 'outpoint') return { body: { id: held.token, status: held.units > 0n ? 1 : -1 } };
    return { body: { id, sym: 'GOLD', dec: 0, amt: `${held.units}` } };
  }

  #listed(outpoint: string, isToken: boolean): object[] {
    const [txid, vout] = [outpoint.slice(0, 64), Number(outpoint.slice(65))];
    const held = this.heldAt(txid, vout);
    const isListed =
      isOneSatoshi(this.#ledger.transactionOf(txid), vout) && (held !== null && 'token' in held) === isToken;
    const origin = held && 'ordinal' in held ? { outpoint: held.ordinal } : null;
    return isListed ? [{ txid, vout, satoshis: 1, height: this.#ledger.heightOf(txid), origin }] : [];
  }
}

/** Returns the units of a token that a transaction's outputs claim. */
export function claimedBy({ outputs }: Transaction, token: string): bigint {
  return outputs.reduce((sum, { satoshis, lockingScript }) => {
    const claim = satoshis === 1n ? claimIn(lockingScript) : null;
    return claim?.id === token ? sum + claim.units : sum;
  }, 0n);
}

/** Adds up the amounts of each token, and sorts the ordinals. */
export function holdings(all: readonly TokenHolding[]): Holdings {
  const tokens = new Map<string, bigint>();
  for (const held of all)
    if ('token' in held && held.units > 0n) tokens.set(held.token, (tokens.get(held.token) ?? 0n) + held.units);
  return {
    tokens: Object.fromEntries([...tokens].toSorted().map(([id, units]) => [id, `${units}`])),
    ordinals: all.flatMap((held) => ('ordinal' in held ? held.ordinal : [])).toSorted(),
  };
}
