/**
 * Whether a transaction really spends a coin of ours: whether its input's signature unlocks the coin's script. Pure.
 */
import { equalBytes, fromHex } from '../../../protocol/bytes.ts';
import { ownerHash } from '../../../protocol/bsv21/inscription.ts';
import { compactOf, readP2pkhUnlock } from '../../../protocol/p2pkh-unlock.ts';
import { isForkSighash, sighashes } from '../../../protocol/sighash.ts';
import type { Transaction } from '../../../protocol/transaction.ts';
import type { Input } from './input.ts';
import { verifyDigest } from '../vault/ecdsa.ts';
import { hash160 } from '../vault/keys.ts';

/**
 * Tells of each coin whether some input spends it with a public key that its script names, and a signature by it of what
 * nodes have signed. What all inputs share is hashed once (BIP 143), so that asking about every coin of a transaction
 * takes time in proportion to its size.
 */
export function unlocksOf(transaction: Transaction): (coin: Input) => boolean {
  const indexes = new Map<string, number>();
  for (const [index, { txid, vout }] of transaction.inputs.entries()) {
    const key = `${txid}:${vout}`;
    if (!indexes.has(key)) indexes.set(key, index);
  }
  const digests = new Map<number, ReturnType<typeof sighashes>>();
  const digestsOf = (type: number): ReturnType<typeof sighashes> => {
    const known = digests.get(type) ?? sighashes(transaction, type);
    digests.set(type, known);
    return known;
  };
  return ({ txid, vout, script, satoshis }) => {
    const index = indexes.get(`${txid}:${vout}`) ?? -1;
    const unlock = readP2pkhUnlock(transaction.inputs[index]?.unlockingScript ?? new Uint8Array());
    const owner = ownerHash(fromHex(script));
    if (!unlock || !isForkSighash(unlock.sighashType) || !owner || !equalBytes(hash160(unlock.publicKey), owner))
      return false;
    const compact = compactOf(unlock.signature);
    return (
      compact !== null &&
      verifyDigest(compact, digestsOf(unlock.sighashType)(index, fromHex(script), satoshis), unlock.publicKey)
    );
  };
}

/**
 * Does an input that is locked to one key have a valid signature of this transaction? Of other scripts the network judges.
 * What all inputs share is hashed once: a page names a thousand of them, and outputs of a megabyte.
 */
export function unlocksItself(transaction: Transaction): (input: Input) => boolean {
  const isSigned = unlocksOf(transaction);
  return (input) => ownerHash(fromHex(input.script)) === null || isSigned(input);
}
