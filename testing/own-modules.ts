/**
 * Runs before every test file: reloads our modules that have state, and removes the previous file's stubs. Test files
 * share a process with its packages and the wallet's modules, because loading these takes longer than most tests.
 */
import './late-mocks.ts';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, vi } from 'vitest';
import { freshModules } from './fresh-modules.ts';

/** Globals that a test file might leave stubbed, which would break the next test file. */
const NAMES = ['fetch', 'setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask', 'Date', 'crypto'] as const;

const kept = globalThis as { originalGlobals?: Record<string, unknown>; hadMocks?: boolean };

/** True if a test file, or test code that it imports, may replace modules or reload them. */
function mayMock(path: string): boolean {
  const code = readFileSync(path, 'utf8');
  const imported = [...code.matchAll(/'(\.{1,2}\/(?:[^']*\/)?testing[^'/]*)'/g)].map(([, name = '']) => name);
  return /Mock\(|freshModules/i.test(code) || imported.some((name) => mayMock(join(dirname(path), name)));
}

vi.useRealTimers();
vi.restoreAllMocks();
vi.unstubAllGlobals();
vi.unstubAllEnvs();
const hasMocks = mayMock(expect.getState().testPath as string);
// The previous file may have loaded modules that import its mocks.
freshModules(hasMocks || kept.hadMocks ? undefined : ['protocol', 'wallet']);
kept.hadMocks = hasMocks;

const globals = () => ({
  ...Object.fromEntries(NAMES.map((name) => [name, globalThis[name]])),
  'crypto.subtle': crypto.subtle,
});
kept.originalGlobals ??= globals();
for (const [name, value] of Object.entries(globals()))
  if (value !== kept.originalGlobals[name]) throw new Error(`An earlier test file left its own ${name}.`);
