/** Creates coins with deterministic keys, and generates random coins. */
import fc from 'fast-check';
import * as secp256k1 from '@noble/secp256k1';
import { p2pkhScript } from '../../protocol/bitcoin/address.ts';
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import type { CoinSource } from '../../wallet/coins/choose.ts';
import { outpoint, ranked, type Coin } from '../../wallet/coins/coin.ts';
import type { Receipt } from '../../wallet/coins/receipts/receipt.ts';
import { hash160, type KeyPair } from '../../wallet/keys/keys.ts';

export function testPair(index: number): KeyPair {
  const privateKey = new Uint8Array(32);
  new DataView(privateKey.buffer).setUint32(28, index + 1);
  return { privateKey, publicKey: secp256k1.getPublicKey(privateKey, true) };
}

const scripts = new Map<number, Uint8Array<ArrayBuffer>>();

export function testScript(index: number): Uint8Array<ArrayBuffer> {
  const known = scripts.get(index) ?? p2pkhScript(hash160(testPair(index).publicKey));
  scripts.set(index, known);
  return known;
}

/** Creates a coin that belongs to {@link testPair}. */
export function testCoin(satoshis: bigint, more: Partial<Omit<Coin, 'outpoint' | 'satoshis'>> = {}): Coin {
  const { index = 0, txid = 'aa'.repeat(32), vout = 0, height = 1 } = more;
  return {
    outpoint: outpoint(txid, vout),
    txid,
    vout,
    satoshis,
    script: toHex(testScript(index)),
    chain: 'receive',
    index,
    status: 'available',
    paymentId: null,
    height,
    depth: height === null ? 1 : 0,
    seen: true,
    ...more,
  };
}

/** Creates a receipt of 1000 unconfirmed satoshis. */
export function testReceipt(more: Partial<Receipt> = {}): Receipt {
  return {
    txid: 'aa'.repeat(32),
    satoshis: 1000n,
    address: 'mpYYAhbqNUWWTmrsjcHKkGRUFyQ1FSezFb',
    createdAt: 1_700_000_000_000,
    height: null,
    unconfirmed: 1,
    ...more,
  };
}

/**
 * Generates up to `most` coins with keys 0 to 4. The coins can be confirmed, unconfirmed, or at the end of a long chain
 * of unconfirmed transactions.
 */
export function someCoins(satoshis: fc.Arbitrary<bigint>, most: number, least = 0): fc.Arbitrary<Coin[]> {
  const coin = fc.record({
    satoshis,
    index: fc.nat(4),
    vout: fc.nat(5),
    block: fc.constantFrom({ height: 7, depth: 0 }, { height: null, depth: 1 }, { height: null, depth: 30 }),
    txid: fc.uint8Array({ minLength: 32, maxLength: 32 }).map(toHex),
  });
  return fc
    .uniqueArray(coin, { selector: (c) => outpoint(c.txid, c.vout), minLength: least, maxLength: most })
    .map((coins) => coins.map(({ satoshis: value, block, ...rest }) => testCoin(value, { ...block, ...rest })));
}

/** Provides coins for coin selection. `looks` counts the coins that were read. */
export function sourceOf(coins: readonly Coin[]): CoinSource & { looks: number } {
  const sorted = coins.map(ranked).sort((a, b) => a.value - b.value);
  const source = {
    looks: 0,
    atMost: async () => coins.reduce((sum, { satoshis }) => sum + satoshis, 0n),
    smallest: async (tier: number, atLeast: bigint) => {
      source.looks += 1;
      return sorted.find((coin) => coin.tier === tier && coin.satoshis >= atLeast);
    },
    async *largest(tiers: readonly number[], atLeast: bigint) {
      for (const coin of sorted.toReversed()) {
        if (!tiers.includes(coin.tier) || coin.satoshis < atLeast) continue;
        source.looks += 1;
        yield coin;
      }
    },
  };
  return source;
}
