import { meaningOf, type ServiceError } from '../../../protocol/errors/service-error.ts';
import { ErrorNote } from '../../ui/controls/error-note.tsx';
import { ignoreHeldKeys } from '../../ui/window/shortcuts.ts';

interface ReviewActionsProps {
  send: { run: () => Promise<unknown>; busy: boolean; error: ServiceError | null };
  /** True if the quote has changed since the user last pressed the button. */
  changed: boolean;
  label: string;
  texts: Record<'changed' | 'unmoved' | 'unknown' | 'back' | 'paying', string>;
  onBack: () => void;
}

/** Shows the lower part of a review: errors, a note about changes, and the buttons. */
export function ReviewActions({ send, changed, label, texts: t, onBack }: ReviewActionsProps) {
  const tooSoon = send.error?.code === 'too-soon';
  return (
    <>
      {changed && send.error === null && (
        <p class="banner banner-warning" role="alert">
          {t.changed}
        </p>
      )}
      <ErrorNote error={send.error} kind={tooSoon ? 'warning' : 'danger'}>
        {send.error !== null && !tooSoon && !meaningOf(send.error.code).saysMoved && (
          <p class="small">{meaningOf(send.error.code).moved === 'no' ? t.unmoved : t.unknown}</p>
        )}
      </ErrorNote>
      <div class="send-actions send-actions-two">
        <button type="button" class="button button-quiet" onClick={onBack}>
          {t.back}
        </button>
        <button
          type="button"
          class="button button-primary"
          data-action="send"
          aria-busy={send.busy}
          onKeyDown={ignoreHeldKeys}
          onClick={() => void send.run()}
        >
          {send.busy ? t.paying : label}
        </button>
      </div>
    </>
  );
}
