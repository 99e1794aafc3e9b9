/** Builds the extension (dist/extension, dist/firefox, both packed), the button and the documentation. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { linkPrograms } from '../server/database/embedded/programs.ts';
import type { ButtonManifest } from '../server/web/button-build.ts';
import { scriptTag } from '../server/web/script-tag.ts';
import { buildButton } from './build/build-button.ts';
import { buildDocs } from './build/build-docs.ts';
import { buildWallet, listPackages, serviceAddress, type WalletPackage } from './build-wallet.ts';

const root = join(fileURLToPath(import.meta.url), '../..');

export interface Built {
  button: ButtonManifest;
  wallet: WalletPackage[];
}

/** Builds everything. @param serviceUrl the service (an origin) that a new wallet offers */
export async function buildAll(serviceUrl: string): Promise<Built> {
  const wallet = await buildWallet(serviceUrl);
  const button = await buildButton(join(root, 'dist'));
  await buildDocs(join(root, 'dist'));
  return { wallet, button };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const serviceUrl = serviceAddress();
  const { button: manifest, wallet } = await buildAll(serviceUrl);
  // Done at build time, because the service may run as a user who can only read the packages.
  await linkPrograms();
  console.log(`Built dist/extension and dist/firefox (their wallet offers ${serviceUrl} for a new account) and dist/button.js ${manifest.version}, with its parts ${Object.keys(manifest.parts).join(', ')}.

The button's integrity: ${manifest.integrity}
To embed exactly this build:

${scriptTag(serviceUrl, manifest)}

${listPackages(wallet)}`);
}
