/** Fresh copies of our modules, for a file of tests or for a run of the worker. */
import { join } from 'node:path';
import { vi } from 'vitest';

/** A module in Vitest (Vite's EvaluatedModuleNode). */
interface LoadedModule {
  meta?: object;
  promise?: unknown;
  exports?: unknown;
  evaluated: boolean;
}

/** Vitest's own record of this process's modules. If another version stores it elsewhere, all modules are reloaded. */
const worker = (
  globalThis as { __vitest_worker__?: { evaluatedModules?: { idToModuleMap?: Map<string, LoadedModule> } } }
).__vitest_worker__;

const PROTOCOL = join(import.meta.dirname, '../protocol/');

/** Stateless modules stay: those of protocol/, and packages. Mutants are also in protocol/'s constants. */
function isKept([path, { meta, evaluated }]: [string, LoadedModule]): boolean {
  if (!evaluated || !meta || 'mockedModule' in meta) return false;
  return 'externalize' in meta || (path.startsWith(PROTOCOL) && process.env.MUTATION_TESTS === undefined);
}

/** Makes later imports load fresh modules, except stateless ones. */
export function freshModules(): void {
  const kept = [...(worker?.evaluatedModules?.idToModuleMap ?? [])]
    .filter(isKept)
    .map(([, module]) => [module, { ...module }] as const);
  vi.resetModules();
  for (const [module, { promise, exports, evaluated }] of kept) Object.assign(module, { promise, exports, evaluated });
}
