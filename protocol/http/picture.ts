/**
 * Reads the format and size of untrusted pictures. Used by the wallet and the service, because neither trusts the
 * other. Pure.
 */

/** The format of a still picture, and its size in pixels. */
export interface Picture {
  type: 'image/png' | 'image/jpeg' | 'image/webp';
  width: number;
  height: number;
}

/** Maximum file size of a user's picture, uploaded or fetched (bytes). */
export const MAX_PICTURE_BYTES = 200_000;
/** Maximum width and height (pixels). A small file can decompress to an image that exhausts the browser's memory. */
export const MAX_SIDE_PIXELS = 1024;

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52];

/**
 * Reads the header of a PNG (ISO/IEC 15948, section 11.2.2), JPEG (ITU-T T.81, section B.2.2) or WebP (RFC 9649,
 * sections 2.5 to 2.7). Returns null for animations and other formats, such as SVG, which can contain scripts.
 */
export function readPicture(bytes: Uint8Array): Picture | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length >= 24 && PNG.every((byte, i) => bytes[i] === byte)) return readPng(view);
  if (bytes.length >= 30 && textAt(view, 0) === 'RIFF' && textAt(view, 8) === 'WEBP') return readWebp(view);
  return bytes[0] === 0xff && bytes[1] === 0xd8 ? readJpeg(view) : null;
}

/** Reads a picture that is small enough to be shown as a user's avatar, otherwise returns null. */
export function readSmallPicture(bytes: Uint8Array): Picture | null {
  const picture = bytes.length <= MAX_PICTURE_BYTES ? readPicture(bytes) : null;
  return picture && [picture.width, picture.height].every((side) => side > 0 && side <= MAX_SIDE_PIXELS)
    ? picture
    : null;
}

const textAt = (view: DataView, at: number) =>
  String.fromCharCode(...[0, 1, 2, 3].map((place) => view.getUint8(at + place)));

function readPng(view: DataView): Picture | null {
  // The chunk that declares an animation (acTL) must precede the image data.
  for (let at = 8; at + 8 <= view.byteLength && textAt(view, at + 4) !== 'IDAT'; at += 12 + view.getUint32(at))
    if (textAt(view, at + 4) === 'acTL') return null;
  return { type: 'image/png', width: view.getUint32(16), height: view.getUint32(20) };
}

function readJpeg(view: DataView): Picture | null {
  // Skips segments up to the frame header.
  for (let at = 2; at + 9 <= view.byteLength && view.getUint8(at) === 0xff;) {
    const marker = view.getUint8(at + 1);
    // Section B.1.1.2: a marker can be preceded by any number of 0xff.
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const length = view.getUint16(at + 2);
    // SOF0 to SOF15, except DHT, JPG and DAC, whose codes are in the same range.
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { type: 'image/jpeg', width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    // The image data starts (start of scan), but no size preceded it.
    if (marker === 0xda) return null;
    at += 2 + length;
  }
  return null;
}

function readWebp(view: DataView): Picture | null {
  const size = (width: number, height: number): Picture => ({ type: 'image/webp', width, height });
  const uint24 = (at: number) => view.getUint16(at, true) + view.getUint8(at + 2) * 0x1_00_00;
  switch (textAt(view, 12)) {
    case 'VP8 ':
      // RFC 6386, section 9.1: the start code of a key frame, followed by 14 bits each for width and height.
      if (view.getUint8(23) !== 0x9d || view.getUint8(24) !== 0x01 || view.getUint8(25) !== 0x2a) return null;
      return size(view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff);
    case 'VP8L': {
      const bits = view.getUint32(21, true);
      return view.getUint8(20) === 0x2f ? size((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1) : null;
    }
    case 'VP8X':
      // The second bit flags an animation.
      return (view.getUint8(20) & 2) === 0 ? size(uint24(24) + 1, uint24(27) + 1) : null;
    default:
      return null;
  }
}
