import * as fc from 'fast-check';
import { appendFile, open, readFile, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { decodeLog, encodeRecord, openLog, type LogRecord, RecordLog } from './log.ts';
import { testDirectory } from './test-ledger.ts';

const MAGIC = Buffer.from('SBLEDG1\n');
const records: LogRecord[] = [
  { type: 1, payload: Uint8Array.from({ length: 40 }, (_, i) => i) },
  { type: 2, payload: new Uint8Array(0) },
  { type: 1, payload: Uint8Array.from({ length: 25 }, () => 0) },
];

async function logFile(content: Uint8Array): Promise<string> {
  const file = path.join(await testDirectory(), 'ledger.log');
  await writeFile(file, content);
  return file;
}

async function reopened(file: string): Promise<LogRecord[]> {
  const { log, records: found } = await openLog(file);
  await log.close();
  return found;
}

test('a reopened log returns the appended records', async () => {
  const file = path.join(await testDirectory(), 'ledger.log');
  const { log, records: none } = await openLog(file);
  expect(none).toEqual([]);
  await log.append(records.slice(0, 2));
  await log.append(records.slice(2));
  await log.close();
  expect(await reopened(file)).toEqual(records);
});

test('a write torn at any byte of the last record drops only that record, and the next append replaces it', async () => {
  const front = Buffer.concat([MAGIC, ...records.slice(0, 2).map(encodeRecord)]);
  const last = encodeRecord(records[2] ?? { type: 0, payload: new Uint8Array(0) });
  const file = await logFile(front);
  for (let length = 0; length < last.length; length += 1) {
    await truncate(file, front.length);
    await appendFile(file, last.subarray(0, length));
    const { log, records: found } = await openLog(file);
    expect(found).toEqual(records.slice(0, 2));
    await log.append([{ type: 7, payload: new Uint8Array([1]) }]);
    await log.close();
    expect((await reopened(file)).map(({ type }) => type)).toEqual([1, 2, 7]);
  }
});

test('a file torn within its first eight bytes is replaced by an empty log', async () => {
  for (let length = 0; length < MAGIC.length; length += 1) {
    const file = await logFile(MAGIC.subarray(0, length));
    expect(await reopened(file)).toEqual([]);
    expect(await readFile(file)).toEqual(MAGIC);
  }
});

test('a tail of zeros or a last record with a wrong byte is a torn write', async () => {
  const whole = Buffer.concat([MAGIC, ...records.map(encodeRecord)]);
  expect(decodeLog(Buffer.concat([whole, Buffer.alloc(100)])).length).toBe(whole.length);
  whole.writeUInt8(0xff, whole.length - 1);
  expect(decodeLog(whole).records).toEqual(records.slice(0, 2));
});

test('any byte damaged before the last record is an error, and nothing is dropped', async () => {
  const whole = Buffer.concat([MAGIC, ...records.map(encodeRecord)]);
  const front = whole.length - encodeRecord(records[2] ?? { type: 0, payload: new Uint8Array(0) }).length;
  for (let at = 0; at < front; at += 1) {
    const damaged = Buffer.from(whole);
    damaged.writeUInt8((damaged[at] ?? 0) ^ 0x40, at);
    expect(() => decodeLog(damaged), `byte ${at}`).toThrow(
      expect.objectContaining({ code: 'internal', detail: expect.stringContaining('damaged') }),
    );
  }
});

test('any records survive a round trip (property)', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ type: fc.integer({ min: 1, max: 255 }), payload: fc.uint8Array({ maxLength: 300 }) })),
      fc.nat(),
      (list, cut) => {
        const parts = list.map(encodeRecord);
        const whole = Buffer.concat([MAGIC, ...parts]);
        expect(decodeLog(whole).records).toEqual(list);
        // Cut anywhere, it contains a prefix of the records.
        const end = MAGIC.length + (cut % (whole.length - MAGIC.length + 1));
        const { records: found, length } = decodeLog(whole.subarray(0, end));
        expect(found).toEqual(list.slice(0, found.length));
        expect(length).toBe(MAGIC.length + parts.slice(0, found.length).reduce((sum, part) => sum + part.length, 0));
      },
    ),
    { numRuns: 200 },
  );
});

test('a failed write leaves the file as it was, and later records follow the last whole one', async () => {
  const file = await logFile(Buffer.concat([MAGIC, ...records.slice(0, 1).map(encodeRecord)]));
  const handle = await open(file, 'r+');
  const log = new RecordLog(handle, (await handle.stat()).size);
  const write = handle.write.bind(handle) as (
    bytes: Buffer,
    from: number,
    length: number,
    at: number,
  ) => Promise<{ bytesWritten: number }>;
  let full = true;
  Object.assign(handle, {
    write: async (bytes: Buffer, from: number, length: number, at: number) => {
      if (full && from > 0) throw new RangeError('no space left');
      return write(bytes, from, full ? 9 : length, at);
    },
  });
  await expect(log.append(records.slice(1))).rejects.toMatchObject({ code: 'service-unavailable' });
  expect((await readFile(file)).length).toBe(
    MAGIC.length + encodeRecord(records[0] ?? { type: 0, payload: new Uint8Array(0) }).length,
  );
  full = false;
  await log.append(records.slice(1, 2));
  await log.close();
  expect(await reopened(file)).toEqual(records.slice(0, 2));
  await expect(log.append(records)).rejects.toMatchObject({ code: 'service-unavailable' });
});
