/** Loads fresh copies of our modules for each test file, or for each run of the worker. */
import { join } from 'node:path';
import { vi } from 'vitest';

/** A module in Vitest's registry (Vite's EvaluatedModuleNode). */
interface LoadedModule {
  meta?: object;
  promise?: unknown;
  exports?: unknown;
  evaluated: boolean;
}

/** Vitest's module registry. If a version of Vitest stores the registry in another place, all modules are reloaded. */
const worker = (
  globalThis as { __vitest_worker__?: { evaluatedModules?: { idToModuleMap?: Map<string, LoadedModule> } } }
).__vitest_worker__;

const ROOT = join(import.meta.dirname, '../');
/** Test code, which has state. */
const OF_TESTS = /\/testing-[^/]+$|\.test\.ts$/;

/**
 * True for modules that stay loaded, because they have no state: packages and protocol/, and wallet/ if no mock may
 * replace a module that it imports. Mutation tests change constants of protocol/, so they reload it.
 */
function isKept(path: string, { meta, evaluated }: LoadedModule, folders: readonly string[]): boolean {
  if (!evaluated || !meta || 'mockedModule' in meta) return false;
  if ('externalize' in meta) return true;
  const isIn = (folder: string) => path.startsWith(`${ROOT}${folder}/`);
  return process.env.MUTATION_TESTS === undefined && folders.some(isIn) && !OF_TESTS.test(path);
}

/**
 * Makes later imports load fresh modules, except those that have no state.
 * @param folders folders whose modules stay loaded
 */
export function freshModules(folders: readonly string[] = ['protocol']): void {
  const kept = [...(worker?.evaluatedModules?.idToModuleMap ?? [])]
    .filter(([path, module]) => isKept(path, module, folders))
    .map(([, module]) => [module, { ...module }] as const);
  vi.resetModules();
  for (const [module, { promise, exports, evaluated }] of kept) Object.assign(module, { promise, exports, evaluated });
}
