/**
 * Runs before every test file: reloads our modules and removes the previous file's stubs. Test files share a process
 * and its packages, because loading packages takes longer than most tests.
 */
import './late-mocks.ts';
import { vi } from 'vitest';
import { freshModules } from './fresh-modules.ts';

/** Globals that a test file might leave stubbed, which would break the next test file. */
const NAMES = ['fetch', 'setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask', 'Date', 'crypto'] as const;

const kept = globalThis as { originalGlobals?: Record<string, unknown> };

vi.useRealTimers();
vi.restoreAllMocks();
vi.unstubAllGlobals();
vi.unstubAllEnvs();
freshModules();

const globals = () => ({
  ...Object.fromEntries(NAMES.map((name) => [name, globalThis[name]])),
  'crypto.subtle': crypto.subtle,
});
kept.originalGlobals ??= globals();
for (const [name, value] of Object.entries(globals()))
  if (value !== kept.originalGlobals[name]) throw new Error(`An earlier test file left its own ${name}.`);
