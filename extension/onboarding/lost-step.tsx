import { texts } from '../ui/texts/texts.ts';
import { StepHead } from './step-head.tsx';

/** Replaces the first step if the browser has lost a wallet, so that no one makes a new one by accident. */
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
