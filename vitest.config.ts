import { defineConfig } from 'vitest/config';

/** Three kinds of test: plain ones beside the source, page and window code in a DOM, and whole-system ones in a browser. */
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
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
        test: {
          name: 'dom',
          environment: 'happy-dom',
          include: ['page-script/**/*.test.ts', 'extension/{ui,popup,onboarding,approval}/**/*.test.{ts,tsx}'],
        },
      },
      {
        test: { name: 'e2e', include: ['e2e/**/*.test.ts'], testTimeout: 120_000, hookTimeout: 120_000 },
      },
    ],
  },
});
