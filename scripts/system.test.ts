import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

/** Asks for a Firefox in a process of its own, as `npm test` does. */
function needFirefox(env: Record<string, string>) {
  const program = `import { needFirefox } from './scripts/system.ts'; console.log(needFirefox());`;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '-e', program],
    { env: { PATH: process.env.PATH ?? '', ...env }, encoding: 'utf8' },
  );
  return { status, said: (stdout + stderr).trim() };
}

test('without the Firefox that is named the tests fail and say so, unless they are left out by choice', () => {
  expect(needFirefox({ FIREFOX_PATH: '/nowhere/firefox' })).toEqual({
    status: 1,
    said: 'There is no Firefox at FIREFOX_PATH (/nowhere/firefox).',
  });
  expect(needFirefox({ FIREFOX_PATH: '/nowhere/firefox', SKIP_FIREFOX: 'on' })).toEqual({ status: 0, said: 'null' });
  expect(needFirefox({ FIREFOX_PATH: process.execPath })).toEqual({ status: 0, said: process.execPath });
});
