/**
 * Whether a transaction really spends a coin of ours: whether its input's signature unlocks the coin's script. Pure.
 */
import { fromHex, toHex } from '../../../protocol/bytes.ts';
import { p2pkhScript } from '../../../protocol/address.ts';
import { compactOf, readP2pkhUnlock } from '../../../protocol/p2pkh-unlock.ts';
import { isForkSighash, sighashes } from '../../../protocol/sighash.ts';
import type { Transaction } from '../../../protocol/transaction.ts';
import type { Input } from './input.ts';
import { verifyDigest } from '../vault/ecdsa.ts';
import { hash160 } from '../vault/keys.ts';

/**
 * Does some input spend the coin with a public key that its script names, and a signature by it of what nodes have
 * signed?
 */
export function unlocks(transaction: Transaction, { txid, vout, script, satoshis }: Input): boolean {
  const index = transaction.inputs.findIndex((input) => input.txid === txid && input.vout === vout);
  const unlock = index < 0 ? null : readP2pkhUnlock(transaction.inputs[index]?.unlockingScript as Uint8Array);
  if (!unlock || !isForkSighash(unlock.sighashType) || toHex(p2pkhScript(hash160(unlock.publicKey))) !== script)
    return false;
  const compact = compactOf(unlock.signature);
  return (
    compact !== null &&
    verifyDigest(
      compact,
      sighashes(transaction, unlock.sighashType)(index, fromHex(script), satoshis),
      unlock.publicKey,
    )
  );
}
