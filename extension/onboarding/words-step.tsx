import { useState } from 'preact/hooks';
import { EyeIcon } from '../ui/controls/icons.tsx';
import { onboardingTexts as t, secretTexts } from '../ui/texts/texts.ts';
import { WordCells } from '../ui/secrets/word-cells.tsx';
import { StepHead } from './step-head.tsx';

/** Step 3: the recovery words, for the user to write on paper. The words are in the document only while visible. */
export function WordsStep({ words, onWritten }: { words: string; onWritten: () => void }) {
  const [shown, setShown] = useState(false);
  const [seen, setSeen] = useState(false);
  const all = words.split(' ');
  return (
    <>
      <StepHead title={t.words.title} lead={t.words.lead} />
      <div class="words-box">
        {shown ? (
          <WordCells words={all} label={secretTexts.words.list} />
        ) : (
          <div class="words-hidden">
            <p class="muted">{t.words.hidden}</p>
            <button
              type="button"
              class="button button-quiet"
              onClick={() => {
                setShown(true);
                setSeen(true);
              }}
            >
              <EyeIcon size={18} />
              {t.words.show}
            </button>
          </div>
        )}
      </div>
      {shown && (
        <button type="button" class="link words-toggle" onClick={() => setShown(false)}>
          {secretTexts.words.hide}
        </button>
      )}
      <ul class="words-rules stack stack-tight">
        {t.words.rules.map((rule) => (
          <li key={rule}>{rule}</li>
        ))}
      </ul>
      <button type="button" class="button button-primary button-block" disabled={!seen} onClick={onWritten}>
        {t.words.written}
      </button>
    </>
  );
}
