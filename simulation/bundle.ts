/** Bundles the simulation and the wallet into one program for plain Node, which many processes can run. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const REMEMBERED = join(ROOT, 'simulation/remembered.ts');
/** Modules that {@link REMEMBERED} replaces. */
const REPLACED = ['@noble/curves/secp256k1.js', '@noble/secp256k1', '@scure/bip39', './public-children.ts'];

/** Changes a wallet source file before bundling. Receives the file's path from the repository root, and its code. */
export type Sabotage = (path: string, code: string) => string | null;

async function bundle(sabotage: Sabotage | null): Promise<string> {
  const built = await build({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    plugins: [
      {
        name: 'sabotage',
        enforce: 'pre',
        transform: (code, id) =>
          sabotage && id.startsWith(ROOT) && !id.includes('node_modules')
            ? sabotage(id.slice(ROOT.length), code)
            : null,
      },
      {
        name: 'remembered',
        enforce: 'pre',
        resolveId: (id, importer) => (REPLACED.includes(id) && importer !== REMEMBERED ? REMEMBERED : null),
      },
    ],
    ssr: { noExternal: true },
    build: {
      ssr: true,
      write: false,
      minify: false,
      target: 'node20',
      rollupOptions: { input: 'simulation/worker.ts', output: { format: 'es', codeSplitting: false } },
    },
  });
  const [chunk] = 'output' in built ? built.output : [];
  if (chunk?.type !== 'chunk') throw new Error('nothing was bundled');
  return chunk.code;
}

/**
 * Writes the program to a temporary file, which is deleted after `run` has settled.
 * @param sabotage breaks the wallet on purpose
 */
export async function withProgram<T>(sabotage: Sabotage | null, run: (file: string) => Promise<T>): Promise<T> {
  const code = await bundle(sabotage);
  const folder = await mkdtemp(join(tmpdir(), 'simulation-'));
  try {
    const file = join(folder, 'worker.mjs');
    await writeFile(file, code);
    return await run(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
