/**
 * Signs a planned transaction: sighash ALL|FORKID (0x41, BIP 143's digest as BSV uses it), deterministic nonces
 * (RFC 6979), low S, DER. What is the same for all inputs is hashed once.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes, fromHex } from '../../../protocol/bytes.ts';
import { ByteWriter, serializeTransaction, sha256d, txidOf, type Transaction } from '../../../protocol/transaction.ts';
import { signDigest } from '../vault/ecdsa.ts';
import type { KeyPair } from '../vault/keys.ts';
import type { Coin } from '../coins/coin.ts';
import type { Plan } from './plan.ts';

const SIGHASH_ALL_FORKID = 0x41;
const VERSION = 1;
const SEQUENCE = 0xffff_ffff;
const LOCK_TIME = 0;

/** A signed transaction. */
export interface Signed {
  transaction: Transaction;
  bytes: Uint8Array<ArrayBuffer>;
  txid: string;
}

/** Signs every input of a plan with its own coin's key. */
export function signTransaction(plan: Plan, keyFor: (coin: Coin) => KeyPair): Signed {
  const outpoints = new ByteWriter();
  const sequences = new ByteWriter();
  const outputs = new ByteWriter();
  for (const { txid, vout } of plan.inputs) {
    outpoints.txid(txid).uint32(vout);
    sequences.uint32(SEQUENCE);
  }
  for (const { satoshis, lockingScript } of plan.outputs) {
    outputs.uint64(satoshis).compactSize(lockingScript.length).bytes(lockingScript);
  }
  const prefix = new ByteWriter().uint32(VERSION).bytes(sha256d(outpoints.done())).bytes(sha256d(sequences.done())).done();
  const suffix = new ByteWriter().uint32(SEQUENCE).bytes(sha256d(outputs.done())).uint32(LOCK_TIME).uint32(SIGHASH_ALL_FORKID).done();
  const midstate = sha256.create().update(prefix);

  const inputs = plan.inputs.map((coin) => {
    const { privateKey, publicKey } = keyFor(coin);
    const script = fromHex(coin.script);
    const own = new ByteWriter().txid(coin.txid).uint32(coin.vout).compactSize(script.length).bytes(script).uint64(coin.satoshis);
    const digest = sha256(midstate.clone().update(own.done()).update(suffix).digest());
    const signature = derSignature(signDigest(digest, privateKey));
    const unlockingScript = concatBytes(
      new Uint8Array([signature.length + 1]), signature, new Uint8Array([SIGHASH_ALL_FORKID, publicKey.length]), publicKey,
    );
    return { txid: coin.txid, vout: coin.vout, unlockingScript, sequence: SEQUENCE };
  });
  const transaction: Transaction = { version: VERSION, inputs, outputs: plan.outputs, lockTime: LOCK_TIME };
  const bytes = serializeTransaction(transaction);
  return { transaction, bytes, txid: txidOf(bytes) };
}

/** DER (BIP 66) of a 64-byte compact signature. */
export function derSignature(compact: Uint8Array): Uint8Array {
  const body = concatBytes(derInteger(compact.subarray(0, 32)), derInteger(compact.subarray(32, 64)));
  return concatBytes(new Uint8Array([0x30, body.length]), body);
}

function derInteger(bytes: Uint8Array): Uint8Array {
  const first = bytes.findIndex((byte) => byte !== 0);
  const digits = bytes.subarray(first < 0 ? 31 : first);
  const padded = (digits[0] as number) >= 0x80 ? concatBytes(new Uint8Array([0]), digits) : digits;
  return concatBytes(new Uint8Array([0x02, padded.length]), padded);
}
