import { fileURLToPath } from 'node:url';
import type { InlineConfig } from 'vite';

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/**
 * Returns the configuration for building one of the button's files as a classic script without imports.
 * @param input the file's entry, relative to the project folder
 * @param parts names of the parts that are loaded on demand, built in as `__PARTS__`
 */
export function buttonConfig({
  input,
  file,
  outDir,
  parts,
}: {
  input: string;
  file: string;
  outDir: string;
  parts: readonly string[];
}): InlineConfig {
  return {
    root: path('.'),
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    define: { __PARTS__: JSON.stringify(parts) },
    // Replaces the library with a smaller implementation, see the file.
    resolve: { alias: { '@noble/hashes/sha2.js': path('page-script/sha256.ts') } },
    build: {
      outDir,
      emptyOutDir: false,
      // Newer targets don't make the code smaller, nor do more passes of this minifier or esbuild's.
      target: 'es2022',
      // The style sheet needs `light-dark()`. In older browsers, a button has the page's colors.
      cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
      modulePreload: false,
      sourcemap: false,
      rollupOptions: {
        input: path(input),
        output: { format: 'iife', entryFileNames: file },
        // The modules of protocol/ have no side effects, so unused parts, such as the table of errors, can be dropped.
        treeshake: { moduleSideEffects: [{ test: /\/protocol\//, sideEffects: false }] },
      },
    },
  };
}
