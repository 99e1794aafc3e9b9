/** Bundles the simulation as programs for plain Node, for any number of processes. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin, type Rolldown } from 'vite';
import type { Module } from './program.ts';
import { PACKAGES } from './packages.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Changes a source file of the wallet before it is bundled, given its path from the root and its text. */
export type Sabotage = (path: string, code: string) => string | null;

/** Packages that each run of the worker has a copy of, because they use the globals. */
const INSIDE = ['idb', '@scure/bip32'];
const isInside = (id: string) => INSIDE.some((name) => id.includes(`node_modules/${name}/`));
const isPackage = (id: string) => id.includes('node_modules/') && !isInside(id);
/** Modules that hold no state, and use none of the globals. */
const isStateless = (id: string) => id.startsWith(join(ROOT, 'protocol/'));

async function chunksOf(
  input: string,
  output: Rolldown.OutputOptions,
  { external = [], plugins = [] }: { external?: string[]; plugins?: Plugin[] },
): Promise<Rolldown.OutputChunk[]> {
  const built = await build({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    plugins,
    ssr: { noExternal: true },
    build: { ssr: true, write: false, minify: false, target: 'node20', rollupOptions: { input, external, output } },
  });
  if (!('output' in built)) throw new Error('nothing was bundled');
  return built.output.filter((one) => one.type === 'chunk');
}

/** The whole background. @param sabotage breaks it on purpose */
export async function bundleBackground(sabotage: Sabotage | null = null): Promise<Module[]> {
  const chunks = await chunksOf(
    'extension/background/main.ts',
    {
      format: 'cjs',
      codeSplitting: {
        groups: [
          { name: 'stateless', test: isStateless },
          { name: 'packages', test: isPackage, priority: 1 },
        ],
      },
    },
    {
      external: ['webextension-polyfill', ...Object.keys(PACKAGES)],
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
          resolveId: (id) => (id === './public-children.ts' ? { id: 'public-children', external: true } : null),
        },
      ],
    },
  );
  return chunks.map(({ fileName, name, isEntry, code }) => ({
    name: basename(fileName),
    kind: isEntry ? 'worker' : name === 'stateless' ? 'stateless' : 'package',
    code,
  }));
}

/** A process of the simulation, which caches the curve's results for the network as well. */
async function bundleWorker(): Promise<string> {
  const played = join(ROOT, 'simulation/program/curve.ts');
  const chunks = await chunksOf(
    'simulation/worker.ts',
    { format: 'es', codeSplitting: false },
    {
      plugins: [
        {
          name: 'remembered',
          enforce: 'pre',
          resolveId: (id, importer) =>
            id === '@noble/secp256k1' && importer !== played && !importer?.includes('node_modules') ? played : null,
        },
      ],
    },
  );
  return (chunks[0] as Rolldown.OutputChunk).code;
}

export interface Files {
  worker: string;
  background: string;
}

/** Runs something with both bundles in files. @param sabotage breaks the wallet on purpose */
export async function withFiles<T>(sabotage: Sabotage | null, run: (files: Files) => Promise<T>): Promise<T> {
  const [background, worker] = await Promise.all([bundleBackground(sabotage), bundleWorker()]);
  const folder = await mkdtemp(join(tmpdir(), 'simulation-'));
  try {
    const files = { worker: join(folder, 'worker.mjs'), background: join(folder, 'background.json') };
    await Promise.all([writeFile(files.worker, worker), writeFile(files.background, JSON.stringify(background))]);
    return await run(files);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
