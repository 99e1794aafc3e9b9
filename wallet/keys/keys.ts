/**
 * The wallet's keys (BIP32, BIP44 purpose 44', SLIP-44 coin type 236'). The paths must not change, because restores
 * from recovery words depend on them. Spending keys: `m/44'/236'/0'/{0 receive,1 change}/i`. Addresses issued by the
 * service for paymail and user-ID payments: `m/44'/236'/2'/0/i`. Identity key: `m/0'/236'/0'/0/0`.
 */
import { HDKey } from '@scure/bip32';
import { sha256 } from '@noble/hashes/sha2.js';
import { ripemd160 } from '@noble/hashes/legacy.js';
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import { publicChildren } from './public-children.ts';

/** Paths of the accounts and of the identity key. */
export const PATHS = { spending: "m/44'/236'/0'", service: "m/44'/236'/2'", identity: "m/0'/236'/0'/0/0" } as const;

/**
 * Address chains: the spending account's receiving and change addresses, and the service account's receiving addresses.
 */
export const CHAINS = ['receive', 'change', 'service'] as const;
export type Chain = (typeof CHAINS)[number];

/**
 * Public keys, which remain readable while the wallet is locked. They reveal received payments, but can't move money.
 */
export interface PublicKeys {
  spendingXpub: string;
  serviceXpub: string;
  /** Compressed identity key (hex). */
  identity: string;
}

export function publicKeysOf(seed: Uint8Array): PublicKeys {
  return withRoot(seed, (root) => ({
    spendingXpub: nodeAt(root, PATHS.spending).wipePrivateData().publicExtendedKey,
    serviceXpub: nodeAt(root, PATHS.service).wipePrivateData().publicExtendedKey,
    identity: toHex(nodeAt(root, PATHS.identity).wipePrivateData().publicKey as Uint8Array),
  }));
}

/** Runs `use` with the seed's root key, then wipes that key. */
export function withRoot<T>(seed: Uint8Array, use: (root: HDKey) => T): T {
  const root = HDKey.fromMasterSeed(seed);
  try {
    return use(root);
  } finally {
    root.wipePrivateData();
  }
}

/** Derives the node at a path and wipes intermediate nodes, but not the root. */
export function nodeAt(root: HDKey, path: string): HDKey {
  let node = root;
  for (const step of path.split('/').slice(1)) {
    const child = node.derive(`m/${step}`);
    if (node !== root) node.wipePrivateData();
    node = child;
  }
  return node;
}

/** Returns the private identity key (32 bytes), which the caller must wipe. */
export function identityKeyOf(seed: Uint8Array): Uint8Array {
  return withRoot(seed, (root) => pairOf(nodeAt(root, PATHS.identity)).privateKey);
}

/** Returns the public key hashes at the given indexes of a chain, derived from the account's extended public key. */
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

/** Returns a node's key pair and wipes the node. The library's intermediate values remain until garbage collection. */
function pairOf(node: HDKey): KeyPair {
  const { privateKey, publicKey } = node;
  if (!privateKey || !publicKey) throw new Error('the keys were wiped');
  node.wipePrivateData();
  return { privateKey, publicKey };
}

/** Derives spending keys, each chain's node only once. `wipe` clears all of them. */
export interface SpendingKeys {
  pair(chain: Chain, index: number): KeyPair;
  wipe(): void;
}

/** Returns a seed's spending keys, for the duration of a signing operation. */
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
