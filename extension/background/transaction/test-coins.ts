/** For tests: coins of keys made from numbers, and generators of them. */
import fc from 'fast-check';
import * as secp256k1 from '@noble/secp256k1';
import { p2pkhScript } from '../../../protocol/address.ts';
import { toHex } from '../../../protocol/bytes.ts';
import { outpoint, type Coin } from '../coins/coin.ts';
import { hash160, type KeyPair } from '../vault/keys.ts';

/** The key pair whose private key is `index + 1`. */
export function testPair(index: number): KeyPair {
  const privateKey = new Uint8Array(32);
  new DataView(privateKey.buffer).setUint32(28, index + 1);
  return { privateKey, publicKey: secp256k1.getPublicKey(privateKey, true) };
}

/** P2PKH script of {@link testPair}. */
export function testScript(index: number): Uint8Array<ArrayBuffer> {
  return p2pkhScript(hash160(testPair(index).publicKey));
}

/** A coin of {@link testPair}. */
export function testCoin(satoshis: bigint, { index = 0, txid = 'aa'.repeat(32), vout = 0, height = 1 as number | null } = {}): Coin {
  return {
    outpoint: outpoint(txid, vout), txid, vout, satoshis, script: toHex(testScript(index)), chain: 'receive', index,
    status: 'available', paymentId: null, height, seen: true,
  };
}

/** Up to `most` coins with different outpoints, confirmed or not, of keys 0 to 4. */
export function someCoins(satoshis: fc.Arbitrary<bigint>, most: number, least = 0): fc.Arbitrary<Coin[]> {
  const coin = fc.record({
    satoshis, index: fc.nat(4), vout: fc.nat(5), height: fc.constantFrom(null, 7), txid: fc.uint8Array({ minLength: 32, maxLength: 32 }).map(toHex),
  });
  return fc.uniqueArray(coin, { selector: (c) => outpoint(c.txid, c.vout), minLength: least, maxLength: most })
    .map((coins) => coins.map(({ satoshis: value, ...rest }) => testCoin(value, rest)));
}
