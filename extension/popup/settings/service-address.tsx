import { useId, useState } from 'preact/hooks';
import { ServiceError } from '../../../protocol/errors.ts';
import { ErrorNote } from '../../ui/error-note.tsx';
import { settingsTexts as t } from '../../ui/texts-settings.ts';
import { useAction } from '../../ui/use-action.ts';

/** The origin that was typed, or null. Only this computer may be reached without encryption. */
function typedOrigin(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const { protocol, hostname, pathname, search, hash, username, origin } = new URL(text);
  const local = protocol === 'http:' && ['localhost', '127.0.0.1'].includes(hostname);
  return (protocol === 'https:' || local) && pathname === '/' && search + hash + username === '' ? origin : null;
}

/** The server that keeps the account: an origin. Saved only by the button, because a half-typed address is invalid. */
export function ServiceAddress({ url, save }: { url: string; save: (url: string) => Promise<void> }) {
  const id = useId();
  const [text, setText] = useState(url);
  const [saved, setSaved] = useState(false);
  const action = useAction(async () => {
    const origin = typedOrigin(text.trim());
    if (origin === null) throw new ServiceError('invalid-request', { message: t.serviceBad });
    await save(origin);
    setText(origin);
    setSaved(true);
  });
  return (
    <form
      class="stack stack-tight"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void action.run();
      }}
    >
      <div class="field">
        <label class="label" for={id}>
          {t.service}
        </label>
        <input
          id={id}
          class="input"
          type="url"
          value={text}
          autocomplete="off"
          spellcheck={false}
          aria-describedby={`${id}-hint`}
          onInput={(event) => {
            setText(event.currentTarget.value);
            setSaved(false);
            action.clear();
          }}
        />
        <div class="hint" id={`${id}-hint`}>
          {t.serviceHint}
        </div>
      </div>
      <ErrorNote error={action.error} />
      <div class="row">
        <button class="button button-quiet button-small" disabled={text.trim() === url} aria-busy={action.busy}>
          {t.save}
        </button>
        <span class="small good" role="status">
          {saved ? t.saved : ''}
        </span>
      </div>
    </form>
  );
}
