import { createHash } from 'node:crypto';

export function sha256d(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(createHash('sha256').update(bytes).digest()).digest();
}

/** Computes the parent of two merkle nodes. All hashes are in display order. */
export function merkleParent(left: string, right: string): string {
  // Reversing right ‖ left puts both hashes in wire order, left first.
  return sha256d(Buffer.from(right + left, 'hex').reverse())
    .reverse()
    .toString('hex');
}
