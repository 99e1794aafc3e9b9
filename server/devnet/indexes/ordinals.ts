/**
 * Contents of one-satoshi outputs: tokens, validated against BSV-21's transfer rules, and ordinals with their origin.
 * Derived from the ledger, in memory.
 */
import { ownerHash, readInscription } from '../../../protocol/assets/bsv21/inscription.ts';
import type { TokenMint } from '../../../protocol/assets/bsv21/token.ts';
import {
  TOKEN_SATOSHIS,
  tokenOutputs,
  validOutputs,
  type TokenOutput,
} from '../../../protocol/assets/bsv21/validity.ts';
import { parseTransaction, type Transaction } from '../../../protocol/bitcoin/transaction.ts';
import { outpoint, type Ledger, type LedgerTransaction } from '../ledger/ledger.ts';

export interface OneSat {
  txid: string;
  vout: number;
  /** Hash (hex) of the public key whose signature can spend the output; null if spending requires anything else. */
  owner: string | null;
  lockingScript: Uint8Array;
  contentType: string | null;
  /** The first one-satoshi output that contained this satoshi: `txid_vout`. */
  origin: string;
  /** The token that the output claims to carry, with the mint's data and the claim's validity, or null. */
  token: (TokenOutput & { isValid: boolean; minted: TokenMint | null }) | null;
}

export class Ordinals {
  readonly #ledger: Ledger;
  readonly #outputs = new Map<string, OneSat>();
  readonly #owned = new Map<string, OneSat[]>();

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
    for (const one of ledger.transactions()) this.add(one);
  }

  /** Adds a transaction whose parents have already been added. Idempotent. */
  add({ txid, bytes }: LedgerTransaction): void {
    const transaction = parseTransaction(bytes);
    if (!transaction.outputs.some(({ satoshis }) => satoshis === TOKEN_SATOSHIS)) return;
    if (transaction.outputs.some((_, vout) => this.#outputs.has(outpoint(txid, vout)))) return;
    const { outputs } = tokenOutputs(transaction, txid);
    const spent = transaction.inputs.flatMap((input) => this.output(input.txid, input.vout)?.token ?? []);
    const valid = new Set(
      validOutputs(
        outputs,
        spent.filter(({ op, isValid }) => isValid && op !== 'burn'),
      ),
    );
    const tokens = new Map(outputs.map((one) => [one.vout, one]));
    const origins = this.#originsOf(transaction, txid);
    for (const [vout, { satoshis, lockingScript }] of transaction.outputs.entries()) {
      if (satoshis !== TOKEN_SATOSHIS) continue;
      const token = tokens.get(vout);
      const owner = ownerHash(lockingScript);
      const one: OneSat = {
        txid,
        vout,
        owner: owner && Buffer.from(owner).toString('hex'),
        lockingScript,
        contentType: readInscription(lockingScript)?.contentType ?? null,
        origin: origins[vout] ?? `${txid}_${vout}`,
        token: token ? { ...token, isValid: valid.has(token), minted: token.mint ?? this.#mintOf(token.id) } : null,
      };
      this.#outputs.set(outpoint(txid, vout), one);
      if (one.owner === null) continue;
      const owned = this.#owned.get(one.owner);
      if (owned) owned.push(one);
      else this.#owned.set(one.owner, [one]);
    }
  }

  output(txid: string, vout: number): OneSat | undefined {
    return this.#outputs.get(outpoint(txid, vout));
  }

  /** Returns the unspent outputs locked to a public key hash (hex), newest first. */
  unspentOf(owner: string): OneSat[] {
    return (this.#owned.get(owner) ?? []).filter(({ txid, vout }) => !this.#ledger.spend(txid, vout)).reverse();
  }

  #mintOf(id: string): TokenMint | null {
    const [txid = '', vout = ''] = id.split('_');
    return this.output(txid, Number(vout))?.token?.mint ?? null;
  }

  /** Returns each output's origin. Satoshis keep their order from inputs to outputs. */
  #originsOf({ inputs, outputs }: Transaction, txid: string): string[] {
    const entering = new Map<bigint, string>();
    let at = 0n;
    for (const input of inputs) {
      const before = this.output(input.txid, input.vout);
      if (before) entering.set(at, before.origin);
      at += this.#satoshisOf(input.txid, input.vout);
    }
    let left = 0n;
    return outputs.map(({ satoshis }, vout) => {
      const origin = satoshis === TOKEN_SATOSHIS ? entering.get(left) : undefined;
      left += satoshis;
      return origin ?? `${txid}_${vout}`;
    });
  }

  #satoshisOf(txid: string, vout: number): bigint {
    const source = this.#ledger.coin(txid, vout)?.satoshis;
    if (source !== undefined) return source;
    const bytes = this.#ledger.transaction(txid)?.bytes;
    return bytes ? (parseTransaction(bytes).outputs[vout]?.satoshis ?? 0n) : 0n;
  }
}
