import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, inflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { zip, zipFolder } from './zip.ts';

/** Reads a ZIP as programs do: from its end to the directory, from there to each file. */
function unzip(bytes: Buffer): Map<string, Buffer> {
  const end = bytes.length - 22;
  expect(bytes.readUInt32LE(end)).toBe(0x06054b50);
  const files = new Map<string, Buffer>();
  let at = bytes.readUInt32LE(end + 16);
  for (let i = 0; i < bytes.readUInt16LE(end + 10); i += 1) {
    expect(bytes.readUInt32LE(at)).toBe(0x02014b50);
    const [packed, size, nameLength] = [
      bytes.readUInt32LE(at + 20),
      bytes.readUInt32LE(at + 24),
      bytes.readUInt16LE(at + 28),
    ];
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength);
    const local = bytes.readUInt32LE(at + 42);
    expect(bytes.readUInt32LE(local)).toBe(0x04034b50);
    // The local header repeats the directory's fields from the version needed to the length of the name.
    expect(bytes.subarray(local + 4, local + 28)).toEqual(bytes.subarray(at + 6, at + 30));
    expect(bytes.toString('utf8', local + 30, local + 30 + nameLength)).toBe(name);
    const begin = local + 30 + nameLength;
    const file = inflateRawSync(bytes.subarray(begin, begin + packed));
    expect([file.length, crc32(file)]).toEqual([size, bytes.readUInt32LE(at + 16)]);
    files.set(name, file);
    at += 46 + nameLength;
  }
  expect(at).toBe(end);
  return files;
}

describe('a packed folder', () => {
  test('opens to exactly the files that went in', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(
          fc.tuple(fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' }), fc.uint8Array({ maxLength: 3000 })),
          { selector: ([name]) => name },
        ),
        (files) => {
          const given = files.map(([name, bytes]) => [name, Buffer.from(bytes)] as const);
          expect([...unzip(zip(given))]).toEqual(given);
        },
      ),
    );
  });

  test('is the same whenever and in whatever order its files were written', async () => {
    const [one, two] = await Promise.all(
      ['one-', 'two-'].map((name) => mkdtemp(join(tmpdir(), name))) as [Promise<string>, Promise<string>],
    );
    const files = { 'manifest.json': '{}', 'assets/main.js': 'void 0;'.repeat(100), 'a.txt': '' };
    for (const [folder, entries] of [
      [one, Object.entries(files)],
      [two, Object.entries(files).toReversed()],
    ] as const) {
      await mkdir(join(folder, 'assets'));
      for (const [name, text] of entries) await writeFile(join(folder, name), text);
    }
    await utimes(join(two, 'a.txt'), 1_000_000, 1_000_000);
    const packed = await zipFolder(one);
    expect(await zipFolder(two)).toEqual(packed);
    expect([...unzip(packed)].map(([name, bytes]) => [name, bytes.toString()])).toEqual([
      ['a.txt', ''],
      ['assets/main.js', files['assets/main.js']],
      ['manifest.json', '{}'],
    ]);
    await Promise.all([one, two].map((folder) => rm(folder, { recursive: true })));
  });
});
