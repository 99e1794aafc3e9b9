/** For Stryker: the unit tests that `MUTATION_TESTS` names, with few random cases for each property. */
import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { PATIENCE_MS } from '../testing/patience.ts';

export default defineConfig({
  resolve: { alias: { 'fast-check': resolve('mutation/fewer-cases.ts') } },
  test: {
    include: (process.env.MUTATION_TESTS ?? '').split(','),
    // What they count takes minutes in instrumented code.
    exclude: ['**/cost.test.ts'],
    globalSetup: ['server/database/testing-global-setup.ts'],
    setupFiles: ['testing/own-modules.ts', 'testing/patient-waits.ts'],
    isolate: false,
    testTimeout: PATIENCE_MS,
    hookTimeout: PATIENCE_MS,
    expect: { poll: { timeout: PATIENCE_MS } },
  },
});
