/** Reads a QR code from an image that the user gave. It may come from anybody: its size is checked before it is decoded. */
import { findCode } from './find-code.ts';
import { imageSize } from './image-size.ts';

/** Largest file (bytes) and largest picture (pixels): what a phone's camera makes. */
export const MAX_IMAGE_BYTES = 20_000_000;
/** See {@link MAX_IMAGE_BYTES}. */
export const MAX_IMAGE_PIXELS = 50_000_000;
/** How long a still picture is searched (milliseconds). */
const PATIENCE_MS = 1500;

/** Why there is no text: the file or the picture is too large, no image that is read, or no code in it. */
export type NoCode = 'too-large' | 'no-image' | 'no-code';

/** The text of the code in an image (PNG, JPEG or WebP). */
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

/** The image among what was pasted or dropped, if any. */
export function imageIn(transfer: DataTransfer | null): File | null {
  return [...(transfer?.files ?? [])].find(({ type }) => type.startsWith('image/')) ?? null;
}
