/** Programs of npm packages that only the full run needs. They are too large to install with everything else. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/**
 * Runs a program, which npm downloads into its cache the first time, without install scripts.
 * @param spec the package with its exact version
 * @returns its output, regardless of its exit code @throws Error with npm's message if it printed nothing
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
