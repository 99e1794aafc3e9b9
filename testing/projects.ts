/** Lists the test projects with their folders, and with their requirements other than Node. */

/** Requirements: the output of `npm run build`; Chromium and Firefox; nginx, PgBouncer, PostgreSQL and Java. */
export type Need = 'build' | 'browsers' | 'servers';

interface TestProject {
  /** Folders whose test files, including subfolders, belong to the project. */
  folders: readonly string[];
  needs: readonly Need[];
}

/** The projects, by their names for `--project`. */
export const PROJECTS = {
  unit: {
    folders: [
      'protocol',
      'server',
      'scripts',
      'tooling',
      'look',
      'testing',
      'testkit',
      'simulation',
      'fuzz',
      'wallet',
      'extension/background',
      'extension/content',
      'extension/swipe',
    ],
    needs: [],
  },
  dom: {
    folders: ['page-script', 'extension/ui', 'extension/popup', 'extension/onboarding', 'extension/approval'],
    needs: [],
  },
  e2e: { folders: ['e2e'], needs: ['build', 'browsers'] },
} as const satisfies Record<string, TestProject>;

export type ProjectName = keyof typeof PROJECTS;

/** Unit tests that require the output of the build. */
export const READ_THE_BUILD: readonly string[] = [
  'scripts/checks/manifest.test.ts',
  'tooling/firefox-package.full.test.ts',
];

/**
 * Unit tests that use servers. Without nginx, PgBouncer or Java, these tests are skipped. Without PostgreSQL, they
 * fail.
 */
export const USE_SERVERS: readonly string[] = [
  'scripts/backup.full.test.ts',
  'scripts/soak-service/behind-nginx.full.test.ts',
  'scripts/soak-service/behind-pgbouncer.full.test.ts',
  'server/web/valid-html.full.test.ts',
];

/** Returns a project's file patterns for Vitest. */
export const filesOf = (name: ProjectName): string[] =>
  PROJECTS[name].folders.map((folder) => `${folder}/**/*.test.{ts,tsx}`);

/** Files run only by `npm run test:full`, or by `npm test` with part of their path. */
export const FULL_ONLY = '**/*.full.test.{ts,tsx}';

/** Environment variable that excludes {@link FULL_ONLY}. */
export const QUICK_RUN = 'QUICK_RUN';
