import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPicture, readSmallPicture } from './picture.ts';
import { testJpeg, testPng, testWebp } from './testing-picture.ts';

describe('pictures', () => {
  it('are read as far as their size', () => {
    expect(readPicture(testPng(64, 32, [1, 2, 3], ['gAMA']))).toEqual({ type: 'image/png', width: 64, height: 32 });
    expect(readPicture(testJpeg(640, 300))).toEqual({ type: 'image/jpeg', width: 640, height: 300 });
    // A Huffman table, which has a frame's kind of number.
    expect(readPicture(testJpeg(640, 300, 0xc4))).toBeNull();
    for (const form of ['VP8 ', 'VP8L', 'VP8X'] as const)
      expect(readPicture(testWebp(form, 640, 301)), form).toEqual({ type: 'image/webp', width: 640, height: 301 });
  });

  it('have the size that browsers draw, whatever else is in their bytes', () => {
    const large = testJpeg(60_000, 60_000, 0xc0);
    // One more 0xff before the frame's marker, and a small frame where the marker's two bytes would lead as a length.
    const padded = Buffer.concat([
      large.subarray(0, 16),
      Buffer.from([0xff]),
      large.subarray(16),
      Buffer.alloc(0xc100),
    ]);
    testJpeg(64, 64, 0xc0).copy(padded, 18 + 0xc000, 16);
    expect(readPicture(padded)).toEqual({ type: 'image/jpeg', width: 60_000, height: 60_000 });
    expect(readSmallPicture(padded)).toBeNull();
    const frame = testJpeg(64, 64).subarray(16);
    expect(readPicture(Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xda, 0, 2]), frame]))).toBeNull();
  });

  it('do not move', () => {
    expect(readPicture(testPng(64, 32, [1, 2, 3], ['gAMA', 'acTL']))).toBeNull();
    expect(readPicture(testWebp('VP8X', 64, 32, 2))).toBeNull();
  });

  it('are small, as files and as pictures, where they are shown as somebody’s', () => {
    const png = testPng(64, 64, [1, 2, 3]);
    expect(readSmallPicture(png)?.type).toBe('image/png');
    expect(readSmallPicture(testJpeg(1024, 1024))).not.toBeNull();
    for (const [width, height] of [
      [1025, 64],
      [64, 65_000],
      [0, 64],
    ] as const)
      expect(readSmallPicture(testJpeg(width, height)), `${width} × ${height}`).toBeNull();
    expect(readSmallPicture(Buffer.concat([png, Buffer.alloc(200_001 - png.length)]))).toBeNull();
  });

  it('are nothing else, whatever comes', () => {
    for (const text of [
      '',
      '<svg xmlns="http://www.w3.org/2000/svg"/>',
      'GIF89a',
      '\x89PNG\r\n\x1a\n',
      '\xff\xd8',
      '\xff\xd8\xff\xe0\0\0',
      `RIFF\0\0\0\0WEBPVP8 ${'\0'.repeat(20)}`,
    ])
      expect(readPicture(Buffer.from(text, 'latin1')), text).toBeNull();
    const begins = [
      '',
      '\xff\xd8',
      '\xff\xd8\xff\xe0',
      'RIFF\0\0\0\0WEBPVP8X',
      testPng(9, 9, [1, 2, 3]).toString('latin1'),
    ];
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.constantFrom(...begins), fc.nat(200), (bytes, begin, cut) => {
        readPicture(Buffer.concat([Buffer.from(begin, 'latin1').subarray(0, 200 - cut), bytes]));
      }),
    );
  });
});
