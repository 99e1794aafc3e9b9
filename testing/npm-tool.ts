/** Runs programs from npm packages that only the full test run needs and that are too large to install by default. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/**
 * Runs a program from a package, without its install scripts. npm downloads the package into its cache on first use.
 * @param spec the package with its exact version
 * @returns the output, regardless of the exit code
 * @throws Error with npm's message if there is no output
 */
export async function runNpmTool(spec: string, program: string, args: readonly string[], cwd: string): Promise<string> {
  const { stdout, stderr = '' } = await promisify(execFile)(
    'npm',
    ['exec', '--yes', '--ignore-scripts', `--package=${spec}`, '--', program, ...args],
    {
      cwd,
      env: { ...process.env, SCARF_ANALYTICS: 'false' },
      maxBuffer: 50_000_000,
      shell: process.platform === 'win32',
    },
  ).catch((error: { stdout: string; stderr: string }) => error);
  if (stdout === '' && stderr !== '') throw new Error(`${spec}: ${stderr}`);
  return stdout;
}
