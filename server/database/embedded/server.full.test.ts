/** The slower tests of server, for the full run. */
import { readdirSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newDatabaseDirectory, newDirectory, query, start } from './testing.ts';
import { kept } from './testing-server.ts';

test('a second start is refused with the number of the process that was first, which goes on', async () => {
  const directory = await newDatabaseDirectory();
  const first = await start(directory);
  const refused = await start(directory).catch((error: Error) => error);
  expect(refused).toMatchObject({ code: 'data-folder-in-use', message: expect.stringContaining(`pid ${process.pid}`) });
  expect(await query(first.url, 'select 1 as n')).toEqual([{ n: 1 }]);
  await first.stop();
});

test('of several starts on an empty folder at once one comes up, and the folder is whole', async () => {
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

test('a start is not held up by an unfinished folder that another process still writes to', async () => {
  const directory = await newDatabaseDirectory();
  const draft = join(directory, 'postgres.new-other');
  let writing = true;
  let files = 0;
  const write = async () => {
    while (writing) {
      await mkdir(draft, { recursive: true });
      await writeFile(join(draft, String((files += 1))), '').catch(() => undefined); // removed just now
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
