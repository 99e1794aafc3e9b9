import { crx } from '@crxjs/vite-plugin';
import { defineConfig } from 'vite';
import manifest from './manifest.json' with { type: 'json' };
import { extensionKey } from './scripts/extension-key.ts';

/**
 * Builds the extension into dist/extension. `SERVICE_URL` is the service that a new wallet is set to use
 * (an origin; default http://localhost:3000); the user can change it. `EXTENSION_KEY` is the public key that gives the
 * extension its id.
 */
export default defineConfig({
  plugins: [crx({ manifest: { ...manifest, key: extensionKey() } as Parameters<typeof crx>[0]['manifest'] })],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  define: { __SERVICE_URL__: JSON.stringify(process.env.SERVICE_URL ?? 'http://localhost:3000') },
  build: {
    outDir: 'dist/extension',
    emptyOutDir: true,
    target: 'es2023',
    chunkSizeWarningLimit: 1300, // the password dictionaries, loaded by onboarding alone
    modulePreload: false,
    rollupOptions: {
      input: {
        onboarding: 'extension/onboarding/index.html',
        approval: 'extension/approval/index.html',
      },
    },
  },
});
