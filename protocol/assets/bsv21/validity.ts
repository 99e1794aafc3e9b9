/**
 * Validates the token amounts of a transaction's outputs (BSV-21, "Transfer Validation Rules"). Pure. A mint always
 * holds its stated amount. If a token's transfers and burns together exceed its valid inputs, all of them are invalid.
 * If they total less, the difference is lost.
 */
import type { Transaction } from '../../bitcoin/transaction.ts';
import { mentionsToken, readTokenOperation, tokenId, type TokenBurn, type Token } from './token.ts';

export interface TokenAmount {
  id: string;
  amt: bigint;
}

/** An output's token operation and its claimed amount. */
export interface TokenOutput extends TokenAmount {
  vout: number;
  op: Token['op'] | TokenBurn['op'];
  /** The mint that describes the token. Null for transfers and burns. */
  mint: Extract<Token, { op: 'deploy+mint' }> | null;
}

/** Token outputs have exactly one satoshi. */
export const TOKEN_SATOSHIS = 1n;

/**
 * Returns a transaction's token operations. `unclear` lists outputs that the strict parser rejects but an index might
 * count. If there are any, only the mints are certain.
 */
export function tokenOutputs(transaction: Transaction, txid: string): { outputs: TokenOutput[]; unclear: number[] } {
  const outputs: TokenOutput[] = [];
  const unclear: number[] = [];
  for (const [vout, { satoshis, lockingScript }] of transaction.outputs.entries()) {
    const read = readTokenOperation(lockingScript);
    if (read && satoshis === TOKEN_SATOSHIS) {
      const { op, amt } = read;
      const mint = op === 'deploy+mint' ? read : null;
      outputs.push({ vout, op, amt, id: op === 'deploy+mint' ? tokenId(txid, vout) : read.id, mint });
    } else if (mentionsToken(lockingScript)) unclear.push(vout);
  }
  return { outputs, unclear };
}

/** Returns the mints, and the transfers that the valid token amounts in `spent` cover. */
export function validOutputs(outputs: readonly TokenOutput[], spent: readonly TokenAmount[]): TokenOutput[] {
  const left = new Map<string, bigint>();
  for (const { id, amt } of spent) left.set(id, (left.get(id) ?? 0n) + amt);
  for (const { id, amt } of outputs) left.set(id, (left.get(id) ?? 0n) - amt);
  return outputs.filter(({ op, id }) => op === 'deploy+mint' || (op === 'transfer' && (left.get(id) as bigint) >= 0n));
}
