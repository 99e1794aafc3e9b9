import { defineConfig } from 'vitest/config';
import { PATIENCE_MS } from './testing/patience.ts';

/** Ends a test that hangs. A wait gives up before, and says for what. */
const limits = {
  testTimeout: 5 * PATIENCE_MS,
  hookTimeout: 5 * PATIENCE_MS,
  expect: { poll: { timeout: PATIENCE_MS } },
};

/**
 * Three kinds of test: plain ones beside the source, page and window code in a DOM, and whole-system ones in a browser.
 */
export default defineConfig({
  test: {
    // The tests wait more than they compute.
    maxWorkers: '100%',
    globalSetup: ['server/database/testing-global-setup.ts'],
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{protocol,server,scripts,look}/**/*.test.ts', 'extension/{background,content}/**/*.test.ts'],
          setupFiles: ['testing/patient-waits.ts'],
          ...limits,
        },
      },
      {
        oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
        test: {
          name: 'dom',
          environment: 'happy-dom',
          include: ['page-script/**/*.test.ts', 'extension/{ui,popup,onboarding,approval}/**/*.test.{ts,tsx}'],
          setupFiles: ['testing/patient-waits.ts', 'testing/patient-windows.ts'],
          ...limits,
        },
      },
      {
        test: { name: 'e2e', include: ['e2e/**/*.test.ts'], setupFiles: ['testing/patient-waits.ts'], ...limits },
      },
    ],
  },
});
