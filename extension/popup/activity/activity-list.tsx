import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Network } from '../../../protocol/bitcoin/address.ts';
import type { Rate } from '../../../protocol/messages/wallet-messages.ts';
import { ErrorNote } from '../../ui/controls/error-note.tsx';
import { formatDate } from '../../ui/amounts/format.ts';
import { DownloadIcon, SearchIcon } from '../../ui/controls/icons.tsx';
import { moveFocus, useShortcut } from '../../ui/window/shortcuts.ts';
import { activityTexts as t, texts } from '../../ui/texts/texts.ts';
import { ActivityExport } from './activity-export.tsx';
import type { ActivityPages } from './activity-pages.ts';
import { ActivityRow } from './activity-row.tsx';
import { ActivitySearch } from './activity-search.tsx';
import type { Store } from '../popup-state.ts';
import './activity.css';

interface ActivityListProps {
  store: Store;
  rate: Rate | null;
  network: Network;
  /** True if a restored wallet's history has been read completely. */
  isWhole: boolean;
}

/** Shows all payments and receipts, newest first, with search and export. */
export function ActivityList({ store, rate, network, isWhole }: ActivityListProps) {
  const [searching, setSearching] = useState(false);
  const [exporting, setExporting] = useState(false);
  const searchButton = useRef<HTMLButtonElement>(null);
  const section = useRef<HTMLElement>(null);
  // Scrolls to the form, because the popup is only 600 pixels high and must also show the results.
  useLayoutEffect(() => {
    if (searching) section.current?.scrollIntoView({ block: 'start' });
  }, [searching]);
  useEffect(() => () => store.search(null), [store]);
  const found = store.found.value;
  const pages = found ?? store.all;
  const rows = pages.rows.value;
  useShortcut('search', () => {
    setSearching(true);
    document.querySelector<HTMLElement>('#activity-search input')?.focus(); // The form may already be open.
  });
  const closeSearch = () => {
    store.search(null);
    setSearching(false);
    searchButton.current?.focus();
  };
  return (
    <section ref={section} class={searching ? 'is-searching' : ''} aria-labelledby="activity">
      <div class="section-head row">
        <h2 class="subheading" id="activity">
          {texts.popup.activity}
        </h2>
        <div class="activity-tools">
          <button
            ref={searchButton}
            type="button"
            class="icon-button"
            aria-label={t.search}
            title={t.search}
            aria-expanded={searching}
            onClick={() => (searching ? closeSearch() : setSearching(true))}
          >
            <SearchIcon />
          </button>
          <button
            type="button"
            class="icon-button"
            aria-label={t.export}
            title={t.export}
            aria-expanded={exporting}
            onClick={() => setExporting(!exporting)}
          >
            <DownloadIcon />
          </button>
        </div>
      </div>
      {searching && <ActivitySearch onFilter={store.search} onClose={closeSearch} />}
      {exporting && (
        <ActivityExport
          key={JSON.stringify(pages.filter)}
          filter={pages.filter}
          searched={found !== null}
          isWhole={isWhole}
          onClose={() => setExporting(false)}
        />
      )}
      {found && (
        <p class="small muted activity-count" role="status">
          {countOf(found)}
        </p>
      )}
      {rows && <Rows items={rows.items} rate={rate} network={network} />}
      {rows &&
        rows.items.length === 0 &&
        rows.before === null &&
        (found ? (
          <div class="empty">
            <p>{t.nothingFits}</p>
            <button type="button" class="button button-quiet button-small" onClick={closeSearch}>
              {t.clear}
            </button>
          </div>
        ) : (
          <p class="empty">{t.none}</p>
        ))}
      <ReadOn pages={pages} />
    </section>
  );
}

function countOf({ rows, looking }: ActivityPages): string {
  const shown = rows.value?.items.length ?? 0;
  if (rows.value === null) return looking.value ? t.searching : '';
  return rows.value.before === null ? t.found({ n: shown }) : t.foundSoFar({ n: shown });
}

function Rows({
  items,
  rate,
  network,
}: Omit<ActivityListProps, 'store' | 'isWhole'> & { items: NonNullable<ActivityPages['rows']['value']>['items'] }) {
  const now = useMinutes();
  return (
    <ul class="list" onKeyDown={(event) => moveFocus(event, 'summary', 'list')}>
      {items.map((item) => (
        <ActivityRow key={item.id} item={item} rate={rate} network={network} now={now} />
      ))}
    </ul>
  );
}

/** Shows either the progress of a long search and a stop button, or a button for more rows. */
function ReadOn({ pages: { rows, looking, problem, more, stop } }: { pages: ActivityPages }) {
  const { before = null, searchedTo = null } = rows.value ?? {};
  return (
    <div class="activity-read-on">
      <ErrorNote error={problem.value} kind="warning" />
      {searchedTo !== null && (
        <p class="small muted row">
          <span>
            {t.lookedBackTo({ day: formatDate(searchedTo) })}
            {looking.value && ' …'}
          </span>
        </p>
      )}
      {looking.value && searchedTo !== null && (
        <button type="button" class="button button-quiet button-block" data-action="stop" onClick={stop}>
          <span class="spinner" />
          {t.stop}
        </button>
      )}
      {before !== null && !(looking.value && searchedTo !== null) && (
        <button
          type="button"
          class="button button-quiet button-block"
          data-action="more"
          aria-busy={looking.value}
          onClick={() => void more()}
        >
          {searchedTo === null ? t.more : t.lookFurther}
        </button>
      )}
      {before === null && problem.value && (
        <button type="button" class="button button-quiet button-block" data-action="more" onClick={() => void more()}>
          {texts.tryAgain}
        </button>
      )}
    </div>
  );
}

/** Returns the time (milliseconds since 1970), updated every 30 seconds so that "2 minutes ago" stays correct. */
function useMinutes(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  return Math.max(now, Date.now());
}
