import { useEffect, useState } from 'preact/hooks';
import type { Connection } from '../../../protocol/http/api-v2.ts';
import { call } from '../../ui/window/call.ts';
import { ErrorNote } from '../../ui/controls/error-note.tsx';
import { formatDate, visible } from '../../ui/amounts/format.ts';
import { hostOf } from '../../ui/sites/origin.ts';
import { quoted } from '../../ui/controls/quoted.ts';
import { connectedTexts as t, texts } from '../../ui/texts/texts.ts';
import { useAction } from '../../ui/window/use-action.ts';
import { PageHead } from '../page-head.tsx';

/** Lists the applications that have access to the account, with their scopes. Users can revoke access. */
export function ConnectedPage({ onBack }: { onBack: () => void }) {
  const [connections, setConnections] = useState<Connection[] | null>(null);
  const [note, setNote] = useState<string | null>(null);
  const read = useAction(async () => setConnections((await call('connections/list', {})).connections));
  const remove = useAction(async ({ id, name }: Connection) => {
    setNote(null);
    await call('connections/remove', { id });
    setNote(t.removed({ name: quoted(name) }));
    setConnections((shown) => shown?.filter((one) => one.id !== id) ?? null);
  });
  useEffect(() => void read.run(), []);
  return (
    <section class="popup-page arrive">
      <PageHead title={t.title} onBack={onBack} />
      <p class="muted">{connections?.length === 0 ? t.none : t.lead}</p>
      <div role="status">{note && <p class="banner banner-success">{note}</p>}</div>
      <ErrorNote error={read.error} kind="warning">
        <button type="button" class="button button-quiet button-small" onClick={() => void read.run()}>
          {texts.tryAgain}
        </button>
      </ErrorNote>
      {read.busy && <span class="spinner" role="status" aria-label={texts.loading} />}
      {connections !== null && connections.length > 0 && (
        <ul class="stack">
          {connections.map((connection) => (
            <Card
              key={connection.id}
              connection={connection}
              busy={remove.busy}
              onRemove={() => void remove.run(connection)}
            />
          ))}
        </ul>
      )}
      <ErrorNote error={remove.error} />
    </section>
  );
}

const takeFocus = (element: HTMLElement | null) => element?.focus();

/** Shows an application and its button to revoke access. The first click only explains the consequences. */
function Card({
  connection: { id, name, url, since, scopes },
  busy,
  onRemove,
}: {
  connection: Connection;
  busy: boolean;
  onRemove: () => void;
}) {
  const [at, setAt] = useState<'listed' | 'removing' | 'kept'>('listed');
  return (
    <li class="card stack stack-tight" data-connection={id}>
      <div>
        <p class="anywhere">
          <strong>{quoted(name)}</strong>
        </p>
        <p class="small anywhere">
          <bdi dir="ltr">{hostOf(visible(url))}</bdi>
        </p>
        <p class="small muted">{t.since({ date: formatDate(Date.parse(since)) })}</p>
      </div>
      <div class="small">
        <p>{t.may}</p>
        <ul class="connected-scopes">
          {scopes.map((scope) => (
            <li key={scope}>
              {Object.hasOwn(t.scopes, scope) ? t.scopes[scope as keyof typeof t.scopes] : visible(scope)}
            </li>
          ))}
        </ul>
        <p class="muted">{t.never}</p>
      </div>
      {at === 'removing' ? (
        <div class="cluster">
          <button
            type="button"
            class="button button-danger button-small"
            data-action="remove-sure"
            aria-label={`${t.removeSure}: ${quoted(name)}`}
            aria-busy={busy}
            ref={takeFocus}
            onClick={onRemove}
          >
            {t.removeSure}
          </button>
          <button type="button" class="button button-quiet button-small" onClick={() => setAt('kept')}>
            {t.keep}
          </button>
        </div>
      ) : (
        <div>
          <button
            type="button"
            class="button button-quiet button-small"
            data-action="remove"
            aria-label={t.removeLabel({ name: quoted(name) })}
            ref={at === 'kept' ? takeFocus : null}
            onClick={() => setAt('removing')}
          >
            {t.remove}
          </button>
        </div>
      )}
    </li>
  );
}
