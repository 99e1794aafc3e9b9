import { readdirSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  newDatabaseDirectory,
  newDirectory,
  query,
  start,
  codeOfStart,
  killServer,
  serverPid,
  startElsewhere,
} from './testing.ts';

const kept = (url: string) => query<{ n: number }>(url, 'select n from kept order by n');
const socketFolderOf = (url: string) => new URL(url).searchParams.get('host') ?? '';

test('a second start is rejected with the process id of the first, which continues', async () => {
  const directory = await newDatabaseDirectory();
  const first = await start(directory);
  const refused = await start(directory).catch((error: Error) => error);
  expect(refused).toMatchObject({ code: 'data-folder-in-use', message: expect.stringContaining(`pid ${process.pid}`) });
  expect(await query(first.url, 'select 1 as n')).toEqual([{ n: 1 }]);
  await first.stop();
});

test('one of several concurrent starts on an empty folder succeeds, and the folder is complete', async () => {
  const directory = newDirectory();
  const ended = await Promise.allSettled([start(directory), start(directory), start(directory)]);
  const [up, ...others] = ended.filter((one) => one.status === 'fulfilled');
  expect(others).toEqual([]);
  for (const one of ended)
    if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'data-folder-in-use' });
  await query(up!.value.url, 'create table kept as select 1 as n');
  await up!.value.stop();
  expect(readdirSync(directory)).toEqual(['postgres']);
  const again = await start(directory);
  expect(await kept(again.url)).toEqual([{ n: 1 }]);
  await again.stop();
});

test('an unfinished folder that another process still writes to doesn’t block a start', async () => {
  const directory = await newDatabaseDirectory();
  const draft = join(directory, 'postgres.new-other');
  let writing = true;
  let files = 0;
  const write = async () => {
    while (writing) {
      await mkdir(draft, { recursive: true });
      await writeFile(join(draft, String((files += 1))), '').catch(() => undefined);
    }
  };
  const writers = Array.from({ length: 8 }, write);
  await expect.poll(() => files).toBeGreaterThan(100);
  const server = await start(directory);
  writing = false;
  await Promise.all(writers);
  await server.stop();
  await (await start(directory)).stop();
  expect(readdirSync(directory)).toEqual(['postgres']);
});

test('a server starts on an empty folder, keeps committed data, and leaves no process running', async () => {
  const directory = newDirectory();
  const first = await start(directory);
  expect(statSync(join(directory, 'postgres')).mode & 0o777).toBe(0o700);
  expect(statSync(socketFolderOf(first.url)).mode & 0o777).toBe(0o700);
  expect(await query(first.url, 'show fsync')).toEqual([{ fsync: 'on' }]);
  await query(first.url, 'create table kept as select 1 as n');
  await first.stop();
  expect(serverPid(directory)).toBeNull();
  expect(existsSync(socketFolderOf(first.url))).toBe(false);
  const second = await start(directory);
  expect(await kept(second.url)).toEqual([{ n: 1 }]);
  await second.stop();
});

test('the server of a killed process is found and stopped, and no committed data is lost', async () => {
  const directory = await newDatabaseDirectory();
  const killed = await startElsewhere(directory);
  await query(killed.url, 'create table kept as select 1 as n');
  await killed.kill();
  const left = serverPid(directory);
  expect(await kept(killed.url)).toEqual([{ n: 1 }]);
  const lines: string[] = [];
  const next = await start(directory, lines);
  expect(lines).toContain(`stopping a PostgreSQL server that an earlier process left running (pid ${left})`);
  expect(serverPid(directory)).not.toBe(left);
  expect(existsSync(socketFolderOf(killed.url))).toBe(false);
  expect(await kept(next.url)).toEqual([{ n: 1 }]);
  await next.stop();
});

test('a killed server is restarted at the same location', async () => {
  const directory = await newDatabaseDirectory();
  const server = await start(directory);
  await query(server.url, 'create table kept as select 1 as n');
  for (let round = 0; round < 2; round += 1) {
    const pid = serverPid(directory);
    killServer(directory);
    await expect.poll(() => kept(server.url).catch(() => serverPid(directory))).toEqual([{ n: 1 }]);
    expect(serverPid(directory)).not.toBe(pid);
  }
  await expect(start(directory)).rejects.toMatchObject({ code: 'data-folder-in-use' });
  await server.stop();
  expect(serverPid(directory)).toBeNull();
});

test.each(['the folder of its socket', 'its socket'])(
  'a server is restarted after the system removed %s',
  async (removed) => {
    const directory = await newDatabaseDirectory();
    const lines: string[] = [];
    const server = await start(directory, lines);
    await query(server.url, 'create table kept as select 1 as n');
    const folder = socketFolderOf(server.url);
    const former = serverPid(directory);
    rmSync(removed === 'its socket' ? join(folder, '.s.PGSQL.5432') : folder, { recursive: true });
    await expect.poll(() => kept(server.url).catch(() => null)).toEqual([{ n: 1 }]);
    expect(serverPid(directory)).not.toBe(former);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(lines.filter((line) => line.includes('was removed'))).toHaveLength(1);
    await server.stop();
  },
);

test('if one backend process is killed, connections break and the folder is claimed again', async () => {
  const directory = await newDatabaseDirectory();
  const server = await start(directory);
  const holder = `select pid from pg_locks where locktype = 'advisory'`;
  const [held] = await query<{ pid: number }>(server.url, holder);
  process.kill(held!.pid, 'SIGKILL');
  await expect
    .poll(async () => (await query<{ pid: number }>(server.url, holder).catch(() => []))[0]?.pid ?? held!.pid)
    .not.toBe(held!.pid);
  await expect(start(directory)).rejects.toMatchObject({ code: 'data-folder-in-use' });
  await server.stop();
});

test('all committed data survives when both process and server are killed', async () => {
  const directory = await newDatabaseDirectory();
  const killed = await startElsewhere(directory);
  await query(killed.url, 'create table kept as select 1 as n');
  killServer(directory);
  await killed.kill();
  killServer(directory);
  const next = await start(directory);
  expect(await kept(next.url)).toEqual([{ n: 1 }]);
  expect(existsSync(socketFolderOf(killed.url))).toBe(false);
  await next.stop();
});

test('a dead server’s PID file with the id of a running process doesn’t block a start', async () => {
  const directory = await newDatabaseDirectory();
  const file = join(directory, 'postgres', 'postmaster.pid');
  writeFileSync(file, `${process.pid}\n${join(directory, 'postgres')}\n1\n5432\n/nowhere\n\n\nready\n`);
  expect(await codeOfStart(directory)).toBe('started');
});

test('the unfinished folder of a killed start is removed', async () => {
  const directory = newDirectory();
  mkdirSync(join(directory, 'postgres.new-killed', 'base'), { recursive: true });
  expect(await codeOfStart(directory)).toBe('started');
  expect(readdirSync(directory)).toEqual(['postgres']);
});

test('data from a preview version is recognized, reported and left unchanged', async () => {
  const directory = newDirectory();
  mkdirSync(join(directory, 'database'));
  writeFileSync(join(directory, 'database', 'PG_VERSION'), '17\n');
  await expect(start(directory)).rejects.toMatchObject({
    code: 'preview-data',
    message: expect.stringContaining('Set DATA_DIR to an empty folder'),
  });
  expect(readdirSync(directory)).toEqual(['database']);
});

test('a folder from another major version is rejected with instructions, and left unchanged', async () => {
  const directory = await newDatabaseDirectory();
  const version = join(directory, 'postgres', 'PG_VERSION');
  const ours = readFileSync(version, 'utf8');
  writeFileSync(version, '17\n');
  await expect(start(directory)).rejects.toMatchObject({
    code: 'other-postgresql-version',
    message: expect.stringMatching(/belongs to PostgreSQL 17, .* includes PostgreSQL 18\. .*npm run move-database/),
  });
  writeFileSync(version, ours);
  expect(await codeOfStart(directory)).toBe('started');
});

test('a folder without a database is rejected', async () => {
  const directory = newDirectory();
  mkdirSync(join(directory, 'postgres'));
  writeFileSync(join(directory, 'postgres', 'notes.txt'), 'mine');
  expect(await codeOfStart(directory)).toBe('data-folder-unusable');
  expect(readdirSync(join(directory, 'postgres'))).toEqual(['notes.txt']);
});
