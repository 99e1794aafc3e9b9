/** For Stryker: the unit tests in `MUTATION_TESTS`, with few random cases per property. */
import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { LEFT_OUT } from './areas.ts';
import { keptThreads } from './kept-thread.ts';
import { PATIENCE_MS } from '../testing/patience.ts';

/** Time limit per test (milliseconds). A lower limit saves time with mutants that loop forever. */
const patience = Number(process.env.MUTATION_PATIENCE ?? PATIENCE_MS);

export default defineConfig({
  plugins: [
    {
      name: 'kept-threads',
      // Stryker selects threads regardless of this setting. Mutated constants need new threads, because a reused thread
      // has already evaluated them.
      configureVitest({ project }) {
        if (process.env.MUTATION_CONSTANTS === undefined)
          Object.assign(project.config, { pool: keptThreads.name, poolRunner: keptThreads });
      },
    },
  ],
  resolve: { alias: { 'fast-check': resolve('mutation/fewer-cases.ts') } },
  test: {
    include: (process.env.MUTATION_TESTS ?? '').split(','),
    exclude: [...LEFT_OUT.tests],
    globalSetup: ['server/database/testing-global-setup.ts'],
    setupFiles: ['mutation/from-the-start.ts', 'testing/own-modules.ts', 'testing/patient-waits.ts'],
    isolate: false,
    testTimeout: patience,
    hookTimeout: patience,
    expect: { poll: { timeout: PATIENCE_MS } },
  },
});
