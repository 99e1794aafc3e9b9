import { execFileSync, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { zipFolder } from './zip.ts';

const FILES = { 'manifest.json': '{}', 'assets/main.js': 'void 0;'.repeat(100), 'a.txt': '', 'größe.txt': 'ä' };

/** Packs files in the given order and time zone. */
async function pack(entries: [string, string][], TZ: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'zip-'));
  await mkdir(join(folder, 'assets'));
  for (const [name, text] of entries) await writeFile(join(folder, name), text);
  await utimes(join(folder, 'a.txt'), 1_000_000, 1_000_000);
  const script = `import { zipFolder } from ${JSON.stringify(join(import.meta.dirname, 'zip.ts'))};
    process.stdout.write(Buffer.from(await zipFolder(${JSON.stringify(folder)})).toString('base64'));`;
  const packed = execFileSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    env: { ...process.env, TZ },
    encoding: 'utf8',
  });
  await rm(folder, { recursive: true });
  return packed;
}

test('a packed folder has the same bytes regardless of the order of writing, the time and the time zone', async () => {
  const one = await pack(Object.entries(FILES), 'Pacific/Kiritimati');
  expect(one.length).toBeGreaterThan(100);
  expect(await pack(Object.entries(FILES).toReversed(), 'America/Los_Angeles')).toBe(one);
});

const hasPython = spawnSync('python3', ['--version']).status === 0;

test.skipIf(!hasPython)('Python opens a packed folder with all its files', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'zip-'));
  await mkdir(join(folder, 'in', 'assets'), { recursive: true });
  for (const [name, text] of Object.entries(FILES)) await writeFile(join(folder, 'in', name), text);
  await writeFile(join(folder, 'packed.zip'), await zipFolder(join(folder, 'in')));
  const script = `import json, sys, zipfile
z = zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None
print(json.dumps({n: z.read(n).decode() for n in z.namelist()}))`;
  const read = execFileSync('python3', ['-c', script, join(folder, 'packed.zip')], { encoding: 'utf8' });
  expect(JSON.parse(read)).toEqual(FILES);
  await rm(folder, { recursive: true });
});
