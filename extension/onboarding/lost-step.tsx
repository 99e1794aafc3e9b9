import { texts } from '../ui/texts/texts.ts';
import { StepHead } from './step-head.tsx';

/** Replaces step 1 if the browser has lost the wallet's data, so users don't create a new wallet by accident. */
export function LostStep({ onRestore, onAgain }: { onRestore: () => void; onAgain: () => void }) {
  return (
    <>
      <StepHead title={texts.lost.title} lead={texts.lost.lead} />
      <button type="button" class="button button-primary button-block" onClick={onRestore}>
        {texts.lost.button}
      </button>
      <button type="button" class="button button-block" onClick={onAgain}>
        {texts.tryAgain}
      </button>
      <p class="small muted">{texts.lost.noWords}</p>
    </>
  );
}
