import type { ComponentChild, RefObject } from 'preact';
import { useId, useState } from 'preact/hooks';
import { EyeIcon, EyeOffIcon } from '../controls/icons.tsx';
import { texts } from '../texts/texts.ts';

export interface SecretFieldProps {
  label: string;
  value: string;
  onInput: (value: string) => void;
  autocomplete?: 'current-password' | 'new-password' | 'off';
  hint?: ComponentChild;
  error?: string | null;
  disabled?: boolean;
  autofocus?: boolean;
  inputRef?: RefObject<HTMLInputElement | null>;
  /** Formats the revealed text. By default, the text is shown unchanged. */
  reveal?: (value: string) => ComponentChild;
  onPaste?: () => void;
  /** Called when Enter is pressed. Returns false to prevent the form's submission. */
  onEnter?: () => boolean;
}

/**
 * Shows a field for a password or recovery words, which browsers must never store. Browsers save text fields to the
 * session restore file on disk, but not password fields (CVE-2022-32969). Therefore, this is always a password field
 * without a name, outside any form. Revealed text is shown next to the field.
 */
export function SecretField(props: SecretFieldProps) {
  const id = useId();
  const [shown, setShown] = useState(false);
  const described = [props.hint ? `${id}-hint` : '', props.error ? `${id}-error` : ''].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label class="label" for={id}>
        {props.label}
      </label>
      <div class="input-group">
        <input
          id={id}
          ref={props.inputRef ?? null}
          class="input"
          type="password"
          value={props.value}
          onInput={(event) => props.onInput(event.currentTarget.value)}
          onPaste={() => props.onPaste?.()}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && !event.isComposing && props.onEnter?.() === false) event.preventDefault();
          }}
          autocomplete={props.autocomplete ?? 'off'}
          autocapitalize="off"
          autoCorrect="off"
          spellcheck={false}
          disabled={props.disabled ?? false}
          autofocus={props.autofocus ?? false}
          aria-invalid={props.error ? 'true' : 'false'}
          aria-describedby={described || undefined}
        />
        <button
          type="button"
          class="icon-button"
          aria-pressed={shown}
          aria-label={texts.secret.show}
          title={shown ? texts.secret.hide : texts.secret.show}
          onClick={() => setShown(!shown)}
        >
          {shown ? <EyeOffIcon /> : <EyeIcon />}
        </button>
      </div>
      {shown && props.value !== '' && (
        <div class="revealed anywhere">
          {props.reveal ? props.reveal(props.value) : <span class="mono">{props.value}</span>}
        </div>
      )}
      {props.hint && (
        <div class="hint" id={`${id}-hint`}>
          {props.hint}
        </div>
      )}
      {/* Always rendered so that screen readers announce its text. */}
      <div class="field-error" id={`${id}-error`} role="alert">
        {props.error}
      </div>
    </div>
  );
}
