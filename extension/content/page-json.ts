/** Serializes values from a page, which can be of any type and size. */

/** Serializes a page's value as JSON, or returns the reason why it can't be sent. Converts typed arrays to arrays. */
export function jsonOf(value: unknown, most: number): { text: string } | { problem: 'invalid-request' | 'too-large' } {
  let isTooLarge = false;
  const plain = (_: string, part: unknown) => {
    if (!Array.isArray(part) && !ArrayBuffer.isView(part)) return part;
    // Serializing a huge sparse array would take too long.
    isTooLarge ||= (part as unknown[]).length > most;
    if (isTooLarge) return null;
    return Array.isArray(part) ? part : Array.from(part as Uint8Array);
  };
  try {
    const text = JSON.stringify(value, plain) as string | undefined;
    if (isTooLarge || (text?.length ?? 0) > most) return { problem: 'too-large' };
    if (text !== undefined) return { text };
  } catch {
    // The value is circular or contains a bigint.
  }
  return { problem: 'invalid-request' };
}
