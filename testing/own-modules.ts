/**
 * Runs before every test file: reloads our modules and removes all stubs of the file before. Files share a process and
 * its imported packages, because loading these per file would take longer than most files' tests.
 */
import { vi } from 'vitest';
import { freshModules } from './fresh-modules.ts';

/** Globals that a file may leave stubbed. The next one would then break or wait forever. */
const NAMES = ['fetch', 'setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask', 'Date', 'crypto'] as const;

const kept = globalThis as { originalGlobals?: Record<string, unknown> };

vi.useRealTimers();
vi.restoreAllMocks();
vi.unstubAllGlobals();
vi.unstubAllEnvs();
freshModules();

kept.originalGlobals ??= Object.fromEntries(NAMES.map((name) => [name, globalThis[name]]));
for (const name of NAMES)
  if (globalThis[name] !== kept.originalGlobals[name]) throw new Error(`A test file before left its own ${name}.`);
