/**
 * Reads a QR code from an image selected by the user. Checks the image's size before decoding, because the image may be
 * malicious.
 */
import { findCode } from './find-code.ts';
import { imageSize } from './image-size.ts';

/** Maximum file size (bytes) and image size (pixels), sufficient for a phone's camera. */
export const MAX_IMAGE_BYTES = 20_000_000;
export const MAX_IMAGE_PIXELS = 50_000_000;
/** Maximum time to search an image (milliseconds). */
const PATIENCE_MS = 1500;

/** Why a file yields no text: the file or its image is too large, it isn't a readable image, or it contains no code. */
export type NoCode = 'too-large' | 'no-image' | 'no-code';

/** Returns the text of the code in an image (PNG, JPEG or WebP). */
export async function readImage(file: Blob): Promise<{ text: string } | { failed: NoCode }> {
  if (file.size > MAX_IMAGE_BYTES) return { failed: 'too-large' };
  const bytes = new Uint8Array(await file.arrayBuffer());
  const size = imageSize(bytes);
  if (size === null) return { failed: 'no-image' };
  if (size.width * size.height > MAX_IMAGE_PIXELS) return { failed: 'too-large' };
  const bitmap = await createImageBitmap(new Blob([bytes])).catch(() => null);
  if (bitmap === null) return { failed: 'no-image' };
  try {
    const text = await findCode({ source: bitmap, width: bitmap.width, height: bitmap.height }, PATIENCE_MS);
    return text === null ? { failed: 'no-code' } : { text };
  } finally {
    bitmap.close();
  }
}

/** Returns the image in pasted or dropped data, if any. */
export function imageIn(transfer: DataTransfer | null): File | null {
  return [...(transfer?.files ?? [])].find(({ type }) => type.startsWith('image/')) ?? null;
}
