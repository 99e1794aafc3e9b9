/**
 * The tokens of a transaction's outputs (BSV-21, "Transfer Validation Rules"). Pure.
 * A mint holds its stated amount. Otherwise all outputs of a token together hold at most the amount of the valid
 * outputs that are spent. If they claim more, all of them are invalid, and any remainder is lost.
 */
import type { Transaction } from '../../bitcoin/transaction.ts';
import { mentionsToken, readTokenOperation, tokenId, type TokenBurn, type Token } from './token.ts';

export interface TokenAmount {
  id: string;
  amt: bigint;
}

/** An output's statement about a token. */
export interface TokenOutput extends TokenAmount {
  vout: number;
  op: Token['op'] | TokenBurn['op'];
  /** The mint's description of the token; null for transfers. */
  mint: Extract<Token, { op: 'deploy+mint' }> | null;
}

/** Token outputs have exactly one satoshi. */
export const TOKEN_SATOSHIS = 1n;

/**
 * A transaction's token statements. `unclear` are those that an index might count although they can't be parsed
 * strictly. If there are any, only outputs that mint are certain.
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

/** The outputs whose claims the valid spent outputs cover. */
export function validOutputs(outputs: readonly TokenOutput[], spent: readonly TokenAmount[]): TokenOutput[] {
  const left = new Map<string, bigint>();
  for (const { id, amt } of spent) left.set(id, (left.get(id) ?? 0n) + amt);
  for (const { id, amt } of outputs) left.set(id, (left.get(id) ?? 0n) - amt);
  return outputs.filter(({ op, id }) => op === 'deploy+mint' || (op === 'transfer' && (left.get(id) as bigint) >= 0n));
}
