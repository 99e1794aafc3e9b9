import fc from 'fast-check';
import { correction, generate } from 'lean-qr';
import { describe, expect, test } from 'vitest';
import { writeAddress } from '../../../../protocol/bitcoin/address.ts';
import { sendTexts } from '../../../ui/texts/texts.ts';
import { byLibrary } from './find-code.ts';
import { imageSize } from './image-size.ts';
import { MAX_IMAGE_BYTES, readImage } from './read-image.ts';
import { problemOfCode } from './recipient-in-code.ts';

const ADA = writeAddress(new Uint8Array(20).fill(1), 'devnet');

/** Returns bytes from strings (one character each) and numbers. */
const bytes = (...parts: (string | number)[]) =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === 'number' ? [part] : [...part].map((c) => c.charCodeAt(0)))));
const u16 = (n: number) => [n >> 8, n & 0xff];
const png = (width: number, height: number) =>
  bytes(
    '\x89PNG\r\n\x1a\n',
    0,
    0,
    0,
    13,
    'IHDR',
    ...[width, height].flatMap((n) => [n >>> 24, (n >> 16) & 0xff, ...u16(n & 0xffff)]),
  );
const jpeg = (width: number, height: number, before: number[] = []) =>
  bytes(0xff, 0xd8, ...before, 0xff, 0xc2, 0, 17, 8, ...u16(height), ...u16(width), 3);
const webp = (form: string, ...rest: number[]) =>
  bytes('RIFF', 0, 0, 0, 0, 'WEBP', form, 0, 0, 0, 0, ...rest, ...Array<number>(10).fill(0));

describe('the size of an image', () => {
  test('the size is read from the head of PNG, JPEG and WebP', () => {
    expect(imageSize(png(3000, 70_000))).toEqual({ width: 3000, height: 70_000 });
    expect(imageSize(jpeg(4032, 3024))).toEqual({ width: 4032, height: 3024 });
    // Other segments (here one, with a fill byte) precede the frame, as in files from cameras.
    expect(imageSize(jpeg(640, 480, [0xff, 0xe1, 0, 6, 1, 2, 3, 4, 0xff]))).toEqual({ width: 640, height: 480 });
    expect(imageSize(webp('VP8 ', 0, 0, 0, 0x9d, 0x01, 0x2a, 0x80, 0x02, 0xe0, 0x01))).toEqual({
      width: 640,
      height: 480,
    });
    expect(imageSize(webp('VP8L', 0x2f, 0x7f, 0xc2, 0x77, 0x00))).toEqual({ width: 640, height: 480 });
    expect(imageSize(webp('VP8X', 0, 0, 0, 0, 0x7f, 0x02, 0, 0xdf, 0x01, 0))).toEqual({ width: 640, height: 480 });
  });

  test('the size of other formats, of empty and of truncated data is null', () => {
    for (const other of [bytes(), bytes('GIF89a', 1, 0, 1, 0), bytes('<svg/>'), png(0, 5), jpeg(5, 5).slice(0, 8)])
      expect(imageSize(other)).toBeNull();
    expect(imageSize(jpeg(5, 5, [0xff, 0xda, 0, 2]))).toBeNull();
    expect(imageSize(jpeg(5, 5, [0xff, 0xe0, 0, 0]))).toBeNull();
  });

  test('reading the size of any bytes ends without an error', () => {
    const heads = [[], [...bytes(0xff, 0xd8)], [...bytes('RIFF', 0, 0, 0, 0, 'WEBPVP8X')], [...png(1, 1)]];
    fc.assert(
      fc.property(fc.constantFrom(...heads), fc.uint8Array({ maxLength: 200 }), (head, tail) => {
        const size = imageSize(Uint8Array.from([...head, ...tail]));
        return size === null || (size.width > 0 && size.height > 0);
      }),
    );
  });

  test('the size is checked before decoding', async () => {
    // The test environment has no decoder, so decoding would fail with a different result.
    expect(await readImage(new Blob([png(10_000, 10_000)]))).toEqual({ failed: 'too-large' });
    expect(await readImage(new Blob([new Uint8Array(MAX_IMAGE_BYTES + 1)]))).toEqual({ failed: 'too-large' });
    expect(await readImage(new Blob(['<svg/>'], { type: 'image/png' }))).toEqual({ failed: 'no-image' });
  });
});

/** Draws a code with `scale` pixels per module, dark on light or inverted. */
function pixelsOf(text: string, scale: number, [dark, light] = [0, 255]) {
  const code = generate(text, { minCorrectionLevel: correction.M });
  const side = (code.size + 8) * scale;
  const data = new Uint8ClampedArray(side * side * 4);
  for (let i = 0; i < side * side; i += 1) {
    const [x, y] = [Math.floor((i % side) / scale) - 4, Math.floor(i / side / scale) - 4];
    const shade = code.get(x, y) ? dark : light;
    data.set([shade, shade, shade, 255], i * 4);
  }
  return { data, width: side, height: side };
}

describe('the library', () => {
  const link = `bitcoin:${ADA}?sv&amount=0.002`;

  test.each([2, 5, 12])('the library reads a code of %d pixels for each module, also inverted', async (scale) => {
    expect(await byLibrary(pixelsOf(link, scale), 1000)).toBe(link);
    expect(await byLibrary(pixelsOf(link, scale, [230, 20]), 1000)).toBe(link);
  });

  test('the library returns null without a code', async () => {
    const blank = { data: new Uint8ClampedArray(40_000).fill(200), width: 100, height: 100 };
    expect(await byLibrary(blank, 200)).toBeNull();
  });
});

describe('the text of a code', () => {
  test.each([
    ADA,
    ` ${ADA}\n`,
    'ada@pay.example',
    '42',
    `bitcoin:${ADA}?sv`,
    `BITCOIN:${ADA}?sv&amount=0.5&label=Shop`,
    `bsv:${ADA}?amount=1`,
    `bsv://${ADA}`,
    'pay:ada@pay.example?amount=0.001',
  ])('the text of a code fills the form: %s', (text) => {
    expect(problemOfCode(text, 'devnet')).toBeNull();
  });

  test.each([
    ['https://evil.example/pay', sendTexts.nobody],
    ['WIFI:T:WPA;S:home;P:secret;;', sendTexts.nobody],
    [`bitcoin:${ADA}`, sendTexts.otherChain],
    [`bitcoin:${ADA}?amount=1`, sendTexts.otherChain],
    ['pay:?r=https%3A%2F%2Fevil.example', sendTexts.badLink],
    [`bsv:${ADA}?amount=1&amount=2`, sendTexts.badLink],
    [`bsv:${ADA}?req-more=1`, sendTexts.badLink],
    [`bsv:${ADA}?amount=1e9`, sendTexts.badLink],
    [writeAddress(new Uint8Array(20).fill(1), 'mainnet'), sendTexts.otherNetwork],
    ['OP_DUP OP_HASH160 0101010101010101010101010101010101010101 OP_EQUALVERIFY OP_CHECKSIG', sendTexts.nobody],
    ['', sendTexts.missingTo],
  ])('the text of a code names no recipient: %s', (text, problem) => {
    expect(problemOfCode(text, 'devnet')).toBe(problem);
  });
});
