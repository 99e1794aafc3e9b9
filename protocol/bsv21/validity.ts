/**
 * What outputs hold of tokens once a transaction is made (BSV-21, "Transfer Validation Rules"). Pure.
 *
 * A mint holds what it says. Of each other token, all outputs together hold at most what valid outputs that are spent
 * held: where they ask for more, none of them holds anything, and what is left over is lost.
 */
import type { Transaction } from '../transaction.ts';
import { mentionsToken, readTokenOperation, tokenId, type TokenBurn, type Token } from './token.ts';

/** Some of a token. */
export interface TokenAmount {
  id: string;
  amt: bigint;
}

/** What one output says that it does with a token. */
export interface TokenOutput extends TokenAmount {
  vout: number;
  op: Token['op'] | TokenBurn['op'];
  /** Of a mint: what it says of the token. */
  mint: Extract<Token, { op: 'deploy+mint' }> | null;
}

/** Tokens are held by outputs of exactly one satoshi. */
export const TOKEN_SATOSHIS = 1n;

/**
 * What the outputs of a transaction say of tokens. `unclear` are those that an index might count although they cannot be
 * read strictly: with one of them in it, only outputs that mint are certain.
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

/** The outputs that hold what they say, by the valid ones that the transaction spends. */
export function validOutputs(outputs: readonly TokenOutput[], spent: readonly TokenAmount[]): TokenOutput[] {
  const left = new Map<string, bigint>();
  for (const { id, amt } of spent) left.set(id, (left.get(id) ?? 0n) + amt);
  for (const { id, amt } of outputs) left.set(id, (left.get(id) ?? 0n) - amt);
  return outputs.filter(({ op, id }) => op === 'deploy+mint' || (op === 'transfer' && (left.get(id) as bigint) >= 0n));
}
