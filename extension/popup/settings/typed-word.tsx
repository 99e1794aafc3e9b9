import { useId } from 'preact/hooks';

/** Shows a field for a word that users must type, to prevent accidents. */
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
        type="text"
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
