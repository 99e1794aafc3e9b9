/** A switch for a setting that is saved immediately. */
import { useId } from 'preact/hooks';

/** Shows a switch. `note` explains the switch's effect. */
export function Switch({
  label,
  note,
  on,
  onChange,
}: {
  label: string;
  note: string;
  on: boolean;
  onChange: (on: boolean) => void;
}) {
  const id = useId();
  return (
    <label class="switch-row">
      <span class="choice-text">
        <span class="label">{label}</span>
        <span class="hint" id={`${id}-note`}>
          {note}
        </span>
      </span>
      <input
        type="checkbox"
        role="switch"
        class="switch"
        checked={on}
        aria-label={label}
        aria-describedby={`${id}-note`}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    </label>
  );
}
