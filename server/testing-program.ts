import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));

/**
 * Node's arguments: in a run with browser tests the bundle that these have made, which starts in a third of the time;
 * otherwise the sources, as in `npm start` and always in main.test.ts.
 */
export function serviceProgram(): string[] {
  const bundled = process.env.TEST_SERVICE_PROGRAM;
  return bundled ? [bundled] : ['--import', 'tsx', MAIN];
}
