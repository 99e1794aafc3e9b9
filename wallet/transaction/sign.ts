/**
 * Signs a planned transaction with ALL|FORKID (protocol/bitcoin/sighash.ts), deterministic nonces (RFC 6979), low S and
 * DER.
 */
import { concatBytes, fromHex } from '../../protocol/bitcoin/bytes.ts';
import { SIGHASH_ALL_FORKID, sighashes } from '../../protocol/bitcoin/sighash.ts';
import { serializeTransaction, txidOf, type Transaction } from '../../protocol/bitcoin/transaction.ts';
import { signDigest } from '../keys/ecdsa.ts';
import type { KeyPair } from '../keys/keys.ts';
import type { Input } from './input.ts';
import type { Plan } from './plan.ts';

const VERSION = 1;
const SEQUENCE = 0xffff_ffff;
const LOCK_TIME = 0;
const EMPTY = new Uint8Array(0);

export interface Signed {
  transaction: Transaction;
  bytes: Uint8Array<ArrayBuffer>;
  txid: string;
}

/** Returns a plan's transaction before the wallet signs its own inputs. */
export function unsignedTransaction({
  given = [],
  inputs,
  outputs,
  version = VERSION,
  lockTime = LOCK_TIME,
}: Plan): Transaction {
  return {
    version,
    inputs: [
      ...given.map(({ txid, vout, sequence, unlockingScript }) => ({
        txid,
        vout,
        unlockingScript: unlockingScript ?? EMPTY,
        sequence,
      })),
      ...inputs.map(({ txid, vout }) => ({ txid, vout, unlockingScript: EMPTY, sequence: SEQUENCE })),
    ],
    outputs,
    lockTime,
  };
}

/** Signs each coin in a plan with its key. The application has already signed its own inputs. */
export function signTransaction<I extends Input>(plan: Plan<I>, keyFor: (input: I) => KeyPair): Signed {
  const unsigned = unsignedTransaction(plan);
  const digestOf = sighashes(unsigned);
  const before = unsigned.inputs.length - plan.inputs.length;
  const own = plan.inputs.map((coin, i) => {
    const { privateKey, publicKey } = keyFor(coin);
    const signature = derSignature(signDigest(digestOf(before + i, fromHex(coin.script), coin.satoshis), privateKey));
    const unlockingScript = concatBytes(
      new Uint8Array([signature.length + 1]),
      signature,
      new Uint8Array([SIGHASH_ALL_FORKID, publicKey.length]),
      publicKey,
    );
    return { txid: coin.txid, vout: coin.vout, unlockingScript, sequence: SEQUENCE };
  });
  const transaction: Transaction = { ...unsigned, inputs: [...unsigned.inputs.slice(0, before), ...own] };
  const bytes = serializeTransaction(transaction);
  return { transaction, bytes, txid: txidOf(bytes) };
}

/** Encodes a 64-byte compact signature as DER (BIP 66). */
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
