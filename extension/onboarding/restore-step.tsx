import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { call } from '../ui/window/call.ts';
import { ErrorNote } from '../ui/controls/error-note.tsx';
import { locale } from '../ui/languages/language.ts';
import { SecretField } from '../ui/secrets/secret-field.tsx';
import { onboardingTexts as t, texts } from '../ui/texts/texts.ts';
import { useAction } from '../ui/window/use-action.ts';
import { WordCells } from '../ui/secrets/word-cells.tsx';
import { isServiceReachable } from './service-answers.ts';
import { StepHead } from './step-head.tsx';
import { clearClipboardLater, clearClipboardNow } from './clear-clipboard.ts';
import { isRecoveryWord, isPhraseLength, readWords, suggestions, tokensOf } from './read-words.ts';
import { languageOfWords } from './word-language.ts';

/**
 * Step 1 for an existing wallet: the recovery words, in a field that browsers don't save. `onWords` receives valid
 * words, and whether the service responds.
 */
export function RestoreStep({
  onWords,
  onBack,
}: {
  onWords: (words: string, service: boolean) => Promise<void>;
  onBack: () => void;
}) {
  const [typed, setTyped] = useState('');
  const [pasted, setPasted] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const words = readWords(typed);
  // The last word may be incomplete until another character follows.
  const finished = /[\p{L}\p{M}]$/u.test(typed) && !isPhraseLength(words.length) ? words.slice(0, -1) : words;
  const wrongAt = finished.findIndex((word) => !isRecoveryWord(word));
  // A user who presses Enter after each word might have 24 words, and isn't done at the twelfth.
  const separatesByEnter = useRef(false);
  const [service] = useState(isServiceReachable);
  const check = useAction(async () => {
    const complaint =
      (await complaintAbout(words, typed)) ??
      ((await call('vault/check-words', { words: words.join(' ') })).valid ? null : t.restore.invalid);
    if (complaint === null) clearClipboardNow();
    if (complaint === null) return onWords(words.join(' '), await service);
    input.current?.focus();
    throw new ServiceError('invalid-words', { message: complaint });
  });
  // Runs after StepHead has focused the title so that screen readers announce both the title and the field.
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
          hint={
            wrongAt >= 0 && !invalid
              ? `${t.restore.count({ n: words.length })}. ${t.restore.unknown({ n: wrongAt + 1 })}`
              : t.restore.count({ n: words.length })
          }
          error={invalid}
          reveal={() => (
            <>
              <WordCells words={words} isWrong={(word, i) => i < finished.length && !isRecoveryWord(word)} />
              <Suggested
                words={words}
                position={wrongAt >= 0 ? wrongAt : words.length - 1}
                onChoose={(all) => {
                  setTyped(`${all.join(' ')} `);
                  check.clear();
                  input.current?.focus();
                }}
              />
            </>
          )}
          onPaste={() => {
            clearClipboardLater();
            setPasted(true);
          }}
          onEnter={() => {
            const whole = isPhraseLength(words.length) && words.every(isRecoveryWord);
            if (whole && !separatesByEnter.current) return true;
            separatesByEnter.current = true;
            setTyped(`${typed.trimEnd()} `);
            return false;
          }}
          onInput={(value) => {
            setTyped(value);
            check.clear();
          }}
        />
        {pasted && <p class="small muted">{t.restore.pasted}</p>}
        {!invalid && <ErrorNote error={check.error} />}
        <button
          type="submit"
          class="button button-primary button-block"
          disabled={words.length === 0}
          aria-busy={check.busy}
        >
          {check.busy ? t.restore.service : t.restore.check}
        </button>
        <button type="button" class="button button-block" onClick={onBack}>
          {texts.back}
        </button>
      </form>
    </>
  );
}

/** Suggests corrections for the word at `position`. A click replaces the word. */
function Suggested({
  words,
  position,
  onChoose,
}: {
  words: readonly string[];
  position: number;
  onChoose: (words: string[]) => void;
}) {
  const word = words[position];
  const offered = word === undefined || isRecoveryWord(word) ? [] : suggestions(word);
  if (offered.length === 0) return null;
  return (
    <div
      class="row word-suggestions"
      role="group"
      aria-label={t.restore.suggested({ n: position + 1 })}
      translate={false}
    >
      {offered.map((one) => (
        <button type="button" class="button button-small" key={one} onClick={() => onChoose(words.with(position, one))}>
          {one}
        </button>
      ))}
    </div>
  );
}

/** Returns the first problem with the words, except a wrong checksum, or null if there is none. */
async function complaintAbout(words: readonly string[], typed: string): Promise<string | null> {
  const wrongAt = words.findIndex((word) => !isRecoveryWord(word));
  const language = wrongAt < 0 ? null : await languageOfWords(tokensOf(typed));
  if (language !== null)
    return t.restore.language({
      language: new Intl.DisplayNames(locale(), { type: 'language' }).of(language) ?? language,
    });
  const odd = words.find((word) => !/^[a-z]+$/.test(word));
  if (odd !== undefined) return t.restore.odd({ word: odd.slice(0, 20) });
  if (!isPhraseLength(words.length)) return t.restore.wrongCount({ n: words.length });
  return wrongAt < 0 ? null : t.restore.unknown({ n: wrongAt + 1 });
}
