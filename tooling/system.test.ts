import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

/** Calls `needFirefox` in a separate process, as `npm test` does. */
function needFirefox(env: Record<string, string>) {
  const program = `import { needFirefox } from './tooling/system.ts'; console.log(needFirefox());`;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '-e', program],
    { env: { PATH: process.env.PATH ?? '', ...env }, encoding: 'utf8' },
  );
  return { status, said: (stdout + stderr).trim() };
}

test('tests fail with a message if the configured Firefox is missing, unless they are skipped explicitly', () => {
  expect(needFirefox({ FIREFOX_PATH: '/nowhere/firefox' })).toEqual({
    status: 1,
    said: 'There is no Firefox at FIREFOX_PATH (/nowhere/firefox).',
  });
  expect(needFirefox({ FIREFOX_PATH: '/nowhere/firefox', SKIP_FIREFOX: 'on' })).toEqual({ status: 0, said: 'null' });
  expect(needFirefox({ FIREFOX_PATH: process.execPath })).toEqual({ status: 0, said: process.execPath });
});
