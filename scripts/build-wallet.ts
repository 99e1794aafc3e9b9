/**
 * `npm run build:wallet`: builds only the wallet. The result depends only on the commit, the settings and the Node
 * version.
 */
import { createHash } from 'node:crypto';
import { cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { extensionId, extensionKey } from '../tooling/extension-key.ts';
import { firefoxManifest, type ChromeManifest } from '../tooling/firefox-package.ts';
import { zipFolder } from './build/zip.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OUT = join(ROOT, 'dist');
/** A file with the URL of the service that the built wallet offers. */
const BUILT_FOR = join(OUT, 'built-for.txt');

/** A packed wallet in dist/, and its SHA-256 in hex. */
export interface WalletPackage {
  file: string;
  sha256: string;
}

/**
 * Builds the extension into dist/extension, its Firefox version into dist/firefox and its Chrome Web Store version into
 * dist/chrome-web-store, and packs each of them.
 * @param serviceUrl the service (an origin) that a new wallet offers for its account
 * @throws Error if `EXTENSION_KEY` is invalid
 */
export async function buildWallet(serviceUrl: string): Promise<WalletPackage[]> {
  process.env.SERVICE_URL = serviceUrl;
  await build({ root: ROOT, configFile: join(ROOT, 'vite.config.ts'), logLevel: 'warn' });
  await mkdir(OUT, { recursive: true });
  await writeFile(BUILT_FOR, serviceUrl);
  await variant('firefox', firefoxManifest);
  await variant('chrome-web-store', withoutKey);
  return [
    await pack('extension', 'wallet.zip'),
    await pack('firefox', 'wallet-firefox.zip'),
    await pack('chrome-web-store', 'wallet-chrome-web-store.zip'),
  ];
}

/** Removes the key. The store rejects a manifest with a key, because the store signs with its own key. */
const withoutKey = ({ key: _, ...rest }: ChromeManifest) => rest;

/** Empties the folder and copies dist/extension into it, with a changed manifest. */
async function variant(folder: string, change: (built: ChromeManifest) => object): Promise<void> {
  const [from, to] = [join(OUT, 'extension'), join(OUT, folder)];
  await rm(to, { recursive: true, force: true });
  await cp(from, to, { recursive: true });
  const built = JSON.parse(await readFile(join(from, 'manifest.json'), 'utf8')) as ChromeManifest;
  await writeFile(join(to, 'manifest.json'), `${JSON.stringify(change(built), null, 2)}\n`);
}

/** Packs a folder. The file is replaced atomically, because a running service may be serving it. */
async function pack(folder: string, name: string): Promise<WalletPackage> {
  const bytes = await zipFolder(join(OUT, folder));
  const file = join(OUT, name);
  await writeFile(`${file}.new`, bytes);
  await rename(`${file}.new`, file);
  return { file: `dist/${name}`, sha256: createHash('sha256').update(bytes).digest('hex') };
}

/**
 * Returns the previous build's service so that a rebuild uses the same one. Without a previous build, returns the
 * service of `npm start`.
 */
export const lastServiceAddress = (): Promise<string> => readFile(BUILT_FOR, 'utf8').catch(serviceAddress);

/** Lists a build's packages, one per line. */
export const listPackages = (packages: readonly WalletPackage[]): string =>
  ['SHA-256 of the packed wallet:', ...packages.map(({ file, sha256 }) => `  ${sha256}  ${file}`)].join('\n');

/** Returns the service that a new wallet offers, as set in the environment. */
export const serviceAddress = () => process.env.BASE_URL ?? `http://localhost:${process.env.PORT ?? 3000}`;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const packages = await buildWallet(serviceAddress());
  console.log(`Built the wallet, which offers ${serviceAddress()} for a new account. Its id in Chromium browsers: ${extensionId(extensionKey())}
${listPackages(packages)}`);
}
