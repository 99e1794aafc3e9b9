import { useState } from 'preact/hooks';
import { ErrorNote } from '../ui/controls/error-note.tsx';
import { onboardingTexts as t } from '../ui/texts/texts.ts';
import { useAction } from '../ui/window/use-action.ts';
import { StepHead } from './step-head.tsx';
import { questions, type Question } from './words-check.ts';

interface CheckStepProps {
  words: string;
  onChecked: () => Promise<void>;
  onBack: () => void;
}

const ASKED = 3;

/** Step 3, second half: the user selects three of the recovery words from lists, without typing. */
export function CheckStep({ words, onChecked, onBack }: CheckStepProps) {
  const all = words.split(' ');
  const [asked, setAsked] = useState(() => questions(all, ASKED));
  const [answers, setAnswers] = useState<Record<number, string>>({});
  const [complaint, setComplaint] = useState<string | null>(null);
  const create = useAction(onChecked);

  const submit = () => {
    if (asked.some(({ position }) => answers[position] === undefined)) return setComplaint(t.check.missing);
    const wrong = asked.find(({ position }) => answers[position] !== all[position]);
    if (wrong === undefined) return void create.run();
    setComplaint(t.check.wrong({ n: wrong.position + 1 }));
    // After a wrong answer, asks different questions, to prevent guessing.
    setAsked(questions(all, ASKED));
    return setAnswers({});
  };
  return (
    <>
      <StepHead title={t.check.title} lead={t.check.lead} />
      <form
        class="stack"
        autocomplete="off"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        {asked.map((question) => (
          <Choice
            key={question.position}
            question={question}
            chosen={answers[question.position]}
            onChoose={(word) => {
              setAnswers((before) => ({ ...before, [question.position]: word }));
              setComplaint(null);
            }}
          />
        ))}
        <p class="field-error" role="alert">
          {complaint}
        </p>
        <ErrorNote error={create.error} />
        <button type="submit" class="button button-primary button-block" aria-busy={create.busy}>
          {create.busy ? t.check.creating : t.check.create}
        </button>
        <button type="button" class="button button-block" disabled={create.busy} onClick={onBack}>
          {t.check.look}
        </button>
      </form>
    </>
  );
}

/** Offers four words for one position. Uses toggle buttons, because browsers restore radio inputs after a crash. */
function Choice({
  question,
  chosen,
  onChoose,
}: {
  question: Question;
  chosen: string | undefined;
  onChoose: (word: string) => void;
}) {
  return (
    <fieldset class="word-question">
      <legend class="label">{t.check.place({ n: question.position + 1 })}</legend>
      <div class="word-options" translate={false}>
        {question.options.map((word) => (
          <button
            key={word}
            type="button"
            class="button word-option"
            aria-pressed={word === chosen}
            onClick={() => onChoose(word)}
          >
            {word}
          </button>
        ))}
      </div>
    </fieldset>
  );
}
