/**
 * The wallet's keys (BIP32, BIP44 purpose 44', coin type 236' of SLIP-44). The paths are fixed, because people restore
 * from words. Spending `m/44'/236'/0'/{0 receive,1 change}/i`. Addresses that the service issues for paymail and
 * user-ID payments `m/44'/236'/2'/0/i`. Identity `m/0'/236'/0'/0/0`.
 */
import { HDKey } from '@scure/bip32';
import { sha256 } from '@noble/hashes/sha2.js';
import { ripemd160 } from '@noble/hashes/legacy.js';
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import { publicChildren } from './public-children.ts';

/** Paths of the accounts and of the identity key. */
export const PATHS = { spending: "m/44'/236'/0'", service: "m/44'/236'/2'", identity: "m/0'/236'/0'/0/0" } as const;

/** Sources of addresses: receiving and change of the spending account, receiving of the service's account. */
export const CHAINS = ['receive', 'change', 'service'] as const;
export type Chain = (typeof CHAINS)[number];

/** Keys that may stay readable while the wallet is locked. They show received payments, but can't move money. */
export interface PublicKeys {
  spendingXpub: string;
  serviceXpub: string;
  /** Compressed identity key, hex. */
  identity: string;
}

export function publicKeysOf(seed: Uint8Array): PublicKeys {
  return withRoot(seed, (root) => ({
    spendingXpub: nodeAt(root, PATHS.spending).wipePrivateData().publicExtendedKey,
    serviceXpub: nodeAt(root, PATHS.service).wipePrivateData().publicExtendedKey,
    identity: toHex(nodeAt(root, PATHS.identity).wipePrivateData().publicKey as Uint8Array),
  }));
}

/** Runs `use` with the seed's root key and always wipes that key afterwards. */
export function withRoot<T>(seed: Uint8Array, use: (root: HDKey) => T): T {
  const root = HDKey.fromMasterSeed(seed);
  try {
    return use(root);
  } finally {
    root.wipePrivateData();
  }
}

/** The node at a path. Those on the way to it are wiped, the root is not. */
export function nodeAt(root: HDKey, path: string): HDKey {
  let node = root;
  for (const step of path.split('/').slice(1)) {
    const child = node.derive(`m/${step}`);
    if (node !== root) node.wipePrivateData();
    node = child;
  }
  return node;
}

/** The identity key's 32 private bytes. The caller wipes them. */
export function identityKeyOf(seed: Uint8Array): Uint8Array {
  return withRoot(seed, (root) => pairOf(nodeAt(root, PATHS.identity)).privateKey);
}

/** Public key hashes of one chain at the given indexes, from the account's extended public key. */
export function publicKeyHashes(keys: PublicKeys, chain: Chain, indexes: readonly number[]): Uint8Array[] {
  const account = HDKey.fromExtendedKey(chain === 'service' ? keys.serviceXpub : keys.spendingXpub);
  const node = account.deriveChild(chain === 'change' ? 1 : 0);
  return publicChildren(node, indexes).map(hash160);
}

export function hash160(bytes: Uint8Array): Uint8Array {
  return ripemd160(sha256(bytes));
}

export interface KeyPair {
  privateKey: Uint8Array;
  publicKey: Uint8Array;
}

/** The keys of a node, which is wiped. The library's intermediate values remain until garbage collection. */
function pairOf(node: HDKey): KeyPair {
  const { privateKey, publicKey } = node;
  if (!privateKey || !publicKey) throw new Error('the keys were wiped');
  node.wipePrivateData();
  return { privateKey, publicKey };
}

/** Derives spending keys; each chain's node is derived once. `wipe` clears all of them. */
export interface SpendingKeys {
  pair(chain: Chain, index: number): KeyPair;
  wipe(): void;
}

/** The spending keys of a seed, for as long as one signing takes. */
export function spendingKeys(seed: Uint8Array): SpendingKeys {
  const nodes = new Map<Chain, HDKey>();
  const pairs: KeyPair[] = [];
  return {
    pair(chain, index) {
      let node = nodes.get(chain);
      if (!node) {
        const path = chain === 'service' ? `${PATHS.service}/0` : `${PATHS.spending}/${chain === 'change' ? 1 : 0}`;
        node = withRoot(seed, (root) => nodeAt(root, path));
        nodes.set(chain, node);
      }
      const pair = pairOf(node.deriveChild(index));
      pairs.push(pair);
      return pair;
    },
    wipe() {
      for (const node of nodes.values()) node.wipePrivateData();
      for (const { privateKey } of pairs) privateKey.fill(0);
    },
  };
}
