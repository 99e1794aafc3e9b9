/** Lints the OpenAPI document with two widely used linters. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runNpmTool } from '../../../testing/npm-tool.ts';
import { useCalls } from './testing-openapi.ts';

const REDOCLY = join(dirname(createRequire(import.meta.url).resolve('@redocly/cli/package.json')), 'bin/cli.js');

describe('the OpenAPI document', () => {
  const { app } = useCalls();
  let folder: string;
  let file: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'openapi-lint-'));
    file = join(folder, 'openapi.json');
    const { body } = await app.get('/api/openapi.json');
    // Linters reject localhost, which tests use as the server.
    await writeFile(file, JSON.stringify(body).replaceAll(app.baseUrl, 'https://pay.example.org'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('passes Redocly’s recommended rules', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [REDOCLY, 'lint', file, '--format=json'], {
      cwd: folder,
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      maxBuffer: 10_000_000,
    }).catch((error: { stdout: string }) => error);
    expect(JSON.parse(stdout.slice(stdout.indexOf('{')))).toMatchObject({
      totals: { errors: 0, warnings: 0 },
      problems: [],
    });
  });

  it('passes Spectral’s rules for OpenAPI', async () => {
    await writeFile(join(folder, '.spectral.yaml'), 'extends: ["spectral:oas"]\n');
    const report = join(folder, 'report.json');
    const args = ['lint', file, '--format', 'json', '--output', report];
    await runNpmTool('@stoplight/spectral-cli@6.16.3', 'spectral', args, folder);
    expect(JSON.parse(await readFile(report, 'utf8'))).toEqual([]);
  });
});
