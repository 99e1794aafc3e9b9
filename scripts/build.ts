/** Builds the extension into dist/extension and the button with its parts into dist/. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import type { ButtonManifest } from '../server/web/button-build.ts';
import { scriptTag } from '../server/web/script-tag.ts';
import { buildButton } from './build-button.ts';

const root = join(fileURLToPath(import.meta.url), '../..');

/**
 * Builds both.
 * @param serviceUrl the service (an origin) that a new wallet is set to use
 */
export async function buildAll(serviceUrl: string): Promise<ButtonManifest> {
  process.env.SERVICE_URL = serviceUrl;
  await build({ root, configFile: join(root, 'vite.config.ts'), logLevel: 'warn' });
  const outDir = join(root, 'dist');
  await mkdir(outDir, { recursive: true });
  return buildButton(outDir);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const serviceUrl = process.env.BASE_URL ?? `http://localhost:${process.env.PORT ?? 3000}`;
  const manifest = await buildAll(serviceUrl);
  console.log(`Built dist/extension (its wallet starts with ${serviceUrl}) and dist/button.js ${manifest.version}, with its parts ${Object.keys(manifest.parts).join(', ')}.

The button's integrity: ${manifest.integrity}
To embed exactly this build:

${scriptTag(serviceUrl, manifest)}`);
}
