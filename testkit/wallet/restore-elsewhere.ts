/** Restores the recovery words in an independent wallet, without using this wallet's code. */
import { HDKey } from '@scure/bip32';
import { mnemonicToSeedSync } from '@scure/bip39';
import { Hash, Utils } from '@bsv/sdk';
import { expect } from 'vitest';
import type { TestNetwork } from '../network/network.ts';
import { PASSWORD } from './wallet.ts';
import type { WorkerRun } from './worker-run.ts';
import { wallet } from './current.ts';

const ACCOUNTS = ["m/44'/236'/0'/0", "m/44'/236'/0'/1", "m/44'/236'/2'/0"];
const GAP_LIMIT = 20;
/** The first byte of a test network's address. */
const TEST_NETWORK = 0x6f;

/** Seeds by their words, because computing a seed takes long and tests restore the same words repeatedly. */
const seeds = new Map<string, Uint8Array>();

function seedOf(words: string): Uint8Array {
  const seed = seeds.get(words) ?? mnemonicToSeedSync(words);
  seeds.set(words, seed);
  return seed;
}

/** Returns the satoshis that the recovery words restore in a wallet with gap limit 20 (BIP 44). */
export async function foundElsewhere(network: TestNetwork, words: string): Promise<bigint> {
  const root = HDKey.fromMasterSeed(seedOf(words));
  let found = 0n;
  for (const path of ACCOUNTS) {
    const chain = root.derive(path);
    for (let index = 0, unused = 0; unused < GAP_LIMIT; index += 1) {
      const hash = Hash.hash160([...(chain.deriveChild(index).publicKey ?? [])]) as number[];
      const address = Utils.toBase58Check(hash, [TEST_NETWORK]);
      const isUsed = await network.isUsed(address);
      unused = isUsed ? 0 : unused + 1;
      if (!isUsed) continue;
      for (const { satoshis } of await network.unspent(address)) found += BigInt(satoshis);
    }
  }
  return found;
}

/** Asserts that the recovery words restore at least the wallet's displayed balance. */
export async function expectFoundElsewhere(network: TestNetwork, workerRun: WorkerRun): Promise<void> {
  const { words } = await workerRun.modules.handlers.walletHandlers(wallet)['vault/show-words']({ password: PASSWORD });
  const { satoshis } = await workerRun.modules.store.balance(wallet);
  expect(await foundElsewhere(network, words)).toBeGreaterThanOrEqual(satoshis);
}
