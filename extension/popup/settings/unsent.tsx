/** Shows signed payments that the network hasn't accepted and that would be lost with the wallet. */
import { ErrorNote } from '../../ui/controls/error-note.tsx';
import { settingsTexts, texts } from '../../ui/texts/texts.ts';
import type { Action } from '../../ui/window/use-action.ts';

const t = settingsTexts.remove;

/**
 * Shows the payments and a button to broadcast them, or nothing if there are none. `left` is the number of payments, or
 * null while it is unknown.
 */
export function Unsent({ left, send }: { left: number | null; send: Action<[]> }) {
  if (left === null && send.error === null)
    return (
      <p class="row-start muted" role="status">
        <span class="spinner" />
        {t.sending}
      </p>
    );
  if (left === 0) return null;
  return (
    <>
      {left !== null && (
        <div class="banner banner-warning" role="alert">
          <p class="banner-title">{t.unsent({ n: left })}</p>
          <p>{t.unsentText}</p>
        </div>
      )}
      <ErrorNote error={send.error} kind="warning" />
      <button type="button" class="button button-quiet" aria-busy={send.busy} onClick={() => send.run()}>
        {left === null ? texts.tryAgain : t.again}
      </button>
    </>
  );
}
