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

const PROTOCOL = join(import.meta.dirname, '../protocol/');

/**
 * True for modules that stay loaded, because they have no state: packages and protocol/. Mutation tests change
 * constants of protocol/, so they reload it.
 */
function isKept([path, { meta, evaluated }]: [string, LoadedModule]): boolean {
  if (!evaluated || !meta || 'mockedModule' in meta) return false;
  return 'externalize' in meta || (path.startsWith(PROTOCOL) && process.env.MUTATION_TESTS === undefined);
}

/** Makes later imports load fresh modules, except those that have no state. */
export function freshModules(): void {
  const kept = [...(worker?.evaluatedModules?.idToModuleMap ?? [])]
    .filter(isKept)
    .map(([, module]) => [module, { ...module }] as const);
  vi.resetModules();
  for (const [module, { promise, exports, evaluated }] of kept) Object.assign(module, { promise, exports, evaluated });
}
