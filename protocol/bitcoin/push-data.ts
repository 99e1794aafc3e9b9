/** Writes data scripts and data pushes. */
import { concatBytes } from './bytes.ts';

/** Returns `OP_FALSE OP_RETURN <data as one push>`, the only data output that this project creates (value 0). */
export function dataScript(data: Uint8Array): Uint8Array<ArrayBuffer> {
  return concatBytes(new Uint8Array([0x00, 0x6a]), pushData(data));
}

/** Returns the shortest push of `data` with an explicit length. Avoids OP_1 to OP_16, to keep the bytes readable. */
export function pushData(data: Uint8Array): Uint8Array<ArrayBuffer> {
  const n = data.length;
  if (n < 0x4c) return concatBytes(new Uint8Array([n]), data);
  if (n <= 0xff) return concatBytes(new Uint8Array([0x4c, n]), data);
  if (n <= 0xffff) return concatBytes(new Uint8Array([0x4d, n & 0xff, n >> 8]), data);
  return concatBytes(new Uint8Array([0x4e, n & 0xff, (n >> 8) & 0xff, (n >> 16) & 0xff, n >>> 24]), data);
}
