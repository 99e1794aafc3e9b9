import { open, readFile, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openLog, RecordLog, type LogRecord } from './log.ts';
import { testDirectory } from '../test-ledger.ts';

const records: LogRecord[] = [
  { type: 1, payload: Uint8Array.from({ length: 40 }, (_, i) => i) },
  { type: 2, payload: new Uint8Array(0) },
  { type: 1, payload: new Uint8Array(25) },
];
/** The bytes of {@link records}, which must be the same in every version. */
const FILE =
  '53424c454447310a290000004f2d892d01000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f202122232425' +
  '26277b1bdf2d1fcebf600100000067abdd7202dbc1b4c900ffe48d1a0000003ef3bd3d0100000000000000000000000000000000000000' +
  '000000000000b9ea956f14d8b7c3';

const emptyLog = async () => path.join(await testDirectory(), 'ledger.log');

async function append(file: string, ...added: LogRecord[]): Promise<void> {
  const { log } = await openLog(file);
  await log.append(added);
  await log.close();
}

async function read(file: string): Promise<LogRecord[]> {
  const { log, records: found } = await openLog(file);
  await log.close();
  return found;
}

test('a reopened log returns the appended records', async () => {
  const file = await emptyLog();
  expect(await read(file)).toEqual([]);
  await append(file, ...records.slice(0, 2));
  await append(file, ...records.slice(2));
  expect(await read(file)).toEqual(records);
});

test('reads and writes the format of earlier versions', async () => {
  const file = await emptyLog();
  await append(file, ...records);
  expect((await readFile(file)).toString('hex')).toBe(FILE);
});

test('a write torn at any byte of the last record drops only that record, and the next append replaces it', async () => {
  const file = await emptyLog();
  await append(file, ...records.slice(0, 2));
  const start = (await readFile(file)).length;
  await append(file, ...records.slice(2));
  const whole = await readFile(file);
  for (let length = start; length < whole.length; length += 1) {
    await writeFile(file, whole.subarray(0, length));
    await append(file, { type: 7, payload: new Uint8Array([1]) });
    expect((await read(file)).map(({ type }) => type)).toEqual([1, 2, 7]);
  }
});

test('a file torn within its first eight bytes, or with a tail of zeros, opens', async () => {
  const file = await emptyLog();
  await append(file, ...records);
  const whole = await readFile(file);
  await writeFile(file, Buffer.concat([whole, Buffer.alloc(100)]));
  expect(await read(file)).toEqual(records);
  for (let length = 0; length < 8; length += 1) {
    await writeFile(file, whole);
    await truncate(file, length);
    expect(await read(file)).toEqual([]);
    await append(file, ...records);
    expect(await read(file)).toEqual(records);
  }
});

test('a damaged record and all later ones are dropped', async () => {
  const file = await emptyLog();
  await append(file, ...records);
  const whole = await readFile(file);
  for (let at = 8; at < whole.length; at += 1) {
    const damaged = Buffer.from(whole);
    damaged.writeUInt8((damaged[at] ?? 0) ^ 0x40, at);
    await writeFile(file, damaged);
    const found = await read(file);
    expect(found, `byte ${at}`).toEqual(records.slice(0, found.length));
  }
});

test('later records replace those of a failed write', async () => {
  const file = await emptyLog();
  await append(file, ...records.slice(0, 1));
  const handle = await open(file, 'r+');
  const log = new RecordLog(handle, (await handle.stat()).size);
  const write = handle.write.bind(handle) as (
    bytes: Buffer,
    from: number,
    length: number,
    at: number,
  ) => Promise<unknown>;
  Object.assign(handle, {
    write: (bytes: Buffer, from: number, _length: number, at: number) => write(bytes, from, 9, at),
  });
  await expect(log.append(records.slice(1))).rejects.toMatchObject({ code: 'service-unavailable' });
  Object.assign(handle, { write });
  await log.append(records.slice(1, 2));
  await log.close();
  expect(await read(file)).toEqual(records.slice(0, 2));
});
