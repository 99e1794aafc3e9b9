/** Builds the extension into dist/extension and the button into dist/button.js. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const root = join(fileURLToPath(import.meta.url), '../..');

/**
 * Builds both.
 * @param serviceUrl the service (an origin) that a new wallet is set to use
 */
export async function buildAll(serviceUrl: string): Promise<void> {
  process.env.SERVICE_URL = serviceUrl;
  for (const config of ['vite.config.ts', 'vite.button.config.ts']) {
    await build({ root, configFile: join(root, config), logLevel: 'warn' });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const serviceUrl = process.env.BASE_URL ?? `http://localhost:${process.env.PORT ?? 3000}`;
  await buildAll(serviceUrl);
  console.log(`Built dist/extension (its wallet starts with ${serviceUrl}) and dist/button.js.`);
}
