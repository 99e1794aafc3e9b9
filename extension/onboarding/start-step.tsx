import { ChevronIcon } from '../ui/controls/icons.tsx';
import { onboardingTexts as t } from '../ui/texts/texts.ts';
import { useAction } from '../ui/window/use-action.ts';
import { VanishNote } from '../ui/controls/vanish-note.tsx';
import { StepHead } from './step-head.tsx';

/** Step 1: create a new wallet, or restore one. */
export function StartStep({ onCreate, onRestore }: { onCreate: () => Promise<void>; onRestore: () => void }) {
  const create = useAction(onCreate);
  return (
    <>
      <StepHead title={t.start.title} lead={t.start.lead} />
      <VanishNote />
      <div class="card card-flush list">
        <Way
          title={t.start.create}
          note={create.busy ? t.restore.service : t.start.createNote}
          busy={create.busy}
          onClick={() => create.run()}
        />
        <Way title={t.start.restore} note={t.start.restoreNote} onClick={onRestore} />
      </div>
    </>
  );
}

function Way({
  title,
  note,
  busy = false,
  onClick,
}: {
  title: string;
  note: string;
  busy?: boolean;
  onClick: () => void;
}) {
  return (
    <button type="button" class="list-row way" aria-busy={busy} onClick={onClick}>
      <span class="list-main">
        <span class="subheading">{title}</span>
        <span class="list-note">{note}</span>
      </span>
      <ChevronIcon />
    </button>
  );
}
