import { useId, useState } from 'preact/hooks';
import { MAX_NOTE_LENGTH } from '../../../protocol/payments/limits.ts';
import { call } from '../../ui/window/call.ts';
import { ErrorNote } from '../../ui/controls/error-note.tsx';
import { activityTexts as t } from '../../ui/texts/texts.ts';
import { useAction } from '../../ui/window/use-action.ts';
import { LongText } from '../long-text.tsx';

interface NoteProps {
  id: string;
  note: string;
  onChanged: () => void;
}

export function UserNote({ id, note, onChanged }: NoteProps) {
  const [draft, setDraft] = useState<string | null>(null);
  const field = useId();
  const save = useAction(async () => {
    await call('activity/note', { id, note: draft ?? '' });
    setDraft(null);
    onChanged();
  });
  if (draft === null)
    return (
      <>
        {note !== '' && <LongText text={note} label={t.note} />}
        <button
          type="button"
          class="button button-quiet button-small"
          data-action="edit-note"
          onClick={() => setDraft(note)}
        >
          {note === '' ? t.addNote : t.editNote}
        </button>
      </>
    );
  return (
    <form
      class="stack stack-tight"
      onSubmit={(event) => {
        event.preventDefault();
        void save.run();
      }}
    >
      <input
        type="text"
        id={field}
        class="input"
        autocomplete="off"
        maxLength={MAX_NOTE_LENGTH}
        aria-label={t.note}
        value={draft}
        ref={(input) => input?.focus()}
        onInput={(event) => setDraft(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.preventDefault();
          setDraft(null);
        }}
      />
      <ErrorNote error={save.error} kind="warning" />
      <div class="cluster">
        <button type="submit" class="button button-small" data-action="save-note" aria-busy={save.busy}>
          {t.saveNote}
        </button>
        <button type="button" class="button button-quiet button-small" onClick={() => setDraft(null)}>
          {t.cancelNote}
        </button>
      </div>
    </form>
  );
}
