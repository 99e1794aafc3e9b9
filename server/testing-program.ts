/** For tests that start the service in a process of its own. */
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));

/**
 * What Node runs: in a run with browser tests the one file that these have made, which starts in a third of the time; else
 * the sources, as `npm start` does and main.test.ts in every run.
 */
export function serviceProgram(): string[] {
  const bundled = process.env.TEST_SERVICE_PROGRAM;
  return bundled ? [bundled] : ['--import', 'tsx', MAIN];
}
