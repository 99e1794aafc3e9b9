/** Exports the activity to a file. Describes the file's contents, shows the progress, and can be stopped. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ActivityFilter } from '../../../protocol/messages/wallet-messages.ts';
import { ErrorNote } from '../../ui/controls/error-note.tsx';
import { formatCount, formatDate } from '../../ui/amounts/format.ts';
import { activityTexts as t } from '../../ui/texts/texts.ts';
import { useAction } from '../../ui/window/use-action.ts';
import { activityFile, fileName, type ExportProgress } from './activity-file.ts';

/** Shows the export. `searched` is true if the filter is a search, which exports only part of the activity. */
export function ActivityExport({
  filter,
  searched,
  isWhole,
  onClose,
}: {
  filter: ActivityFilter;
  searched: boolean;
  isWhole: boolean;
  onClose: () => void;
}) {
  const [progress, setProgress] = useState<ExportProgress | null>(null);
  const [done, setDone] = useState<{ rows: number; url: string | null } | null>(null);
  const wanted = useRef(true);
  const title = useRef<HTMLHeadingElement>(null);
  const link = useRef<HTMLAnchorElement>(null);
  const save = useAction(async () => {
    const file = await activityFile(filter, (now) => {
      if (wanted.current) setProgress(now);
      return wanted.current;
    }).finally(() => setProgress(null));
    if (file && wanted.current)
      setDone({ rows: file.rows, url: file.rows === 0 ? null : URL.createObjectURL(file.blob) });
  });
  useLayoutEffect(() => {
    title.current?.focus();
    return () => void (wanted.current = false);
  }, []);
  useEffect(() => {
    if (!done?.url) return undefined;
    const { url } = done;
    link.current?.click();
    return () => URL.revokeObjectURL(url);
  }, [done]);
  return (
    <section class="activity-export" aria-labelledby="activity-export">
      <h3 class="label" id="activity-export" tabIndex={-1} ref={title}>
        {t.exportTitle}
      </h3>
      {!done && (
        <p class="small muted">
          {searched ? t.exportFound : t.exportAll} {t.exportCare}
        </p>
      )}
      {!isWhole && <p class="small banner banner-info">{t.exportPart}</p>}
      <ErrorNote error={save.error} kind="warning" />
      <p class="small" role="status">
        {done ? doneText(done.rows) : progress && progressText(progress)}
      </p>
      <div class="cluster">
        {done?.url && (
          <a ref={link} class="button button-quiet button-small" href={done.url} download={fileName()}>
            {t.exportAgain}
          </a>
        )}
        {!done && (
          <button
            type="button"
            class="button button-primary button-small"
            data-action="save"
            aria-busy={save.busy}
            onClick={() => save.run()}
          >
            {t.exportSave}
          </button>
        )}
        <button type="button" class="button button-quiet button-small" data-action="close" onClick={onClose}>
          {done ? t.close : t.cancel}
        </button>
      </div>
    </section>
  );
}

function progressText({ rows, back }: ExportProgress): string {
  const count = formatCount(rows);
  return back === null ? t.exportProgress({ rows: count }) : t.exportBack({ rows: count, day: formatDate(back) });
}

function doneText(rows: number): string {
  if (rows === 0) return t.exportNone;
  return rows === 1 ? t.exportDoneOne : t.exportDone({ rows: formatCount(rows) });
}
