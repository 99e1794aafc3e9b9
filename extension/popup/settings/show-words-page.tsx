import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { call } from '../../ui/window/call.ts';
import { ErrorNote } from '../../ui/controls/error-note.tsx';
import { EyeOffIcon, WarningIcon } from '../../ui/controls/icons.tsx';
import { SecretField } from '../../ui/secrets/secret-field.tsx';
import { secretTexts, settingsTexts } from '../../ui/texts/texts.ts';
import { useAction } from '../../ui/window/use-action.ts';
import { WordCells } from '../../ui/secrets/word-cells.tsx';
import { PageHead } from '../page-head.tsx';

const t = settingsTexts.words;

/** How long the words are shown (milliseconds). */
export const SHOWN_MS = 60_000;

/** Shows the recovery words after the password is entered, for at most a minute and only while the page is visible. */
export function ShowWordsPage({ onBack }: { onBack: () => void }) {
  const [words, setWords] = useState<string[] | null>(null);
  const [wereShown, setWereShown] = useState(false);
  const hide = () => setWords(null);
  return (
    <section class="popup-page arrive">
      <PageHead title={t.title} onBack={onBack} />
      {words === null ? (
        <AskPassword
          note={wereShown ? t.hidden : null}
          onWords={(shown) => {
            setWords(shown);
            setWereShown(true);
          }}
        />
      ) : (
        <Shown words={words} onHide={hide} />
      )}
    </section>
  );
}

function AskPassword({ note, onWords }: { note: string | null; onWords: (words: string[]) => void }) {
  const [password, setPassword] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const left = useRef(false);
  const show = useAction(async () => {
    try {
      const { words } = await call('vault/show-words', { password });
      setPassword('');
      // If the user left the page during the password check, the words stay hidden.
      if (!left.current && document.visibilityState === 'visible') onWords(words.split(' '));
    } catch (error) {
      input.current?.focus();
      input.current?.select();
      throw error;
    }
  });
  useEffect(() => () => void (left.current = true), []);
  const wrong = show.error?.code === 'wrong-password' ? show.error.message : null;
  return (
    <form
      class="stack"
      autocomplete="off"
      onSubmit={(event) => {
        event.preventDefault();
        if (password !== '') void show.run();
      }}
    >
      <p class="small muted" role="status">
        {note}
      </p>
      <div class="banner banner-warning">
        <p class="banner-title notice">
          <WarningIcon size={18} />
          {t.warning}
        </p>
        <ul class="plain-list small">
          {t.rules.map((rule) => (
            <li key={rule}>{rule}</li>
          ))}
        </ul>
      </div>
      <SecretField
        inputRef={input}
        label={t.password}
        value={password}
        error={wrong}
        onInput={(value) => {
          setPassword(value);
          show.clear();
        }}
      />
      {!wrong && <ErrorNote error={show.error} />}
      <button type="submit" class="button button-primary button-block" disabled={password === ''} aria-busy={show.busy}>
        {show.busy ? settingsTexts.busy : t.show}
      </button>
    </form>
  );
}

function Shown({ words, onHide }: { words: readonly string[]; onHide: () => void }) {
  const list = useRef<HTMLDivElement>(null);
  // A layout effect, not a passive one, because the page can become hidden before its first frame.
  useLayoutEffect(() => {
    list.current?.focus();
    const timer = setTimeout(onHide, SHOWN_MS);
    const leave = () => document.visibilityState === 'hidden' && onHide();
    document.addEventListener('visibilitychange', leave);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', leave);
    };
  }, []);
  return (
    <>
      <p class="small muted">{t.shown}</p>
      <div class="well" ref={list} tabIndex={-1}>
        <WordCells words={words} label={secretTexts.words.list} />
      </div>
      <button type="button" class="button button-quiet button-block" onClick={onHide}>
        <EyeOffIcon size={18} />
        {secretTexts.words.hide}
      </button>
    </>
  );
}
