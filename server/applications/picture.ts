/** Pictures that strangers upload: what they are, by their first bytes, and how large they are drawn. Pure. */

/** A picture's format, and its size in pixels. */
export interface Picture {
  type: 'image/png' | 'image/jpeg';
  width: number;
  height: number;
}

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52];

/**
 * Reads a PNG (ISO/IEC 15948, section 11.2.2) or JPEG (ITU-T T.81, section B.2.2) as far as its size; null for anything
 * else. SVG is none of them: it can hold scripts.
 */
export function readPicture(bytes: Uint8Array): Picture | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length >= 24 && PNG.every((byte, i) => bytes[i] === byte))
    return { type: 'image/png', width: view.getUint32(16), height: view.getUint32(20) };
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return null;
  // Segments one after another, up to the frame's header.
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff;) {
    const marker = bytes[at + 1] ?? 0;
    const length = view.getUint16(at + 2);
    // SOF0 to SOF15 without DHT, JPG and DAC, which have numbers between them.
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { type: 'image/jpeg', width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    if (length < 2) return null;
    at += 2 + length;
  }
  return null;
}
