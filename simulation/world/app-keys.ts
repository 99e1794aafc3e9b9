/** Creates keys, scripts and signatures for simulated applications. */
import { p2pkhScript } from '../../protocol/bitcoin/address.ts';
import { concatBytes, fromHex, toHex } from '../../protocol/bitcoin/bytes.ts';
import { PAYMENT_PROTOCOL_ID } from '../../protocol/messages/permission.ts';
import { sighashes, SIGHASH_ALL_FORKID } from '../../protocol/bitcoin/sighash.ts';
import { serializeTransaction, txidOf, type Transaction } from '../../protocol/bitcoin/transaction.ts';
import { derSignature } from '../../wallet/transaction/sign.ts';
import { derivedPublicKey, type Remittance } from '../../wallet/keys/derived-keys.ts';
import { publicKeyOf, signDigest } from '../../wallet/keys/ecdsa.ts';
import { hash160 } from '../../wallet/keys/keys.ts';

/** The key number of applications' foreign inputs. Deals use the keys numbered 1 and up. */
export const FOREIGN_KEY = 0;

/** Maximum size of a P2PKH unlocking script (bytes). */
export const UNLOCKING_BYTES = 107;

function privateKey(number: number): Uint8Array {
  const key = new Uint8Array(32).fill(7);
  new DataView(key.buffer).setUint32(28, number + 1);
  return key;
}

export const keyHash = (number: number): Uint8Array => hash160(publicKeyOf(privateKey(number)));

/** Signs an input that is locked to a key. @returns the unlocking script (hex) */
export function unlock(transaction: Transaction, vin: number, satoshis: bigint, key: number): string {
  const digest = sighashes(transaction)(vin, p2pkhScript(keyHash(key)), satoshis);
  const signature = derSignature(signDigest(digest, privateKey(key)));
  const publicKey = publicKeyOf(privateKey(key));
  return toHex(
    concatBytes(
      new Uint8Array([signature.length + 1]),
      signature,
      new Uint8Array([SIGHASH_ALL_FORKID, publicKey.length]),
      publicKey,
    ),
  );
}

const derived = new Map<string, string>();

/** Derives a payment to an identity key (BRC-29). @returns the locking script and the payee's remittance (hex) */
export function derivedPayment(identity: string, number: number): { script: string; remittance: Remittance } {
  const sender = privateKey(0);
  const derivationPrefix = btoa(`prefix ${number}`);
  const derivationSuffix = btoa('suffix');
  const keyID = `${derivationPrefix} ${derivationSuffix}`;
  const name = { protocol: PAYMENT_PROTOCOL_ID, keyID, counterparty: identity };
  const script =
    derived.get(`${identity} ${number}`) ?? toHex(p2pkhScript(hash160(derivedPublicKey(sender, name, false))));
  derived.set(`${identity} ${number}`, script);
  return { script, remittance: { derivationPrefix, derivationSuffix, senderIdentityKey: toHex(publicKeyOf(sender)) } };
}

/** Encodes a single transaction as BEEF (BRC-95), without a merkle path. */
export function beefOf(transaction: Transaction): number[] {
  const bytes = serializeTransaction(transaction);
  const id = fromHex(txidOf(bytes)).reverse();
  return [...concatBytes(fromHex('01010101'), id, fromHex('0100beef0001'), bytes, new Uint8Array(1))];
}
