import { useId, useState } from 'preact/hooks';
import type { AssetsView } from '../../../protocol/messages/wallet-messages.ts';
import { call } from '../../ui/window/call.ts';
import { ErrorNote } from '../../ui/controls/error-note.tsx';
import { assetTexts as t } from '../../ui/texts/texts.ts';
import { useAction } from '../../ui/window/use-action.ts';

/** Lets users choose the ordinals index. Collapsed, because few users change it. */
export function IndexChoice({ index, onChosen }: { index: AssetsView['index']; onChosen: () => void }) {
  const id = useId();
  const [typed, setTyped] = useState(index.isChosen ? index.url : '');
  const save = useAction(async () => {
    await call('assets/index', { url: typed.trim() || null });
    onChosen();
  });
  return (
    <details class="request-amount">
      <summary class="small muted">{t.index}</summary>
      <form
        class="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void save.run();
        }}
      >
        <div class="field">
          <input
            class="input"
            type="url"
            autocomplete="off"
            spellcheck={false}
            maxLength={500}
            aria-label={t.index}
            aria-describedby={id}
            placeholder={index.url}
            value={typed}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
          <p class="hint" id={id}>
            {t.indexHint}
          </p>
        </div>
        <ErrorNote error={save.error} />
        <button type="submit" class="button button-quiet button-small" aria-busy={save.busy}>
          {t.save}
        </button>
      </form>
    </details>
  );
}
