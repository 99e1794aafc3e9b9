import { crc32, deflateSync } from 'node:zlib';

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

/**
 * Returns a PNG filled with one RGB color, which browsers can decode.
 * @param before types of additional chunks to insert before the image data
 */
export function testPng(
  width: number,
  height: number,
  color: readonly [number, number, number],
  before: readonly string[] = [],
): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const line = Buffer.concat([Buffer.of(0), Buffer.concat(Array.from({ length: width }, () => Buffer.from(color)))]);
  const lines = deflateSync(Buffer.concat(Array.from({ length: height }, () => line)));
  const signature = Buffer.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    ...before.map((type) => chunk(type, Buffer.alloc(8))),
    chunk('IDAT', lines),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Returns the start of a JPEG, up to its frame header. The application segment before it contains a decoy header. */
export const testJpeg = (width: number, height: number, marker = 0xc2): Buffer =>
  Buffer.from([
    ...[0xff, 0xd8, 0xff, 0xe1, 0, 12, 0xff, 0xc0, 0, 17, 8, 9, 9, 9, 9, 9],
    ...[0xff, marker, 0, 17, 8, height >> 8, height & 255, width >> 8, width & 255, 3, 1, 0x22, 0],
  ]);

/** Returns the start of a WebP, up to its size. @param flags the flags of the extended format; 2 means animated */
export function testWebp(form: 'VP8 ' | 'VP8L' | 'VP8X', width: number, height: number, flags = 0): Buffer {
  const file = Buffer.alloc(34);
  file.write('RIFF', 0, 'latin1');
  file.writeUInt32LE(26, 4);
  file.write(`WEBP${form}`, 8, 'latin1');
  file.writeUInt32LE(14, 16);
  if (form === 'VP8 ') {
    file.set([0x9d, 0x01, 0x2a], 23);
    file.writeUInt16LE(width, 26);
    file.writeUInt16LE(height, 28);
  } else if (form === 'VP8L') {
    file[20] = 0x2f;
    file.writeUInt32LE((width - 1) | ((height - 1) << 14), 21);
  } else {
    file[20] = flags;
    file.writeUIntLE(width - 1, 24, 3);
    file.writeUIntLE(height - 1, 27, 3);
  }
  return file;
}
