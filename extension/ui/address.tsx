/**
 * An address in full, for comparing letter by letter: in groups of four, held apart by room alone, so that what is
 * copied has no gaps.
 */

/** See above. It reads from left to right in every language. */
export function Address({ text }: { text: string }) {
  return (
    <bdi dir="ltr" class="address mono">
      {(text.match(/.{1,4}/gu) ?? []).map((part, i) => (
        <span key={i} class="address-group">
          {part}
        </span>
      ))}
    </bdi>
  );
}
