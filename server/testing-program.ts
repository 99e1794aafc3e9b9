import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));

/**
 * Returns Node's arguments to run the service: the bundle built by a run with browser tests, otherwise the sources, as
 * in `npm start`.
 */
export function serviceProgram(): string[] {
  const bundled = process.env.TEST_SERVICE_PROGRAM;
  return bundled ? [bundled] : ['--import', 'tsx', MAIN];
}
