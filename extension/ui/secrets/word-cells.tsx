/**
 * Shows recovery words in numbered cells. The words can't be selected so that users don't copy them to the clipboard.
 */
export function WordCells({
  words,
  label,
  isWrong = () => false,
}: {
  words: readonly string[];
  label?: string;
  /** Returns true to highlight an invalid word. */
  isWrong?: (word: string, position: number) => boolean;
}) {
  return (
    <ol class="word-cells" aria-label={label} translate={false}>
      {words.map((word, i) => (
        <li key={i} class={isWrong(word, i) ? 'is-wrong' : ''}>
          <span class="word-number amount">{i + 1}</span>
          {word}
        </li>
      ))}
    </ol>
  );
}
