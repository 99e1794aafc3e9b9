import { useEffect, useState } from 'preact/hooks';
import type { Overview } from '../../../protocol/messages/wallet-messages.ts';
import { BigAmount } from '../../ui/amounts/amount.tsx';
import { call } from '../../ui/window/call.ts';
import { ErrorNote } from '../../ui/controls/error-note.tsx';
import { SecretField } from '../../ui/secrets/secret-field.tsx';
import { settingsTexts } from '../../ui/texts/texts.ts';
import { forgetWindowMemory } from '../../ui/window/theme.ts';
import { useAction } from '../../ui/window/use-action.ts';
import { PageHead } from '../page-head.tsx';
import { TypedWord } from './typed-word.tsx';
import { Unsent } from './unsent.tsx';

const t = settingsTexts.remove;

/**
 * Removes the wallet from this browser after explaining the consequences. Without an `overview`, the user has forgotten
 * the password of the locked wallet, and confirms by typing a word instead.
 */
export function RemovePage({ overview, onBack }: { overview?: Overview; onBack: () => void }) {
  const [left, setLeft] = useState<number | null>(null);
  const send = useAction(async () => setLeft((await call('vault/send-unsent', {})).left));
  useEffect(() => void send.run(), []);
  return (
    <section class="popup-page arrive">
      <PageHead title={overview ? t.title : t.forgotTitle} onBack={onBack} />
      <p>{overview ? t.lead : t.forgotLead}</p>
      {overview && overview.satoshis !== '0' && (
        <div class="well">
          <p class="small muted">{t.holds}</p>
          <BigAmount satoshis={BigInt(overview.satoshis)} rate={overview.rate} />
        </div>
      )}
      <div class="banner banner-danger">
        <ul class="plain-list">
          {t.facts.map((fact) => (
            <li key={fact}>{fact}</li>
          ))}
        </ul>
      </div>
      <Unsent left={left} send={send} />
      <Decision forgotten={overview === undefined} left={left ?? 0} ready={!send.busy} onMoreLeft={() => send.run()} />
    </section>
  );
}

interface DecisionProps {
  forgotten: boolean;
  /** Number of payments that would be abandoned. */
  left: number;
  ready: boolean;
  onMoreLeft: () => void;
}

function Decision({ forgotten, left, ready, onMoreLeft }: DecisionProps) {
  const [haveWords, setHaveWords] = useState(false);
  const [givesUp, setGivesUp] = useState(0);
  const [password, setPassword] = useState('');
  const [word, setWord] = useState('');
  const remove = useAction(async () => {
    try {
      await call('vault/remove', { password: forgotten ? null : password, leaving: left });
    } catch (error) {
      onMoreLeft(); // A payment may have been signed in the meantime.
      throw error;
    }
    // The background notifies all windows and opens the onboarding in a tab.
    forgetWindowMemory();
  });
  const wrong = remove.error?.code === 'wrong-password' ? remove.error.message : null;
  const meant = forgotten ? word.trim().toLowerCase() === t.word.toLowerCase() : password !== '';
  return (
    <form
      class="stack"
      autocomplete="off"
      onSubmit={(event) => {
        event.preventDefault();
        void remove.run();
      }}
    >
      <label class="choice">
        <input type="checkbox" checked={haveWords} onChange={(event) => setHaveWords(event.currentTarget.checked)} />
        <span class="choice-text">{t.haveWords}</span>
      </label>
      {left > 0 && (
        <label class="choice">
          <input
            type="checkbox"
            checked={givesUp === left}
            onChange={(event) => setGivesUp(event.currentTarget.checked ? left : 0)}
          />
          <span class="choice-text">{t.give({ n: left })}</span>
        </label>
      )}
      {forgotten ? (
        <TypedWord label={t.typeWord({ word: t.word })} value={word} onInput={setWord} />
      ) : (
        <SecretField
          label={t.password}
          value={password}
          error={wrong}
          onInput={(value) => {
            setPassword(value);
            remove.clear();
          }}
        />
      )}
      {!wrong && <ErrorNote error={remove.error} />}
      <button
        type="submit"
        class="button button-danger button-block"
        disabled={!ready || !haveWords || (left > 0 && givesUp !== left) || !meant}
        aria-busy={remove.busy}
      >
        {remove.busy ? t.removing : t.confirm}
      </button>
    </form>
  );
}
