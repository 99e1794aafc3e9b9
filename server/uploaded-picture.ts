/** Pictures uploaded by users: logos of applications, and profile pictures. */
import { createHash } from 'node:crypto';
import type { Response } from 'express';
import { ServiceError } from '../protocol/errors/service-error.ts';
import { MAX_PICTURE_BYTES, MAX_SIDE_PIXELS, readPicture } from '../protocol/http/picture.ts';

const MIN_SIDE_PIXELS = 16;

/** Types for the browser's file picker. Other types are rejected. */
export const UPLOADED_TYPES = ['image/png', 'image/jpeg'] as const;

/** A stored picture. `digest` is its SHA-256, hex. */
export interface UploadedPicture {
  digest: string;
  type: (typeof UPLOADED_TYPES)[number];
  image: Uint8Array;
}

const uploadedType = (type: string) => UPLOADED_TYPES.find((one) => one === type);

/** Returns an error message for a picture that can't be accepted, or null. */
export function problemOfUpload(bytes: Uint8Array): string | null {
  if (bytes.length === 0) return 'Choose a picture first.';
  if (bytes.length > MAX_PICTURE_BYTES) return `The picture must be at most ${MAX_PICTURE_BYTES / 1000} kB.`;
  const picture = readPicture(bytes);
  if (!picture || !uploadedType(picture.type)) return 'The picture must be a PNG or JPEG file.';
  const sides = [picture.width, picture.height];
  if (sides.some((side) => side < MIN_SIDE_PIXELS || side > MAX_SIDE_PIXELS))
    return `The picture must be ${MIN_SIDE_PIXELS} to ${MAX_SIDE_PIXELS} pixels wide and high.`;
  return null;
}

/** Returns the stored format of an upload that passed {@link problemOfUpload}. */
export function uploadedPicture(bytes: Uint8Array): UploadedPicture {
  const type = uploadedType(readPicture(bytes)?.type ?? '');
  if (!type) throw new ServiceError('invalid-request');
  return { digest: createHash('sha256').update(bytes).digest('hex'), type, image: bytes };
}

export const isDigest = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);

/** Sends an uploaded picture, cached permanently because its path contains the digest. */
export function sendUploaded(response: Response, { type, image }: Pick<UploadedPicture, 'type' | 'image'>): void {
  response.set({
    'Content-Type': type,
    'Cache-Control': 'public, max-age=31536000, immutable',
    // Sandboxed so that an upload opened directly can't run scripts.
    'Content-Security-Policy': "default-src 'none'; sandbox",
  });
  response.end(image);
}
