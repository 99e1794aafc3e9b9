/** The kinds of test, with the paths of their files and their requirements in addition to Node. */

/** Requirements of a test: the output of `npm run build`, Chromium and Firefox, nginx, PgBouncer, PostgreSQL, Java. */
export type Need = 'build' | 'browsers' | 'servers';

interface TestProject {
  /** All test files below these folders. */
  folders: readonly string[];
  needs: readonly Need[];
}

/** By the name that `--project` takes. */
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

/** Plain tests that read the build's output. */
export const READ_THE_BUILD: readonly string[] = [
  'scripts/checks/manifest.test.ts',
  'tooling/firefox-package.full.test.ts',
];

/** Plain tests with nginx, PgBouncer or Java, skipped without these, or with PostgreSQL, failing without it. */
export const USE_SERVERS: readonly string[] = [
  'scripts/backup.full.test.ts',
  'scripts/soak-service/behind-nginx.full.test.ts',
  'scripts/soak-service/behind-pgbouncer.full.test.ts',
  'server/web/valid-html.full.test.ts',
];

/** The file patterns of a kind, for vitest. */
export const filesOf = (name: ProjectName): string[] =>
  PROJECTS[name].folders.map((folder) => `${folder}/**/*.test.{ts,tsx}`);

/** Files that only `npm run test:full` runs, and `npm test` with a word of their path. */
export const FULL_ONLY = '**/*.full.test.{ts,tsx}';

/** Environment variable. If set, {@link FULL_ONLY} is left out. */
export const QUICK_RUN = 'QUICK_RUN';
