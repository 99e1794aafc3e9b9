/**
 * Checks whether a transaction spends a coin, that is, whether an input's signature unlocks the coin's script. Pure.
 */
import { equalBytes, fromHex } from '../../protocol/bitcoin/bytes.ts';
import { ownerHash } from '../../protocol/assets/bsv21/inscription.ts';
import { compactOf, isMalleable, readP2pkhUnlock, type P2pkhUnlock } from '../../protocol/bitcoin/p2pkh-unlock.ts';
import { isForkSighash, isOriginalSighash, originalSighash, sighashes } from '../../protocol/bitcoin/sighash.ts';
import { serializeTransaction, type Transaction } from '../../protocol/bitcoin/transaction.ts';
import type { Input } from './input.ts';
import { pushDropKey } from './push-drop.ts';
import { verifyDigest } from '../keys/ecdsa.ts';
import { hash160 } from '../keys/keys.ts';

/**
 * Maximum number of bytes to hash for signatures with the original sighash algorithm, which hashes the whole
 * transaction for each input. Beyond this limit, only a merkle proof shows that a coin is spent.
 */
const MAX_ORIGINAL_SIGHASH_BYTES = 16 * 2 ** 20;

/**
 * Returns a function that returns true for a coin if an input spends it with the coin's public key and a valid
 * signature. Parts that the inputs share are hashed once (BIP 143), so checking every coin takes time proportional to
 * the transaction's size.
 */
export function unlocksOf(transaction: Transaction): (coin: Input) => boolean {
  return signedBy(transaction, (unlockingScript, script) => {
    const unlock = readP2pkhUnlock(unlockingScript, transaction.version);
    const owner = ownerHash(script);
    return unlock && owner && equalBytes(hash160(unlock.publicKey), owner) ? unlock : null;
  });
}

/** Like {@link unlocksOf}, but uses the signature that `read` extracts from an input's scripts. */
function signedBy(
  transaction: Transaction,
  read: (unlockingScript: Uint8Array, script: Uint8Array) => P2pkhUnlock | null,
): (coin: Input) => boolean {
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
  const size = serializeTransaction(transaction).length;
  let original = 0;
  const digestOf = (type: number, index: number, { script, satoshis }: Input): Uint8Array | null => {
    if (isForkSighash(type)) return digestsOf(type)(index, fromHex(script), satoshis);
    original += size;
    if (!isOriginalSighash(type) || original > MAX_ORIGINAL_SIGHASH_BYTES) return null;
    return originalSighash(transaction, type, index, fromHex(script));
  };
  const lowS = !isMalleable(transaction.version);
  return (coin) => {
    const index = indexes.get(`${coin.txid}:${coin.vout}`) ?? -1;
    const unlock = read(transaction.inputs[index]?.unlockingScript ?? new Uint8Array(), fromHex(coin.script));
    const compact = unlock && compactOf(unlock.signature);
    const digest = compact && digestOf(unlock.sighashType, index, coin);
    return digest ? verifyDigest(compact, digest, unlock.publicKey, { lowS }) : false;
  };
}

/**
 * Returns a function that verifies an input's signature if one key unlocks its script ({@link isOfOneKey}), and returns
 * true for all other scripts. Only the network executes those scripts, because a page can pass a thousand inputs and
 * megabyte-sized outputs.
 */
export function unlocksItself(transaction: Transaction): (input: Input) => boolean {
  const isSigned = unlocksOf(transaction);
  const isSignedOnly = signedBy(transaction, (unlockingScript, script) => {
    const publicKey = pushDropKey(script);
    const [length = 0] = unlockingScript;
    // A DER signature and its sighash byte.
    if (!publicKey || length < 9 || length > 73 || unlockingScript.length !== length + 1) return null;
    return {
      signature: unlockingScript.subarray(1, length),
      sighashType: unlockingScript[length] as number,
      publicKey,
    };
  });
  return (input) => {
    const script = fromHex(input.script);
    if (ownerHash(script)) return isSigned(input);
    return pushDropKey(script) ? isSignedOnly(input) : true;
  };
}

/** True if a locking script (hex) requires only one key's signature, which the wallet can verify. */
export function isOfOneKey(script: string): boolean {
  const bytes = fromHex(script);
  return ownerHash(bytes) !== null || pushDropKey(bytes) !== null;
}
