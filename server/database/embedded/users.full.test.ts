import { chmodSync, chownSync, cpSync, lstatSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findPackage, findPrograms } from './programs.ts';
import { codeOfStart, newDirectory, query, serverPid, start, startElsewhere } from './testing.ts';

const isRoot = process.platform === 'linux' && process.getuid?.() === 0;
const NOBODY = 65_534;
const DAEMON = { uid: 1, gid: 1 };
const ownerOf = (path: string) => statSync(path).uid;

/** Copies the package without links, which is how npm unpacks it if it doesn't run install scripts. */
function unpacked(directory: string): string {
  const copy = join(directory, 'package');
  const isLink = (path: string) => lstatSync(path).isSymbolicLink();
  cpSync(findPackage() ?? '', copy, { recursive: true, filter: (path) => !isLink(path) && !path.endsWith('.a') });
  return copy;
}

describe('PostgreSQL’s programs', () => {
  test.runIf(process.platform === 'linux')('get the library links that npm did not create', async () => {
    const directory = newDirectory();
    const copy = unpacked(directory);
    expect((await findPrograms(null, directory, copy)).folder).toBe(join(copy, 'native/bin'));
    expect(lstatSync(join(copy, 'native/lib/libpq.so.5')).isSymbolicLink()).toBe(true);
  });

  test.runIf(isRoot)('get copied if the user that runs them can’t enter their folder', async () => {
    const directory = newDirectory();
    const copy = unpacked(directory);
    chmodSync(copy, 0o700);
    const spare = join(directory, 'spare');
    mkdirSync(spare);
    const found = await findPrograms(DAEMON, spare, copy);
    expect(found).toEqual({ folder: join(spare, 'programs/native/bin'), major: '18' });
  });

  test('a start on a platform without them fails with a message that names DATABASE_URL', async () => {
    for (const found of [null, newDirectory()]) {
      await expect(findPrograms(null, newDirectory(), found)).rejects.toMatchObject({
        code: 'no-postgresql',
        message: expect.stringContaining('Set DATABASE_URL'),
      });
    }
  });
});

describe.runIf(isRoot)('root', () => {
  test('runs the server as the user nobody, even in a folder whose path that user can’t enter', async () => {
    const closed = newDirectory();
    chmodSync(closed, 0o700);
    const directory = join(closed, 'data');
    const server = await start(directory);
    expect([ownerOf(join(directory, 'postgres')), ownerOf(`/proc/${serverPid(directory)}`)]).toEqual([NOBODY, NOBODY]);
    expect(await query(server.url, 'select 1 as n')).toEqual([{ n: 1 }]);
    await server.stop();
  });

  test('runs the server as the owner of the data folder, and gives that owner root’s files from a restored backup', async () => {
    const directory = newDirectory();
    chownSync(directory, DAEMON.uid, DAEMON.gid);
    const first = await start(directory);
    expect(ownerOf(`/proc/${serverPid(directory)}`)).toBe(DAEMON.uid);
    await first.stop();
    for (const path of ['postgres', 'postgres/PG_VERSION']) chownSync(join(directory, path), 0, 0);
    chmodSync(join(directory, 'postgres'), 0o755);
    const [link, outside] = [join(directory, 'postgres/link'), join(newDirectory(), 'of-root')];
    writeFileSync(outside, '');
    symlinkSync(outside, link);
    expect(await codeOfStart(directory)).toBe('started');
    expect(ownerOf(join(directory, 'postgres/PG_VERSION'))).toBe(DAEMON.uid);
    expect([lstatSync(link).uid, ownerOf(outside)]).toEqual([DAEMON.uid, 0]);
  });

  test('can start on another user’s folder, and that user can still start on it afterwards', async () => {
    const directory = newDirectory();
    chownSync(directory, DAEMON.uid, DAEMON.gid);
    const first = await startElsewhere(directory, DAEMON);
    await query(first.url, 'create table kept as select 1 as n');
    await first.kill();
    const second = await start(directory);
    expect(await query(second.url, 'select n from kept')).toEqual([{ n: 1 }]);
    await second.stop();
    const third = await startElsewhere(directory, DAEMON);
    expect(await query(third.url, 'select n from kept')).toEqual([{ n: 1 }]);
    await third.kill();
  });
});
