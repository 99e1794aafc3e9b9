/** The packaged wallets in the build directory, and their version. */
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { walletVersion } from '../protocol/http/wallet-release.ts';

/** Packages offered for download, by browser family. */
export const PACKAGE_FILES = { chromium: 'wallet.zip', firefox: 'wallet-firefox.zip' } as const;
export type PackageName = keyof typeof PACKAGE_FILES;

export interface WalletPackage {
  bytes: Buffer;
  /** SHA-256 of the package, hex. */
  sha256: string;
}

/** The current build's packages. A new build takes effect without a restart. */
export interface WalletPackages {
  /** Reads a package, or returns null if there is none. */
  read(name: PackageName): Promise<WalletPackage | null>;
  /** Returns the version in the packages' manifest, or null if no build is readable. */
  version(): Promise<string | null>;
}

const manifest = z.object({ version: walletVersion });

/** Opens the packages for reading. @param directory the build directory */
export function openWalletPackages(directory: string): WalletPackages {
  /** Cached packages with their files' identities. A build replaces whole files, which changes the identity. */
  const known = new Map<string, { identity: string; content: WalletPackage }>();
  return {
    async read(name) {
      const file = join(directory, PACKAGE_FILES[name]);
      try {
        const { ino, size, mtimeNs } = await stat(file, { bigint: true });
        const identity = `${ino} ${size} ${mtimeNs}`;
        const last = known.get(name);
        if (last?.identity === identity) return last.content;
        const bytes = await readFile(file);
        const content = { bytes, sha256: createHash('sha256').update(bytes).digest('hex') };
        known.set(name, { identity, content });
        return content;
      } catch {
        return null;
      }
    },
    async version() {
      try {
        const text = await readFile(join(directory, 'extension/manifest.json'), 'utf8');
        const read = manifest.safeParse(JSON.parse(text));
        return read.success ? read.data.version : null;
      } catch {
        return null;
      }
    },
  };
}
