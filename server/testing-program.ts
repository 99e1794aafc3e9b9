import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));

/**
 * Returns Node's arguments for running the service: the bundle, if a run with browser tests has built it, otherwise the
 * sources, as in `npm start`.
 */
export function serviceProgram(): string[] {
  const bundled = process.env.TEST_SERVICE_PROGRAM;
  return bundled ? [bundled] : ['--import', 'tsx', MAIN];
}
