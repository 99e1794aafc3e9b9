import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { call } from '../ui/window/call.ts';
import { ErrorNote } from '../ui/controls/error-note.tsx';
import { Mark } from '../ui/controls/icons.tsx';
import { PasskeyButton } from '../ui/secrets/passkey-button.tsx';
import { SecretField } from '../ui/secrets/secret-field.tsx';
import { settingsTexts, texts } from '../ui/texts/texts.ts';
import { useAction } from '../ui/window/use-action.ts';
import { RemovePage } from './settings/remove-page.tsx';

/** Shows the password form of a locked wallet. */
export function Unlock({ onUnlocked }: { onUnlocked: () => Promise<void> }) {
  const [forgotten, setForgotten] = useState(false);
  if (forgotten)
    return (
      <main class="popup-alone">
        <RemovePage onBack={() => setForgotten(false)} />
      </main>
    );
  return <AskPassword onUnlocked={onUnlocked} onForgotten={() => setForgotten(true)} />;
}

function AskPassword({ onUnlocked, onForgotten }: { onUnlocked: () => Promise<void>; onForgotten: () => void }) {
  const [password, setPassword] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const unlock = useAction(async () => {
    try {
      await call('vault/unlock', { password });
    } catch (error) {
      // Selects the typed password so that typing replaces it.
      input.current?.focus();
      input.current?.select();
      throw error;
    }
    setPassword('');
    await onUnlocked();
  });
  useLayoutEffect(() => input.current?.focus(), []);
  const wrong = unlock.error?.code === 'wrong-password' ? unlock.error.message : null;
  return (
    <main class="popup-middle">
      <Mark size={56} />
      <h1 class="title">{texts.unlock.title}</h1>
      <form
        class="stack popup-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (password !== '') void unlock.run();
        }}
      >
        <SecretField
          inputRef={input}
          label={texts.password}
          autocomplete="current-password"
          value={password}
          error={wrong}
          onInput={(value) => {
            setPassword(value);
            unlock.clear();
          }}
        />
        {!wrong && <ErrorNote error={unlock.error} />}
        <button
          type="submit"
          class="button button-primary button-block"
          disabled={password === ''}
          aria-busy={unlock.busy}
        >
          {unlock.busy ? texts.unlock.busy : texts.unlock.button}
        </button>
        <PasskeyButton onUnlocked={onUnlocked} />
        <button type="button" class="link small centred" onClick={onForgotten}>
          {settingsTexts.remove.forgot}
        </button>
      </form>
    </main>
  );
}
