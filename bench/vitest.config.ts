import { defineConfig } from 'vitest/config';
import { PATIENCE_MS } from '../testing/patience.ts';

export default defineConfig({
  test: {
    include: ['bench/*.test.ts'],
    setupFiles: ['testing/own-modules.ts'],
    reporters: ['dot'],
    testTimeout: 5 * PATIENCE_MS,
  },
});
