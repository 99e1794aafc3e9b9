/** Creates real examples for several targets with our own serializers. */
import { p2pkhScript } from '../../protocol/bitcoin/address.ts';
import { writeTokenScript } from '../../protocol/assets/bsv21/token.ts';
import { writeInscription } from '../../protocol/assets/bsv21/inscription.ts';
import { fromHex } from '../../protocol/bitcoin/bytes.ts';
import { serializeTransaction, type Transaction } from '../../protocol/bitcoin/transaction.ts';
import { dataScript } from '../../protocol/bitcoin/push-data.ts';

const encoder = new TextEncoder();
export const TXID = '1a'.repeat(32);
/** The compressed public key of private key 1. */
export const PUBLIC_KEY = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798';

/** Returns locking scripts of every kind that the product writes or describes. */
export function scripts(): Uint8Array[] {
  const lock = p2pkhScript(new Uint8Array(20).fill(7));
  return [
    lock,
    fromHex(`21${PUBLIC_KEY}ac`),
    fromHex(`5121${PUBLIC_KEY}51ae`),
    fromHex(`a914${'ab'.repeat(20)}87`),
    dataScript(encoder.encode('hello')),
    dataScript(new Uint8Array(300)),
    writeInscription('text/plain', encoder.encode('hello'), lock),
    writeTokenScript({ op: 'deploy+mint', amt: 2100n, sym: 'GOLD', dec: 2, icon: '_1' }, lock),
    writeTokenScript({ op: 'transfer', id: `${TXID}_0`, amt: 7n }, lock),
    fromHex('0568656c6c6f7576a914000102030405060708090a0b0c0d0e0f1011121388ac6a0568656c6c6f'),
    fromHex('51'),
  ];
}

export function transactions(): Uint8Array[] {
  const made = (inputs: number, outputs: Uint8Array[]): Transaction => ({
    version: 1,
    inputs: Array.from({ length: inputs }, (_, vout) => ({
      txid: TXID,
      vout,
      unlockingScript: new Uint8Array(vout * 107),
      sequence: 0xffff_ffff,
    })),
    outputs: outputs.map((lockingScript, i) => ({ satoshis: BigInt(i), lockingScript })),
    lockTime: 0,
  });
  const all = scripts();
  return [made(1, all.slice(0, 1)), made(3, all), made(1, [new Uint8Array(300)])].map(serializeTransaction);
}
