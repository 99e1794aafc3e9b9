import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { call } from '../../ui/window/call.ts';
import { ErrorNote } from '../../ui/controls/error-note.tsx';
import { useNewPassword } from '../../ui/secrets/new-password.tsx';
import { SecretField } from '../../ui/secrets/secret-field.tsx';
import { settingsTexts, texts } from '../../ui/texts/texts.ts';
import { useAction } from '../../ui/window/use-action.ts';
import { PageHead } from '../page-head.tsx';

const t = settingsTexts.password;

/** Changes the password. The wallet stays unlocked. */
export function ChangePasswordPage({ onBack }: { onBack: () => void }) {
  const [done, setDone] = useState(false);
  return (
    <section class="popup-page arrive">
      <PageHead title={t.title} onBack={onBack} />
      {done ? (
        <>
          <p class="banner banner-success" role="status">
            {t.done}
          </p>
          <button type="button" class="button button-primary button-block" onClick={onBack}>
            {texts.back}
          </button>
        </>
      ) : (
        <Form onDone={() => setDone(true)} />
      )}
    </section>
  );
}

function Form({ onDone }: { onDone: () => void }) {
  const [now, setNow] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const change = useAction(async () => {
    if (!(await next.accepted())) return;
    try {
      await call('vault/change-password', { password: now, newPassword: next.value });
    } catch (error) {
      input.current?.focus();
      throw error;
    }
    onDone();
  });
  const said = change.error?.code;
  const next = useNewPassword({ label: t.next, refused: said === 'weak-password', onChange: change.clear });
  useLayoutEffect(() => input.current?.focus(), []);
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void change.run();
      }}
    >
      <p class="muted">{t.lead}</p>
      <SecretField
        inputRef={input}
        label={t.now}
        autocomplete="current-password"
        value={now}
        error={said === 'wrong-password' ? (change.error?.message ?? null) : null}
        onInput={(value) => {
          setNow(value);
          change.clear();
        }}
      />
      {next.fields}
      {said !== 'wrong-password' && said !== 'weak-password' && <ErrorNote error={change.error} />}
      <button
        type="submit"
        class="button button-primary button-block"
        disabled={now === '' || !next.complete}
        aria-busy={change.busy}
      >
        {change.busy ? t.changing : t.change}
      </button>
    </form>
  );
}
