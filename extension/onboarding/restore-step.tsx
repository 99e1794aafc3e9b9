import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { ServiceError } from '../../protocol/errors.ts';
import { call } from '../ui/call.ts';
import { ErrorNote } from '../ui/error-note.tsx';
import { SecretField } from '../ui/secret-field.tsx';
import { onboardingTexts as t } from '../ui/texts-onboarding.ts';
import { texts } from '../ui/texts.ts';
import { useAction } from '../ui/use-action.ts';
import { WordCells } from '../ui/word-cells.tsx';
import { serviceAnswers } from './service-answers.ts';
import { StepHead } from './step-head.tsx';
import { splitWords } from './words.ts';

/**
 * Step 1 for an existing wallet: its words. The field keeps them out of everything that the browser saves. `onWords`
 * receives valid words, and whether the service answers: it is queried while they are being typed.
 */
export function RestoreStep({
  onWords,
  onBack,
}: {
  onWords: (words: string, service: boolean) => void;
  onBack: () => void;
}) {
  const [typed, setTyped] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const words = splitWords(typed);
  const [service] = useState(serviceAnswers);
  const check = useAction(async () => {
    const complaint =
      shapeComplaint(words) ??
      ((await call('vault/check-words', { words: words.join(' ') })).valid ? null : t.restore.invalid);
    if (complaint === null) return onWords(words.join(' '), await service);
    input.current?.focus();
    throw new ServiceError('invalid-words', { message: complaint });
  });
  // After the title, which the step gives the focus first: a reader hears both.
  useLayoutEffect(() => input.current?.focus(), []);
  const invalid = check.error?.code === 'invalid-words' ? check.error.message : null;
  return (
    <>
      <StepHead title={t.restore.title} lead={t.restore.lead} />
      <form
        class="stack"
        autocomplete="off"
        onSubmit={(event) => {
          event.preventDefault();
          void check.run();
        }}
      >
        <SecretField
          inputRef={input}
          label={t.restore.label}
          value={typed}
          hint={t.restore.count(words.length)}
          error={invalid}
          reveal={(value) => <WordCells words={splitWords(value)} />}
          onInput={(value) => {
            setTyped(value);
            check.clear();
          }}
        />
        {!invalid && <ErrorNote error={check.error} />}
        <button class="button button-primary button-block" disabled={words.length === 0} aria-busy={check.busy}>
          {check.busy ? t.restore.service : t.restore.check}
        </button>
        <button type="button" class="button button-block" onClick={onBack}>
          {texts.back}
        </button>
      </form>
    </>
  );
}

/** What is wrong as far as it shows without the dictionary, or null. */
function shapeComplaint(words: string[]): string | null {
  const odd = words.find((word) => !/^[a-z]{3,8}$/.test(word));
  if (odd !== undefined) return t.restore.odd(odd.slice(0, 20));
  return words.length === 12 || words.length === 24 ? null : t.restore.wrongCount(words.length);
}
