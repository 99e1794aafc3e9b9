/**
 * For Vitest's `globalSetup`: bundles the service into one file, once per run. Tests start the service dozens of times,
 * and would otherwise compile hundreds of source files each time.
 */
import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'vite';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const ENTRY = 'virtual:service';

/** Creates the bundle before the first test file runs. Returns a function that removes it after the last one. */
export default async function setup(): Promise<() => Promise<void>> {
  const file = join(ROOT, 'node_modules/.cache', `service-${process.pid}.mjs`);
  await mkdir(dirname(file), { recursive: true });
  await build({
    root: ROOT,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    plugins: [
      {
        name: 'service',
        enforce: 'pre',
        resolveId: (id) => (id === ENTRY ? `\0${ENTRY}` : null),
        load: (id) =>
          id === `\0${ENTRY}`
            ? `import { runServer } from ${JSON.stringify(join(ROOT, 'server/main.ts'))};\nawait runServer(process.env);`
            : null,
        // The service locates files relative to its source files, so their URLs must not change.
        transform: (code, id) =>
          code.includes('import.meta.url')
            ? code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
            : null,
      },
    ],
    // Packages are also bundled, because loading their hundreds of files takes half of the startup time.
    ssr: { noExternal: true },
    build: {
      ssr: true,
      target: 'node20',
      outDir: dirname(file),
      emptyOutDir: false,
      minify: false,
      rollupOptions: {
        input: ENTRY,
        output: { format: 'es', entryFileNames: `service-${process.pid}.mjs`, codeSplitting: false },
      },
    },
  });
  // All tests read this through server/testing-program.ts.
  process.env.TEST_SERVICE_PROGRAM = file;
  return () => rm(file, { force: true });
}
