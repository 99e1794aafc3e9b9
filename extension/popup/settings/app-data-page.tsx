import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { PRODUCT_NAME } from '../../../protocol/text/product.ts';
import type { AppDataView } from '../../../protocol/messages/wallet-messages.ts';
import { call, onChanges } from '../../ui/window/call.ts';
import { ErrorNote } from '../../ui/controls/error-note.tsx';
import { formatCount, formatDate } from '../../ui/amounts/format.ts';
import { appDataTexts as t } from '../../ui/texts/texts.ts';
import { errorText } from '../../ui/error-text.ts';
import { useAction } from '../../ui/window/use-action.ts';
import { PageHead } from '../page-head.tsx';

/** Returns where application data is stored outside this browser, or null until known. */
export function useAppData(): AppDataView | null {
  const [view, setView] = useState<AppDataView | null>(null);
  const read = useCallback(() => void call('app-data/read', {}).then(setView, () => undefined), []);
  useEffect(read, [read]);
  useEffect(() => onChanges(read), [read]);
  return view;
}

export function appDataRow(view: AppDataView | null): string {
  if (view === null) return '';
  if (view.damaged || view.trouble !== null) return t.rowTrouble;
  return { service: t.rowService, file: t.rowFile, nowhere: t.rowNowhere }[view.kept];
}

/** Shows where application data is stored. Lets the user export it to a file or import it from one. */
export function AppDataPage({ onBack, onAccount }: { onBack: () => void; onAccount: () => void }) {
  const view = useAppData();
  return (
    <section class="popup-page arrive">
      <PageHead title={t.title} onBack={onBack} />
      <p class="muted">{t.lead}</p>
      {view && <Kept view={view} onAccount={onAccount} />}
      <section class="stack" aria-labelledby="app-data-file">
        <div>
          <h2 class="subheading" id="app-data-file">
            {t.fileTitle}
          </h2>
          <p class="small muted">{t.fileNote}</p>
        </div>
        <SaveFile />
        <RestoreFile />
      </section>
    </section>
  );
}

function Kept({ view, onAccount }: { view: AppDataView; onAccount: () => void }) {
  const { kept, damaged, trouble, unsent, unapplied, exportedAt } = view;
  const again = useAction(async () => void (await call('app-data/save-again', {})));
  return (
    <div class="stack" data-kept={kept}>
      {kept === 'service' && <p>{t.service}</p>}
      {kept === 'file' && exportedAt !== null && <p>{t.file({ date: formatDate(exportedAt) })}</p>}
      {kept === 'nowhere' && (
        <div class="banner banner-info stack stack-tight">
          <p>{t.nowhere}</p>
          <p>
            <button type="button" class="link" data-action="account" onClick={onAccount}>
              {t.addAccount}
            </button>
          </p>
        </div>
      )}
      {damaged && (
        <div class="banner banner-warning stack stack-tight">
          <p>{t.damaged}</p>
          <p>{t.saveAgainNote}</p>
          <p>
            <button
              type="button"
              class="button button-quiet button-small"
              data-action="save-again"
              aria-busy={again.busy}
              onClick={() => again.run()}
            >
              {t.saveAgain}
            </button>
          </p>
        </div>
      )}
      <ErrorNote error={again.error} />
      {kept === 'service' && trouble !== null && <p class="banner banner-warning">{errorText({ code: trouble })}</p>}
      {unsent > 0 && <p class="small muted">{t.unsent({ count: formatCount(unsent) })}</p>}
      {unapplied > 0 && <p class="small muted">{t.unapplied({ count: formatCount(unapplied) })}</p>}
    </div>
  );
}

function SaveFile() {
  const [url, setUrl] = useState<string | null>(null);
  const link = useRef<HTMLAnchorElement>(null);
  const save = useAction(async () => {
    const { file } = await call('app-data/export', {});
    setUrl(URL.createObjectURL(new Blob([file], { type: 'application/json' })));
  });
  useEffect(() => {
    if (url === null) return undefined;
    link.current?.click();
    return () => URL.revokeObjectURL(url);
  }, [url]);
  return (
    <div class="stack stack-tight">
      <ErrorNote error={save.error} />
      <div role="status">{url !== null && <p class="banner banner-success">{t.saved}</p>}</div>
      {url === null ? (
        <button
          type="button"
          class="button button-primary button-block"
          data-action="save-file"
          aria-busy={save.busy}
          onClick={() => save.run()}
        >
          {t.saveFile}
        </button>
      ) : (
        <a ref={link} class="button button-quiet button-block" href={url} download={fileName()}>
          {t.saveFileAgain}
        </a>
      )}
    </div>
  );
}

/** Returns `service-button-app-data.json`. */
const fileName = () => `${PRODUCT_NAME.toLowerCase().replaceAll(/\s+/g, '-')}-app-data.json`;

function RestoreFile() {
  const [done, setDone] = useState<number | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const restore = useAction(async (file: File) => {
    setDone(null);
    setDone((await call('app-data/restore', { file: await file.text() })).entries);
  });
  return (
    <div class="stack stack-tight">
      <ErrorNote error={restore.error} />
      <div role="status">
        {done !== null && (
          <p class="banner banner-success">{done === 0 ? t.restoredNone : t.restored({ count: formatCount(done) })}</p>
        )}
      </div>
      <input
        ref={input}
        type="file"
        accept="application/json,.json"
        class="visually-hidden"
        tabIndex={-1}
        aria-label={t.restoreFile}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          currentTarget.value = '';
          if (file) void restore.run(file);
        }}
      />
      <button
        type="button"
        class="button button-quiet button-block"
        data-action="restore-file"
        aria-busy={restore.busy}
        onClick={() => input.current?.click()}
      >
        {t.restoreFile}
      </button>
    </div>
  );
}
