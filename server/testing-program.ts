import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));

/**
 * Node's arguments: in a run with browser tests the bundle that these have made; otherwise the sources, as in `npm
 * start`.
 */
export function serviceProgram(): string[] {
  const bundled = process.env.TEST_SERVICE_PROGRAM;
  return bundled ? [bundled] : ['--import', 'tsx', MAIN];
}
