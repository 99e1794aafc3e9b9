/** For Stryker: the unit tests in `MUTATION_TESTS`, with few random cases per property. */
import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { LEFT_OUT } from './areas.ts';
import { keptThreads } from './kept-thread.ts';
import { PATIENCE_MS } from '../testing/patience.ts';

/** Time limit for one test in milliseconds. A lower one makes mutants that wait forever cheaper. */
const patience = Number(process.env.MUTATION_PATIENCE ?? PATIENCE_MS);

export default defineConfig({
  plugins: [
    {
      name: 'kept-threads',
      // Stryker requests threads, regardless of this setting. A reused one has already evaluated the constants of
      // protocol/.
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
