/**
 * Shows an address in full for comparison, in groups of four. Spacing separates the groups, so copied text has no
 * gaps. The text direction is left to right in every language.
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
