/** Packs a folder as a ZIP file (APPNOTE.TXT 6.3): the same files always give the same bytes. */
import { readdir, readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';

/** Version 2.0, which can inflate (4.4.3.2). */
const VERSION = 20;
/** Names are UTF-8 (4.4.4, bit 11). */
const FLAGS = 0x0800;
const DEFLATED = 8;
/** 1 January 1980, midnight: the first moment that the format can name, for all files alike (4.4.6). */
const DATE = 0x0021;

/** Packs all files of a folder and below. No file may reach 4 GB. */
export async function zipFolder(folder: string): Promise<Buffer> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const names = paths.map((path) => path.slice(folder.length + 1).replaceAll(sep, '/')).toSorted();
  return zip(await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name))] as const)));
}

/** Packs files, in the order given. */
export function zip(files: readonly (readonly [name: string, bytes: Buffer])[]): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, bytes] of files) {
    const path = Buffer.from(name);
    const packed = deflateRawSync(bytes, { level: 9 });
    const about = aboutFile(path, bytes, packed);
    const head = Buffer.concat([uint32(0x04034b50), about, path]); // 4.3.7
    // 4.3.12: made by 2.0 on no particular system, then as before; no comment, first disk, no attributes, where it
    // begins.
    directory.push(
      Buffer.concat([uint32(0x02014b50), uint16(VERSION), about, uint16(0, 0, 0), uint32(0, offset), path]),
    );
    bodies.push(head, packed);
    offset += head.length + packed.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.concat([
    uint32(0x06054b50),
    uint16(0, 0, files.length, files.length),
    uint32(list.length, offset),
    uint16(0),
  ]); // 4.3.16
  return Buffer.concat([...bodies, list, end]);
}

/** The fields that occur both before a file and in the directory. */
function aboutFile(path: Buffer, bytes: Buffer, packed: Buffer): Buffer {
  return Buffer.concat([
    uint16(VERSION, FLAGS, DEFLATED, 0, DATE),
    uint32(crc32(bytes), packed.length, bytes.length),
    uint16(path.length, 0),
  ]);
}

const uint16 = (...values: number[]) => littleEndian(values, 2);
const uint32 = (...values: number[]) => littleEndian(values, 4);

function littleEndian(values: readonly number[], size: number): Buffer {
  const bytes = Buffer.alloc(values.length * size);
  for (const [i, value] of values.entries()) bytes.writeUIntLE(value, i * size, size);
  return bytes;
}
