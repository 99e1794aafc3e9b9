import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export interface LockedPackage {
  name: string;
  version: string;
  /** An SPDX expression, or the name of an unlisted license. */
  license: string;
  /** True if the package has an install script, which npm doesn't run by default. */
  hasInstallScript: boolean;
  /** True if the package is needed only for development. */
  dev: boolean;
}

interface LockEntry {
  version: string;
  license?: string;
  dev?: boolean;
  hasInstallScript?: boolean;
}

/** Licenses of packages whose package.json only refers to a license file. */
const BY_FILE: Readonly<Record<string, string>> = { '@bsv/sdk': 'Open BSV License version 4' };

interface Lock {
  packages: Record<string, LockEntry>;
}

const readLock = () =>
  JSON.parse(readFileSync(fileURLToPath(new URL('../../package-lock.json', import.meta.url)), 'utf8')) as Lock;

/** Returns the lock file without development dependencies. */
export function shippedLock(): Lock {
  const { packages, ...rest } = readLock();
  const { devDependencies: _development, ...root } = packages[''] as LockEntry & { devDependencies?: object };
  const shipped = Object.entries(packages).filter(([place, { dev = false }]) => place !== '' && !dev);
  return { ...rest, packages: { '': root, ...Object.fromEntries(shipped) } };
}

export function lockedPackages(): LockedPackage[] {
  return Object.entries(readLock().packages)
    .filter(([place]) => place !== '')
    .map(([place, { version, license = 'none', dev = false, hasInstallScript = false }]) => {
      const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
      return { name, version, license: BY_FILE[name] ?? license, hasInstallScript, dev };
    });
}

/** Returns the packages that an installation without development dependencies can contain, without duplicates. */
export function shippedPackages(): LockedPackage[] {
  const shipped = lockedPackages().filter(({ dev }) => !dev);
  return [...new Map(shipped.map((one) => [`${one.name}@${one.version}`, one])).values()];
}
