/** Step 1: a new wallet, or one from earlier. */
import { ChevronIcon } from '../ui/icons.tsx';
import { onboardingTexts as t } from '../ui/texts-onboarding.ts';
import { StepHead } from './step-head.tsx';

/** See above. */
export function StartStep({ onCreate, onRestore }: { onCreate: () => void; onRestore: () => void }) {
  return (
    <>
      <StepHead title={t.start.title} lead={t.start.lead} />
      <div class="card card-flush list">
        <Way title={t.start.create} note={t.start.createNote} onClick={onCreate} />
        <Way title={t.start.restore} note={t.start.restoreNote} onClick={onRestore} />
      </div>
    </>
  );
}

function Way({ title, note, onClick }: { title: string; note: string; onClick: () => void }) {
  return (
    <button type="button" class="list-row way" onClick={onClick}>
      <span class="list-main">
        <span class="subheading">{title}</span>
        <span class="list-note">{note}</span>
      </span>
      <ChevronIcon />
    </button>
  );
}
