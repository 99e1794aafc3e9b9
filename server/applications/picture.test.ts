import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { problemOfLogo } from './logo.ts';
import { readPicture } from './picture.ts';
import { testPng } from './testing-picture.ts';

/** A JPEG as far as its frame, behind an application segment that holds what looks like another frame. */
const jpeg = (width: number, height: number, marker = 0xc2) =>
  Buffer.from([
    ...[0xff, 0xd8, 0xff, 0xe1, 0, 12, 0xff, 0xc0, 0, 17, 8, 9, 9, 9, 9, 9],
    ...[0xff, marker, 0, 17, 8, height >> 8, height & 255, width >> 8, width & 255, 3, 1, 0x22, 0],
  ]);

describe('pictures', () => {
  it('are read as far as their size', () => {
    expect(readPicture(testPng(64, 32, [1, 2, 3]))).toEqual({ type: 'image/png', width: 64, height: 32 });
    expect(readPicture(jpeg(640, 300))).toEqual({ type: 'image/jpeg', width: 640, height: 300 });
    // A Huffman table, which has a frame's kind of number.
    expect(readPicture(jpeg(640, 300, 0xc4))).toBeNull();
  });

  it('are nothing else, whatever comes', () => {
    for (const text of [
      '',
      '<svg xmlns="http://www.w3.org/2000/svg"/>',
      'GIF89a',
      '\x89PNG\r\n\x1a\n',
      '\xff\xd8',
      '\xff\xd8\xff\xe0\0\0',
    ])
      expect(readPicture(Buffer.from(text, 'latin1')), text).toBeNull();
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 60 }),
        fc.constantFrom('', '\xff\xd8', '\xff\xd8\xff\xe0'),
        (bytes, begin) => {
          readPicture(Buffer.concat([Buffer.from(begin, 'latin1'), bytes]));
        },
      ),
    );
  });

  it('are logos where they are small enough, as files and as pictures', () => {
    expect(problemOfLogo(testPng(64, 64, [1, 2, 3]))).toBeNull();
    expect(problemOfLogo(testPng(15, 64, [1, 2, 3]))).toContain('16 to 1024 pixels');
    expect(problemOfLogo(jpeg(65_000, 65_000))).toContain('16 to 1024 pixels');
    expect(problemOfLogo(Buffer.concat([testPng(64, 64, [1, 2, 3]), Buffer.alloc(200_000)]))).toContain('200 kB');
    expect(problemOfLogo(Buffer.from('<svg/>'))).toContain('PNG or JPEG');
    expect(problemOfLogo(new Uint8Array())).toBe('Choose a picture first.');
  });
});
