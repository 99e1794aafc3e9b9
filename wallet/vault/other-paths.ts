/**
 * Derives the keys that other wallets use with the same recovery words (BIP32, BIP39, BIP44). The keys exist only while
 * coins are being moved, and are never stored.
 */
import type { HDKey } from '@scure/bip32';
import { OWN_PATHS } from '../../protocol/messages/wallet-messages.ts';
import { hash160, nodeAt, withRoot, type KeyPair } from '../keys/keys.ts';
import { publicChildren } from '../keys/public-children.ts';
import { openVault } from './vault.ts';
import { seedOf } from '../keys/mnemonic.ts';
import type { Wallet } from '../platform.ts';

/** An address chain that other wallets use. `path` excludes the address index. */
interface OtherChain {
  path: string;
  /**
   * Names of the wallets that use the chain; empty for this wallet's own paths, which are searched only with a
   * passphrase.
   */
  wallets: string;
}

/** Address chains that this wallet doesn't use itself. */
const OTHER_CHAINS: readonly OtherChain[] = [
  ...['0', '1'].map((chain) => ({ path: `m/44'/0'/0'/${chain}`, wallets: 'Money Button, ElectrumSV' })),
  { path: "m/44'/236'/1'/0", wallets: 'Yours' },
  { path: "m/44'/236'/0'/2", wallets: 'RelayX' },
  ...['0', '1'].map((chain) => ({ path: `m/44'/0/${chain}`, wallets: 'Centbee' })),
];

/**
 * Returns the chains to search. With a passphrase, they include this wallet's own paths, because the passphrase changes
 * their addresses.
 */
export const chainsFor = (passphrase: string): OtherChain[] => [
  ...OTHER_CHAINS,
  ...(passphrase === '' ? [] : OWN_PATHS.map((path) => ({ path, wallets: '' }))),
];

export interface OtherKeys {
  hashes(path: string, indexes: readonly number[]): Uint8Array[];
  /** Returns a key pair, which is wiped together with all other keys. */
  pair(path: string, index: number): KeyPair;
}

/**
 * Runs `use` with keys on other paths, then wipes them.
 * @throws ServiceError `wallet-not-set-up`, `wrong-password`, `too-many-requests`
 */
export async function withOtherKeys<T>(
  wallet: Wallet,
  password: string,
  passphrase: string,
  use: (keys: OtherKeys) => Promise<T>,
): Promise<T> {
  const { words, key } = await openVault(wallet, password);
  key?.fill(0);
  const seed = await seedOf(words, passphrase);
  const nodes = new Map<string, HDKey>();
  const pairs: KeyPair[] = [];
  const node = (path: string): HDKey => {
    const known = nodes.get(path) ?? withRoot(seed, (root) => nodeAt(root, path));
    nodes.set(path, known);
    return known;
  };
  try {
    return await use({
      hashes: (path, indexes) => publicChildren(node(path), indexes).map(hash160),
      pair(path, index) {
        const { privateKey, publicKey } = node(path).deriveChild(index);
        if (!privateKey || !publicKey) throw new Error('the keys were wiped');
        pairs.push({ privateKey, publicKey });
        return { privateKey, publicKey };
      },
    });
  } finally {
    seed.fill(0);
    for (const one of nodes.values()) one.wipePrivateData();
    for (const { privateKey } of pairs) privateKey.fill(0);
  }
}
