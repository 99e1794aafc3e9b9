/** For Stryker: the unit tests that `MUTATION_TESTS` names, with few random cases for each property. */
import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { LEFT_OUT } from './areas.ts';
import { keptThreads } from './kept-thread.ts';
import { PATIENCE_MS } from '../testing/patience.ts';

/** Milliseconds for one test. With less of it, mutants that have something wait for ever cost less. */
const patience = Number(process.env.MUTATION_PATIENCE ?? PATIENCE_MS);

export default defineConfig({
  plugins: [
    {
      name: 'kept-threads',
      // Stryker asks for threads, whatever is said here. In one that is kept, modules of protocol/ have their constants already.
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
