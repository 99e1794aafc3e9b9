import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPicture, readSmallPicture } from './picture.ts';
import { testJpeg, testPng, testWebp } from './testing-picture.ts';

describe('pictures', () => {
  it('the type and size of a PNG, a JPEG and each kind of WebP are parsed', () => {
    expect(readPicture(testPng(64, 32, [1, 2, 3], ['gAMA']))).toEqual({ type: 'image/png', width: 64, height: 32 });
    expect(readPicture(testJpeg(640, 300))).toEqual({ type: 'image/jpeg', width: 640, height: 300 });
    // 0xc4 is within the range of frame markers, but marks a Huffman table.
    expect(readPicture(testJpeg(640, 300, 0xc4))).toBeNull();
    for (const form of ['VP8 ', 'VP8L', 'VP8X'] as const)
      expect(readPicture(testWebp(form, 640, 301)), form).toEqual({ type: 'image/webp', width: 640, height: 301 });
  });

  it('pictures are accepted from the byte that completes their size, and rejected if truncated before it', () => {
    const pictures: [name: string, bytes: Buffer, complete: number][] = [
      ['PNG', testPng(64, 32, [1, 2, 3], ['gAMA']), 24],
      ['JPEG', testJpeg(64, 32), 25],
      ...(['VP8 ', 'VP8L', 'VP8X'] as const).map((form): [string, Buffer, number] => [
        form,
        testWebp(form, 64, 32),
        30,
      ]),
    ];
    for (const [name, bytes, complete] of pictures)
      for (let length = 0; length <= bytes.length; length += 1) {
        const size = length < complete ? null : { width: 64, height: 32 };
        const read = readPicture(bytes.subarray(0, length));
        expect(read && { width: read.width, height: read.height }, `${name}, ${length} bytes`).toEqual(size);
      }
  });

  it('a JPEG has its signature, then whole segments, then a frame of any kind', () => {
    for (let marker = 0xb0; marker < 0xe0; marker += 1) {
      // The range of frame markers also contains the markers of Huffman tables, extensions and arithmetic coding.
      const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
      expect(readPicture(testJpeg(640, 300, marker)) !== null, marker.toString(16)).toBe(isFrame);
    }
    const [before, frame] = [testJpeg(640, 300).subarray(0, 16), testJpeg(640, 300).subarray(16)];
    const between = (...bytes: number[]) => readPicture(Buffer.concat([before, Buffer.from(bytes), frame]));
    expect(between(0xff, 0xfe, 0, 2)).toEqual({ type: 'image/jpeg', width: 640, height: 300 });
    for (const length of [0, 1]) expect(between(0xff, 0xfe, 0, length), `${length}`).toBeNull();
    expect(between(0)).toBeNull();
    for (const at of [0, 1, 16]) {
      const changed = testJpeg(640, 300);
      changed[at] = changed[at]! ^ 1;
      expect(readPicture(changed), `byte ${at}`).toBeNull();
    }
  });

  it('a WebP has every signature, and sizes of up to 24 bits', () => {
    expect(readPicture(testWebp('VP8X', 70_000, 200_001))).toEqual({
      type: 'image/webp',
      width: 70_000,
      height: 200_001,
    });
    expect(readSmallPicture(testWebp('VP8X', 65_537, 65_537))).toBeNull();
    for (const [form, signatures] of [
      ['VP8 ', [0, 3, 8, 11, 12, 15, 23, 24, 25]],
      ['VP8L', [0, 3, 8, 11, 12, 15, 20]],
      ['VP8X', [0, 3, 8, 11, 12, 15]],
    ] as const)
      for (const at of signatures) {
        const changed = testWebp(form, 64, 32);
        changed[at] = changed[at]! ^ 1;
        expect(readPicture(changed), `${form}, byte ${at}`).toBeNull();
      }
  });

  it('pictures have the size that browsers render, regardless of their other bytes', () => {
    const large = testJpeg(60_000, 60_000, 0xc0);
    // A padding byte (0xff) before the frame's marker. A parser that doesn't skip the padding misreads the segment and
    // finds the small frame.
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

  it('animated pictures are rejected', () => {
    expect(readPicture(testPng(64, 32, [1, 2, 3], ['gAMA', 'acTL']))).toBeNull();
    // The animation chunk (`acTL`) has an effect only before the image data.
    const moving = testPng(64, 32, [1, 2, 3], ['acTL']);
    for (let length = moving.indexOf('acTL') + 4; length <= moving.length; length += 1)
      expect(readPicture(moving.subarray(0, length)), `${length} bytes`).toBeNull();
    expect(readPicture(testPng(64, 32, [1, 2, 3], ['IDAT', 'acTL']))).not.toBeNull();
    expect(readPicture(testWebp('VP8X', 64, 32, 2))).toBeNull();
  });

  it('users’ pictures are limited in bytes and pixels', () => {
    const png = testPng(64, 64, [1, 2, 3]);
    expect(readSmallPicture(png)?.type).toBe('image/png');
    expect(readSmallPicture(testJpeg(1024, 1024))).not.toBeNull();
    for (const [width, height] of [
      [1025, 64],
      [64, 65_000],
      [0, 64],
    ] as const)
      expect(readSmallPicture(testJpeg(width, height)), `${width} × ${height}`).toBeNull();
    expect(readSmallPicture(Buffer.concat([png, Buffer.alloc(200_000 - png.length)]))).not.toBeNull();
    expect(readSmallPicture(Buffer.concat([png, Buffer.alloc(200_001 - png.length)]))).toBeNull();
  });

  it('any other data is rejected as a picture', () => {
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
