/** Recovery words as numbered cells. They cannot be selected: a clipboard is no place for them. */
export function WordCells({ words, label }: { words: readonly string[]; label?: string }) {
  return (
    <ol class="word-cells" aria-label={label} translate={false}>
      {words.map((word, i) => (
        <li key={i}>
          <span class="word-number amount">{i + 1}</span>
          {word}
        </li>
      ))}
    </ol>
  );
}
