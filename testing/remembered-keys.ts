/**
 * Caches results of the packages that multiply points of the curve, for all test files of a process. Tests' wallets
 * mostly have the same recovery words, so the same keys are derived thousands of times, and this took a quarter of the
 * unit tests' processor time. Each result is computed by the package itself the first time.
 */
import { PrivateKey, type PublicKey } from '@bsv/sdk';
import { Point } from '@noble/secp256k1';
import { HDKey } from '@scure/bip32';

/** Maximum number of cached results per function. When the limit is reached, the cache is cleared. */
const MAX_CACHED_RESULTS = 20_000;

/** Returns the cached result, or computes and caches it. */
function remembered<T>(results: Map<string, T>, key: string, work: () => T): T {
  const known = results.get(key);
  if (known !== undefined) return known;
  if (results.size >= MAX_CACHED_RESULTS) results.clear();
  const result = work();
  results.set(key, result);
  return result;
}

const latin1 = (bytes: Uint8Array | null | undefined) =>
  bytes ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1') : '';

/** Caches products and parsed points, which are immutable. */
function rememberPoints(): void {
  const products = new Map<string, Point>();
  const parsed = new Map<string, Point>();
  const { multiply } = Point.prototype;
  Point.prototype.multiply = function remember(this: Point, scalar: bigint, safe?: boolean): Point {
    // Points with other denominators are intermediate results, which rarely recur.
    if (this.Z !== 1n || typeof scalar !== 'bigint') return multiply.call(this, scalar, safe);
    const of = this === Point.BASE ? '' : `${this.X.toString(36)} ${this.Y.toString(36)}`;
    return remembered(products, `${of} ${scalar.toString(36)} ${String(safe)}`, () =>
      Point.fromAffine(multiply.call(this, scalar, safe).toAffine()),
    );
  };
  const { fromBytes } = Point;
  Point.fromBytes = (bytes) =>
    bytes instanceof Uint8Array ? remembered(parsed, latin1(bytes), () => fromBytes(bytes)) : fromBytes(bytes);
}

/** The parts of a key, which the wallet wipes, so each caller gets a copy. */
interface Parts {
  versions: { private: number; public: number };
  _privateKey?: Uint8Array;
  _publicKey: Uint8Array;
  _chainCode: Uint8Array | null;
  _pubHash: Uint8Array;
}

const partsOf = (key: HDKey) => key as unknown as Parts;

function copyOf(key: HDKey): HDKey {
  const { _privateKey, _publicKey, _chainCode, _pubHash } = partsOf(key);
  return Object.assign(Object.create(HDKey.prototype) as HDKey, key, {
    _privateKey: _privateKey?.slice(),
    _publicKey: _publicKey.slice(),
    _chainCode: _chainCode && _chainCode.slice(),
    _pubHash: _pubHash.slice(),
  });
}

function rememberKeys(): void {
  const keys = new Map<string, HDKey>();
  const copied = (key: string, work: () => HDKey) => copyOf(remembered(keys, key, () => copyOf(work())));
  const { deriveChild } = HDKey.prototype;
  HDKey.prototype.deriveChild = function remember(this: HDKey, index: number): HDKey {
    const { versions, _privateKey, _publicKey, _chainCode } = partsOf(this);
    const own = [latin1(_privateKey), latin1(_publicKey), latin1(_chainCode)].join('|');
    const place = [index, this.depth, this.parentFingerprint, versions.private, versions.public].join('|');
    return copied(`child|${own}|${place}`, () => deriveChild.call(this, index));
  };
  const { fromMasterSeed, fromExtendedKey } = HDKey;
  HDKey.fromMasterSeed = (seed, versions) =>
    copied(`seed|${latin1(seed)}|${JSON.stringify(versions)}`, () => fromMasterSeed.call(HDKey, seed, versions));
  HDKey.fromExtendedKey = (text, versions) =>
    copied(`text|${text}|${JSON.stringify(versions)}`, () => fromExtendedKey.call(HDKey, text, versions));
}

/** Caches the public keys of @bsv/sdk, for example those with which the test network's faucet signs. */
function rememberPublicKeys(): void {
  const publicKeys = new Map<string, PublicKey>();
  const { toPublicKey } = PrivateKey.prototype;
  PrivateKey.prototype.toPublicKey = function remember(this: PrivateKey): PublicKey {
    return remembered(publicKeys, this.toHex(), () => toPublicKey.call(this));
  };
}

const kept = globalThis as { remembersKeys?: true };
if (!kept.remembersKeys) {
  kept.remembersKeys = true;
  rememberPoints();
  rememberKeys();
  rememberPublicKeys();
}
