/** Determines what the tests requested from `npm test` require (a build, browsers, servers), and in which rounds they run. */
import { PROJECTS, READ_THE_BUILD, USE_SERVERS, type Need, type ProjectName } from '../../testing/projects.ts';

/** A plan for a test run. Has no rounds if no test file matches. */
export interface TestPlan {
  needs: ReadonlySet<Need>;
  rounds: ProjectName[][];
}

const NAMES = Object.keys(PROJECTS) as ProjectName[];

/** True for a file that is selected only by the full run or by its own path. */
export const isFullOnly = (file: string): boolean => /\.full\.test\.tsx?$/.test(file);

export function projectOf(file: string): ProjectName | null {
  if (!/\.test\.tsx?$/.test(file)) return null;
  return NAMES.find((name) => PROJECTS[name].folders.some((folder) => file.startsWith(`${folder}/`))) ?? null;
}

/**
 * Plans a run.
 * @param files all files of the repository, with slashes
 * @param filters parts of paths, as in vitest: `protocol`, `./e2e/payments/payment.test.ts:20`; empty for all files
 * @param projects names from `--project`; empty for all projects
 * @param full includes `*.full.test.ts`, which otherwise must be selected by filters
 */
export function planTests(
  files: readonly string[],
  {
    filters = [],
    projects = [],
    full = false,
  }: { filters?: readonly string[]; projects?: readonly string[]; full?: boolean },
): TestPlan {
  const parts = filters.map((filter) => filter.replace(/^\.\//, '').replace(/:\d+$/, ''));
  const needs = new Set<Need>();
  const meant = new Set<ProjectName>();
  for (const file of files) {
    const project = projectOf(file);
    if (!project || (projects.length > 0 && !projects.includes(project))) continue;
    if (parts.length > 0 && !parts.some((part) => file.includes(part))) continue;
    if (parts.length === 0 && !full && isFullOnly(file)) continue;
    meant.add(project);
    for (const need of PROJECTS[project].needs) needs.add(need);
    if (READ_THE_BUILD.includes(file)) needs.add('build');
    if (USE_SERVERS.includes(file)) needs.add('servers');
  }
  // Browser tests run in a separate process, because Vitest would restart its workers between the projects.
  const rounds = [
    NAMES.filter((name) => name !== 'e2e' && meant.has(name)),
    NAMES.filter((name) => name === 'e2e' && meant.has(name)),
  ];
  return { needs, rounds: rounds.filter((round) => round.length > 0) };
}
