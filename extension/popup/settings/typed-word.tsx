/** A word to be typed, so that nothing is done by a slip. */
import { useId } from 'preact/hooks';

/** See above. */
export function TypedWord({
  label,
  value,
  onInput,
}: {
  label: string;
  value: string;
  onInput: (value: string) => void;
}) {
  const id = useId();
  return (
    <div class="field">
      <label class="label" for={id}>
        {label}
      </label>
      <input
        id={id}
        class="input"
        value={value}
        autocomplete="off"
        autocapitalize="characters"
        spellcheck={false}
        maxLength={30}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </div>
  );
}
