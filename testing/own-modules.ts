/**
 * Before every test file: our modules begin anew, with no stub of the file before, however it was made. Files share a
 * process, and with it the packages that they import: to load these for each file would cost more than most files' tests.
 */
import { vi } from 'vitest';
import { freshModules } from './fresh-modules.ts';

/** What a file that leaves a stand-in behind would break in the next one, which then waits for ever. */
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
