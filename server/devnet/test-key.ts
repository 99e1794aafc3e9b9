/** Keys for tests, independent of the test runner. */
import { PrivateKey } from '@bsv/sdk';
import { p2pkhScript, writeAddress } from '../../protocol/bitcoin/address.ts';

export interface TestKey {
  key: PrivateKey;
  publicKey: Uint8Array;
  hash: string;
  script: Uint8Array;
  address: string;
}

export function testKey(): TestKey {
  const key = PrivateKey.fromRandom();
  const hash = Uint8Array.from(key.toPublicKey().toHash() as number[]);
  return {
    key,
    publicKey: Uint8Array.from(key.toPublicKey().encode(true) as number[]),
    hash: Buffer.from(hash).toString('hex'),
    script: p2pkhScript(hash),
    address: writeAddress(hash, 'devnet'),
  };
}
