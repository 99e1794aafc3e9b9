/**
 * The contents of one-satoshi outputs by the rules of BSV-21 and 1Sat ordinals (docs.1satordinals.com), computed without
 * the wallet's code, and the answers of an index of them (1sat-server).
 */
import { readAddress } from '../../protocol/bitcoin/address.ts';
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import type { Transaction } from '../../protocol/bitcoin/transaction.ts';

/** Some of a token, 0 units if the output's claim is false; or an ordinal, by its origin (`txid_vout`). */
export type Held = { token: string; units: bigint } | { ordinal: string };

/** Totals by token, and the origins of ordinals, in order. */
export interface Holdings {
  tokens: Record<string, string>;
  ordinals: string[];
}

interface Ledger {
  /** A transaction that was ever submitted or accepted. */
  transactionOf(txid: string): Transaction | undefined;
  /** Unspent outputs (outpoints) of a lock (hex), with inscriptions or without. */
  unspentOf(lock: string): string[];
  heightOf(txid: string): number | null;
}

const isOneSatoshi = (transaction: Transaction | undefined, vout: number) =>
  transaction?.outputs[vout]?.satoshis === 1n;

/** A script's token claim: the token, `null` for the output's own mint, and the units. */
function claimIn(script: Uint8Array): { id: string | null; units: bigint } | null {
  const json = /application\/bsv-20.*?(\{.*?\})/s.exec(Buffer.from(script).toString('latin1'))?.[1];
  if (json === undefined) return null;
  const { op, id, amt } = JSON.parse(json) as { op: string; id?: string; amt: string };
  return { id: op === 'deploy+mint' ? null : (id ?? ''), units: BigInt(amt) };
}

const isInscribed = (script: Uint8Array) => toHex(script).startsWith('0063036f7264');

export class TokenLedger {
  readonly #ledger: Ledger;
  /** Tokens by output. A true claim remains true. */
  readonly #valid = new Map<string, Held>();

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  /** The asset in an output; null for money, and for an unknown output. */
  heldAt(txid: string, vout: number): Held | null {
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

  /** Units of a token in the outputs that a transaction spends. */
  spentBy({ inputs }: Transaction, token: string): bigint {
    return inputs.reduce((sum, { txid, vout }) => {
      const held = this.heldAt(txid, vout);
      return held && 'token' in held && held.token === token ? sum + held.units : sum;
    }, 0n);
  }

  /** The first output of the same satoshi (`txid_vout`). Satoshis leave a transaction in the order of their arrival. */
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

  /** Everything that locks hold. */
  holdingsOf(locks: Iterable<string>): Holdings {
    const outpoints = [...locks].flatMap((lock) => this.#ledger.unspentOf(lock));
    return holdings(outpoints.flatMap((one) => this.heldAt(one.slice(0, 64), Number(one.slice(65))) ?? []));
  }

  /** Answers the index's requests, by the path below its root. */
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

/** Units of a token that a transaction's outputs claim to hold. */
export function claimedBy({ outputs }: Transaction, token: string): bigint {
  return outputs.reduce((sum, { satoshis, lockingScript }) => {
    const claim = satoshis === 1n ? claimIn(lockingScript) : null;
    return claim?.id === token ? sum + claim.units : sum;
  }, 0n);
}

/** Adds things up. */
export function holdings(all: readonly Held[]): Holdings {
  const tokens = new Map<string, bigint>();
  for (const held of all)
    if ('token' in held && held.units > 0n) tokens.set(held.token, (tokens.get(held.token) ?? 0n) + held.units);
  return {
    tokens: Object.fromEntries([...tokens].toSorted().map(([id, units]) => [id, `${units}`])),
    ordinals: all.flatMap((held) => ('ordinal' in held ? held.ordinal : [])).toSorted(),
  };
}
