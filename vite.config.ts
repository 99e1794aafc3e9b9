import { crx } from '@crxjs/vite-plugin';
import { build, defineConfig, type Plugin } from 'vite';
import manifest from './manifest.json' with { type: 'json' };
import { OVERLAY_SCRIPT, REQUESTS_SCRIPT } from './protocol/messages/wire.ts';
import { extensionKey } from './tooling/extension-key.ts';

/** The scripts that a relay imports on demand. Each is built as a separate file with a fixed name. */
const LATER = {
  [REQUESTS_SCRIPT]: 'extension/content/requests.ts',
  [OVERLAY_SCRIPT]: 'extension/content/overlay/overlay.ts',
};

const laterParts: Plugin = {
  name: 'later-parts',
  enforce: 'pre',
  async generateBundle() {
    for (const [fileName, entry] of Object.entries(LATER)) {
      const built = await build({
        configFile: false,
        logLevel: 'warn',
        build: {
          write: false,
          target: 'es2023',
          lib: { entry, formats: ['es'], fileName: 'part' },
          rollupOptions: { output: { minify: true } },
        },
      });
      const [{ output }] = built as [Exclude<typeof built, readonly unknown[] | { on: unknown }>];
      this.emitFile({ type: 'asset', fileName, source: output[0].code });
    }
  },
};

/**
 * Builds the extension into dist/extension. `SERVICE_URL` is the service that a new wallet offers, an origin, by
 * default http://localhost:3000. `EXTENSION_KEY` is the public key that determines the extension's ID.
 */
export default defineConfig({
  plugins: [
    laterParts,
    crx({ manifest: { ...manifest, key: extensionKey() } as Parameters<typeof crx>[0]['manifest'] }),
  ],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  define: { __SERVICE_URL__: JSON.stringify(process.env.SERVICE_URL ?? 'http://localhost:3000') },
  build: {
    outDir: 'dist/extension',
    emptyOutDir: true,
    target: 'es2023',
    chunkSizeWarningLimit: 1300, // the password dictionaries, which are loaded on demand
    modulePreload: false,
    // Lists the licenses of all bundled packages.
    license: { fileName: 'licenses.md' },
    rollupOptions: {
      input: {
        onboarding: 'extension/onboarding/index.html',
        approval: 'extension/approval/index.html',
        swipe: 'extension/swipe/index.html',
      },
    },
  },
});
