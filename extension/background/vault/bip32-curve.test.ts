/** The keys as in the wallet's build, compared with those of the packages. */
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { HDKey } from '@scure/bip32';
import { build } from 'vite';
import { beforeAll, expect, test } from 'vitest';
import { SUBSTITUTES } from '../../substitutes.ts';

let Built: typeof HDKey;
let code: string;

beforeAll(async () => {
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    resolve: { alias: SUBSTITUTES },
    build: {
      write: false,
      minify: false,
      lib: { entry: fileURLToPath(import.meta.resolve('@scure/bip32')), formats: ['es'], fileName: 'bip32' },
    },
  });
  const [{ output }] = built as [Exclude<typeof built, readonly unknown[] | { on: unknown }>];
  ({ code } = output[0]);
  ({ HDKey: Built } = (await import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`)) as {
    HDKey: typeof HDKey;
  });
});

/** The package has a hook for tests: the child of a given hash, for which no seed is known. */
interface Tweakable {
  _deriveChild(index: number, hash: Uint8Array): HDKey;
}

/** The parts of a key to compare, or the error. */
function described(make: () => HDKey) {
  try {
    const { privateExtendedKey, publicExtendedKey } = make();
    return { privateExtendedKey, publicExtendedKey };
  } catch (error) {
    return String(error);
  }
}
const watched = (key: HDKey) => HDKey.fromExtendedKey(key.publicExtendedKey).publicExtendedKey;

test('the build has one implementation of the curve', () => {
  expect(code.includes('noble-curves - MIT')).toBe(false);
});

test('every path of every seed leads to the same keys, private and public', () => {
  const index = fc.oneof(fc.nat(2 ** 31 - 1), fc.constantFrom(0, 1, 2 ** 31 - 1));
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 16, maxLength: 64 }),
      fc.array(fc.tuple(index, fc.constantFrom('', "'")), { maxLength: 4 }),
      index,
      (seed, steps, last) => {
        const path = ['m', ...steps.map(([at, hard]) => `${at}${hard}`)].join('/');
        const [ours, theirs] = [Built.fromMasterSeed(seed).derive(path), HDKey.fromMasterSeed(seed).derive(path)];
        expect(ours.privateExtendedKey).toBe(theirs.privateExtendedKey);
        expect(ours.publicExtendedKey).toBe(theirs.publicExtendedKey);
        const open = Built.fromExtendedKey(ours.publicExtendedKey).deriveChild(last);
        expect(open.publicExtendedKey).toBe(watched(theirs.deriveChild(last)));
      },
    ),
    { numRuns: 40 },
  );
});

test('keys and tweaks of children give the same results at the ends of the range', () => {
  const n = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
  const bytes = (scalar: bigint) => Uint8Array.from(Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex'));
  const ends = [0n, 1n, 2n, n - 2n, n - 1n, n, n + 1n, 2n ** 256n - 1n];
  const chainCode = new Uint8Array(32).fill(3);
  for (const privateKey of ends.map(bytes)) {
    const make = (Key: typeof HDKey) => new Key({ privateKey, chainCode });
    expect(described(() => make(Built))).toEqual(described(() => make(HDKey)));
    for (const tweak of ends) {
      const child = (Key: typeof HDKey, isPublic: boolean) =>
        described(() => {
          const key = make(Key);
          const parent = isPublic ? new Key({ publicKey: key.publicKey!, chainCode }) : key;
          return (parent as unknown as Tweakable)._deriveChild(0, Uint8Array.from([...bytes(tweak), ...chainCode]));
        });
      for (const isPublic of [false, true]) expect(child(Built, isPublic)).toEqual(child(HDKey, isPublic));
    }
  }
});

test('a point off the curve is rejected', () => {
  for (const publicKey of [new Uint8Array(33), new Uint8Array(33).fill(2), new Uint8Array(33).fill(255)]) {
    const make = (Key: typeof HDKey) => described(() => new Key({ publicKey, chainCode: new Uint8Array(32) }));
    expect(typeof make(Built)).toBe(typeof make(HDKey));
  }
});
