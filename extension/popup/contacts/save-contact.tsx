import { useState } from 'preact/hooks';
import { MAX_CONTACT_NAME } from '../../../protocol/payments/limits.ts';
import { call } from '../../ui/window/call.ts';
import { ErrorNote } from '../../ui/controls/error-note.tsx';
import { visible } from '../../ui/amounts/format.ts';
import { PersonIcon } from '../../ui/controls/icons.tsx';
import { contactTexts as t } from '../../ui/texts/texts.ts';
import { useAction } from '../../ui/window/use-action.ts';
import './contacts.css';

/**
 * Shows "Save contact" next to a recipient. The name is initially empty, because the host's name is unverified. The
 * component isn't a form element, because it can be placed inside a form.
 */
export function SaveContact({ to, onSaved }: { to: string; onSaved?: () => void }) {
  const [name, setName] = useState<string | null>(null);
  const [saved, setSaved] = useState<string | null>(null);
  const save = useAction(async () => {
    const chosen = (name ?? '').trim();
    if (chosen === '') return;
    await call('contacts/save', { id: null, to, name: chosen });
    setSaved(chosen);
    setName(null);
    onSaved?.();
  });
  if (saved !== null)
    return (
      <p class="small good" role="status">
        {t.saved({ name: visible(saved) })}
      </p>
    );
  if (name === null)
    return (
      <div>
        <button
          type="button"
          class="button button-quiet button-small"
          data-action="save-contact"
          onClick={() => setName('')}
        >
          <PersonIcon size={16} />
          {t.saveContact}
        </button>
      </div>
    );
  return (
    <div class="stack stack-tight contact-save" role="group" aria-label={t.saveContact}>
      <input
        type="text"
        class="input"
        autocomplete="off"
        maxLength={MAX_CONTACT_NAME}
        aria-label={t.name}
        placeholder={t.name}
        value={name}
        ref={(input) => {
          if (name === '') input?.focus();
        }}
        onInput={(event) => setName(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' && event.key !== 'Escape') return;
          event.preventDefault(); // Enter must not submit the surrounding form, and Escape must not close the popup.
          if (event.key === 'Escape') setName(null);
          else if (!event.isComposing) void save.run();
        }}
      />
      <ErrorNote error={save.error} kind="warning" />
      <div class="cluster">
        <button
          type="button"
          class="button button-small"
          data-action="save-name"
          disabled={name.trim() === ''}
          aria-busy={save.busy}
          onClick={() => void save.run()}
        >
          {save.busy ? t.saving : t.save}
        </button>
        <button type="button" class="button button-quiet button-small" onClick={() => setName(null)}>
          {t.cancel}
        </button>
      </div>
    </div>
  );
}
