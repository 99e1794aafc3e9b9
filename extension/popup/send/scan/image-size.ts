/** Reads an image's size before it is decoded, because a tiny file can claim gigabytes of pixels. */

export interface ImageSize {
  width: number;
  height: number;
}

/** Returns the size stated in a PNG, JPEG or WebP file, as a decoder would read it. Null for other files. */
export function imageSize(bytes: Uint8Array): ImageSize | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = pngSize(view) ?? jpegSize(view) ?? webpSize(view);
  return size !== null && size.width > 0 && size.height > 0 ? size : null;
}

const ascii = (view: DataView, at: number, length: number): string =>
  at + length > view.byteLength ? '' : String.fromCharCode(...Array.from({ length }, (_, i) => view.getUint8(at + i)));

/** Reads a PNG (third edition, 5.2 and 11.2.1): the signature, followed by IHDR. */
function pngSize(view: DataView): ImageSize | null {
  if (view.byteLength < 24 || ascii(view, 0, 8) !== '\x89PNG\r\n\x1a\n' || ascii(view, 12, 4) !== 'IHDR') return null;
  return { width: view.getUint32(16), height: view.getUint32(20) };
}

/** True for markers of frame headers: C0 to CF except DHT, JPG and DAC (ITU-T T.81, table B.1). */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/** Reads a JPEG: the first frame header (ITU-T T.81, B.2.2). */
function jpegSize(view: DataView): ImageSize | null {
  if (view.byteLength < 4 || view.getUint16(0) !== 0xffd8) return null;
  for (let at = 2; at + 9 <= view.byteLength;) {
    if (view.getUint8(at) !== 0xff) return null;
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) {
      at += 1; // Skips a fill byte.
      continue;
    }
    if (isFrame(marker)) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    const length = view.getUint16(at + 2);
    if (length < 2 || marker === 0xda) return null; // The image data starts here, without a preceding size.
    at += 2 + length;
  }
  return null;
}

/** Reads a WebP (RFC 9649, 2.4 to 2.7), which has one of three formats. */
function webpSize(view: DataView): ImageSize | null {
  if (view.byteLength < 30 || ascii(view, 0, 4) !== 'RIFF' || ascii(view, 8, 4) !== 'WEBP') return null;
  const uint24 = (at: number) => view.getUint16(at, true) + (view.getUint8(at + 2) << 16);
  switch (ascii(view, 12, 4)) {
    case 'VP8 ':
      return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
    case 'VP8L': {
      const bits = view.getUint32(21, true);
      return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
    }
    case 'VP8X':
      return { width: 1 + uint24(24), height: 1 + uint24(27) };
    default:
      return null;
  }
}
