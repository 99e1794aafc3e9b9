/** For Stryker: the unit tests that `MUTATION_TESTS` names, with few random cases for each property. */
import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { LEFT_OUT } from './areas.ts';
import { PATIENCE_MS } from '../testing/patience.ts';

export default defineConfig({
  resolve: { alias: { 'fast-check': resolve('mutation/fewer-cases.ts') } },
  test: {
    include: (process.env.MUTATION_TESTS ?? '').split(','),
    exclude: [...LEFT_OUT.tests],
    globalSetup: ['server/database/testing-global-setup.ts'],
    setupFiles: ['testing/own-modules.ts', 'testing/patient-waits.ts'],
    isolate: false,
    testTimeout: PATIENCE_MS,
    hookTimeout: PATIENCE_MS,
    expect: { poll: { timeout: PATIENCE_MS } },
  },
});
