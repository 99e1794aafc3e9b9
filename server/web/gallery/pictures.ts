/** The pictures of the button in each of its states, taken by scripts/pictures.ts from the real button. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folder of the pictures, named `<name>-light.png` and `<name>-dark.png`. */
export const PICTURES_FOLDER = fileURLToPath(new URL('../../../docs/pictures/button/', import.meta.url));

/** Device pixels in each CSS pixel of a picture. */
export const PICTURE_SCALE = 2;

/** Pictured states, in display order. */
export const PICTURE_NAMES = [
  'loading',
  'no-wallet',
  'ready',
  'working',
  'done',
  'receipt',
  'error',
  'disabled',
  'failed',
  'compact',
  'editable',
  'rtl',
  'full',
] as const;
export type PictureName = (typeof PICTURE_NAMES)[number];

/** Size of a picture in CSS pixels, so that the page's layout doesn't shift. */
export interface PictureSize {
  width: number;
  height: number;
}

/** Sizes by file name. Missing pictures are left out. */
export function readPictures(): ReadonlyMap<string, PictureSize> {
  const files = readdirSync(PICTURES_FOLDER).filter((file) => file.endsWith('.png'));
  return new Map(
    files.map((file) => {
      // PNG (third edition), 5.2 and 11.2.1: signature, then the header chunk with width and height at 16 and 20.
      const bytes = readFileSync(join(PICTURES_FOLDER, file));
      return [file, { width: bytes.readUInt32BE(16) / PICTURE_SCALE, height: bytes.readUInt32BE(20) / PICTURE_SCALE }];
    }),
  );
}
