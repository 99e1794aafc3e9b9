/** Pictures of the button in each state, taken from the real button by scripts/pictures.ts. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Directory of the pictures, named `<name>-light.png` and `<name>-dark.png`. */
export const PICTURES_FOLDER = fileURLToPath(new URL('../../../docs/pictures/button/', import.meta.url));

/** Device pixels per CSS pixel in a picture. */
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

/** Size of a picture in CSS pixels, set on images to prevent layout shifts. */
export interface PictureSize {
  width: number;
  height: number;
}

/** Returns the pictures' sizes by file name. Missing pictures are omitted. */
export function readPictures(): ReadonlyMap<string, PictureSize> {
  const files = readdirSync(PICTURES_FOLDER).filter((file) => file.endsWith('.png'));
  return new Map(
    files.map((file) => {
      // PNG (third edition), 5.2 and 11.2.1: signature, then the header chunk (width at byte 16, height at byte 20).
      const bytes = readFileSync(join(PICTURES_FOLDER, file));
      return [file, { width: bytes.readUInt32BE(16) / PICTURE_SCALE, height: bytes.readUInt32BE(20) / PICTURE_SCALE }];
    }),
  );
}
