/**
 * The background as a program that runs in a world of ours: bundled once, evaluated for each run of the worker with our
 * own clock, network, randomness, database and browser in place of the globals. Packages stay outside and are shared;
 * they are pure.
 */
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const require = createRequire(import.meta.url);

/** What a program takes for its globals, by name. */
export type Globals = Record<string, unknown>;
/** Runs it once. @returns what its entry exports */
export type Program = (globals: Globals, modules?: Record<string, unknown>) => Record<string, unknown>;

/** Changes a source file of the wallet before it is bundled: its path from the root, and the text. */
export type Sabotage = (path: string, code: string) => string | null;

/** Modules that hold no state, and use none of the globals: evaluated once, for all runs. */
const STATELESS = join(ROOT, 'protocol/');

/** What the background has from us alone: what is not given is undefined there. */
const NAMES = [
  ...['globalThis', 'self', 'navigator', '__SERVICE_URL__', 'Date', 'Math', 'performance', 'crypto', 'fetch'],
  ...['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'BroadcastChannel'],
  ...['AbortController', 'AbortSignal', 'WeakMap'],
  ...['indexedDB', 'IDBDatabase', 'IDBTransaction', 'IDBObjectStore', 'IDBIndex', 'IDBCursor', 'IDBKeyRange'],
  ...['IDBRequest', 'IDBCursorWithValue', 'IDBFactory', 'IDBOpenDBRequest'],
];

/** Packages that each run has a copy of, because they use the globals. */
const INSIDE = ['idb', '@scure/bip32', '@noble/curves'];
const isInside = (id: string) => INSIDE.some((name) => id === name || id.startsWith(`${name}/`));

/** The whole background. Each run is a worker's. */
export async function bundleBackground(sabotage: Sabotage | null = null): Promise<Program> {
  const built = await build({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    // As in the build of the wallet: one implementation of the curve.
    resolve: { alias: { '@noble/curves/secp256k1.js': join(ROOT, 'extension/background/vault/bip32-curve.ts') } },
    plugins: [
      {
        name: 'sabotage',
        enforce: 'pre',
        transform: (code, id) =>
          sabotage && id.startsWith(ROOT) && !id.includes('node_modules')
            ? sabotage(id.slice(ROOT.length), code)
            : null,
      },
    ],
    ssr: { noExternal: INSIDE },
    build: {
      ssr: true,
      write: false,
      minify: false,
      target: 'node20',
      rollupOptions: {
        input: 'extension/background/main.ts',
        external: (id) => /^[a-z@]/.test(id) && !isInside(id),
        output: {
          format: 'cjs',
          codeSplitting: { groups: [{ name: 'stateless', test: (id) => id.startsWith(STATELESS) }] },
        },
      },
    },
  });
  if (!('output' in built)) throw new Error('nothing was bundled');
  const names = [...NAMES, 'require', 'exports', 'module'];
  const chunks = built.output.filter((one) => one.type === 'chunk');
  const runs = new Map(
    chunks.map(({ fileName, code }) => {
      // oxlint-disable-next-line no-new-func -- the wallet's own code, in a world of ours
      const run = new Function(...names, `${code}\n//# sourceURL=${fileName}`) as (...values: unknown[]) => void;
      return [basename(fileName), run];
    }),
  );
  const evaluate = (name: string, globals: Globals, find: (id: string) => unknown): Record<string, unknown> => {
    const exports: Record<string, unknown> = {};
    runs.get(name)?.(...NAMES.map((one) => globals[one]), find, exports, { exports });
    return exports;
  };
  const shared = new Map<string, object>();
  const findShared = (id: string): unknown => {
    const name = basename(id);
    if (!id.startsWith('.') || !runs.has(name)) return require(id);
    const exports = shared.get(name) ?? evaluate(name, { Math }, findShared);
    shared.set(name, exports);
    return exports;
  };
  const main = basename(chunks.find(({ isEntry }) => isEntry)?.fileName ?? '');
  return (globals, modules = {}) => evaluate(main, globals, (id) => modules[id] ?? findShared(id));
}
