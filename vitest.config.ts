import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { runReporter } from './testing/run-reporter.ts';
import { PATIENCE_MS } from './testing/patience.ts';
import { filesOf, FULL_ONLY, QUICK_RUN } from './testing/projects.ts';
import { SlowFirst } from './testing/slow-first.ts';

/** Ends tests that hang. Waits have a shorter timeout and report their condition. */
const limits = {
  testTimeout: 5 * PATIENCE_MS,
  hookTimeout: 5 * PATIENCE_MS,
  expect: { poll: { timeout: PATIENCE_MS } },
};

/** `npm test` without arguments omits the files of the full run. */
const exclude = [...configDefaults.exclude, ...(process.env[QUICK_RUN] === undefined ? [] : [FULL_ONLY])];

/** Defines the projects listed in testing/projects.ts. */
export default defineConfig({
  test: {
    // One more than the cores, because tests often wait.
    maxWorkers: availableParallelism() + 1,
    reporters: ['default', runReporter],
    sequence: { sequencer: SlowFirst },
    globalSetup: ['server/database/testing-global-setup.ts'],
    projects: [
      {
        test: {
          name: 'unit',
          include: filesOf('unit'),
          exclude,
          setupFiles: ['testing/remembered-keys.ts', 'testing/own-modules.ts', 'testing/patient-waits.ts'],
          isolate: false,
          ...limits,
        },
      },
      {
        oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
        test: {
          name: 'dom',
          environment: 'happy-dom',
          include: filesOf('dom'),
          exclude,
          setupFiles: [
            'testing/own-modules.ts',
            'testing/own-window.ts',
            'testing/patient-waits.ts',
            'testing/patient-windows.ts',
          ],
          isolate: false,
          ...limits,
        },
      },
      {
        test: {
          name: 'e2e',
          include: filesOf('e2e'),
          exclude,
          globalSetup: ['e2e/drive/service-program.ts'],
          runner: 'e2e/drive/test-runner.ts',
          setupFiles: ['testing/patient-waits.ts', 'e2e/drive/use-run.ts'],
          ...limits,
        },
      },
    ],
  },
});
