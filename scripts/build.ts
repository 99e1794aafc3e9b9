/**
 * Builds the extension into dist/extension, for Firefox into dist/firefox, both packed, and the button with its parts
 * into dist/.
 */
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { linkPrograms } from '../server/database/embedded/programs.ts';
import type { ButtonManifest } from '../server/web/button-build.ts';
import { scriptTag } from '../server/web/script-tag.ts';
import { buildButton } from './build-button.ts';
import { makeFirefoxPackage } from './firefox-package.ts';
import { zipFolder } from './zip.ts';

const root = join(fileURLToPath(import.meta.url), '../..');

/**
 * Builds everything.
 * @param serviceUrl the service (an origin) that a new wallet is set to use
 */
export async function buildAll(serviceUrl: string): Promise<ButtonManifest> {
  process.env.SERVICE_URL = serviceUrl;
  await build({ root, configFile: join(root, 'vite.config.ts'), logLevel: 'warn' });
  const outDir = join(root, 'dist');
  await mkdir(outDir, { recursive: true });
  await makeFirefoxPackage(join(outDir, 'extension'), join(outDir, 'firefox'));
  await pack(join(outDir, 'extension'), join(outDir, 'wallet.zip'));
  await pack(join(outDir, 'firefox'), join(outDir, 'wallet-firefox.zip'));
  return buildButton(outDir);
}

/** Packs a folder. The file is replaced atomically, because a running service may be serving it. */
async function pack(folder: string, file: string): Promise<void> {
  await writeFile(`${file}.new`, await zipFolder(folder));
  await rename(`${file}.new`, file);
}

/** The service that a new wallet will use, from the environment. */
export const serviceAddress = () => process.env.BASE_URL ?? `http://localhost:${process.env.PORT ?? 3000}`;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const serviceUrl = serviceAddress();
  const manifest = await buildAll(serviceUrl);
  // Now, while the packages can still be written: the service may run as a user that may only read them.
  await linkPrograms();
  console.log(`Built dist/extension and dist/firefox (their wallet starts with ${serviceUrl}) and dist/button.js ${manifest.version}, with its parts ${Object.keys(manifest.parts).join(', ')}.

The button's integrity: ${manifest.integrity}
To embed exactly this build:

${scriptTag(serviceUrl, manifest)}`);
}
