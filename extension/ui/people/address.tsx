/**
 * An address in full, for comparing: in groups of four, separated by spacing only, so that a copy has no gaps. Left to
 * right in every language.
 */
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
