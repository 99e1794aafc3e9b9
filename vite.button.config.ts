import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

/** Builds the page script into dist/button.js: one classic script without imports, for pages to include. */
export default defineConfig({
  publicDir: false,
  // protocol/address.ts checks an address with this hash. See the file for why pages get a small one.
  resolve: { alias: { '@noble/hashes/sha2.js': fileURLToPath(new URL('page-script/sha256.ts', import.meta.url)) } },
  build: {
    outDir: 'dist',
    emptyOutDir: false,
    target: 'es2022',
    // The style sheet is written for browsers that know `light-dark()`, and says itself what older ones get.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    modulePreload: false,
    sourcemap: false,
    rollupOptions: {
      input: 'page-script/main.ts',
      output: { format: 'iife', entryFileNames: 'button.js' },
    },
  },
});
