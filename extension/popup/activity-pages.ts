/**
 * Rows of the activity as a window has them: read page by page, and kept up to date without losing what was read on.
 */
import { signal } from '@preact/signals';
import type { ServiceError } from '../../protocol/errors.ts';
import type { ActivityFilter, ActivityItem, ActivityPage } from '../../protocol/wallet-messages.ts';
import { call } from '../ui/call.ts';
import { asServiceError } from '../ui/use-action.ts';

/** How many rows one page holds. */
const PAGE = 20;
/** Most rows in one answer. */
const MOST = 100;

/**
 * Rows so far. `before` is where to read on, null at the end; `searchedTo` how far a search came that is not full yet.
 */
export type Rows = Pick<ActivityPage<ActivityItem>, 'items' | 'before' | 'searchedTo'>;

/** Rows that fit a filter, and how to read more of them. */
export type ActivityPages = ReturnType<typeof createPages>;

/** The rows that fit a filter. Nothing is read before it is asked for. */
export function createPages(filter: ActivityFilter) {
  const rows = signal<Rows | null>(null);
  /** More rows are being read. */
  const looking = signal(false);
  const problem = signal<ServiceError | null>(null);
  let wanted = 0;

  /** Reads the newest rows again. What was read beyond them stays. */
  async function read(): Promise<void> {
    const limit = Math.min(MOST, Math.max(PAGE, rows.value?.items.length ?? 0));
    const { items, before, searchedTo } = await call('activity/list', { ...filter, limit });
    rows.value = joined({ items, before, searchedTo }, rows.value);
  }

  /** Reads on until one more page is full, the end has come, or {@link stop} was called. */
  async function more(): Promise<void> {
    if (looking.value) return;
    looking.value = true;
    problem.value = null;
    wanted = PAGE;
    try {
      while (wanted > 0 && rows.value?.before !== null) {
        const at = rows.value;
        const { items, before, searchedTo } = await call('activity/list', {
          ...filter,
          ...(at && { before: at.before as string }),
          limit: wanted,
        });
        const now = rows.value;
        if (now === null && at !== null) return; // locked in the meantime
        if (now?.before !== at?.before) continue; // new rows moved the end
        rows.value = { items: [...(now?.items ?? []), ...items], before, searchedTo };
        wanted = Math.max(0, wanted - items.length);
      }
    } catch (error) {
      problem.value = asServiceError(error);
    } finally {
      looking.value = false;
    }
  }

  /** Stops reading after the request in progress. */
  function stop(): void {
    wanted = 0;
  }

  return { filter, rows, looking, problem, read, more, stop };
}

/** The newest rows as they are now, and behind them what was read before. */
function joined(newest: Rows, shown: Rows | null): Rows {
  const { before } = newest;
  if (shown === null || before === null || (shown.before !== null && !isBeyond(placeOf(shown.before), before)))
    return newest;
  return { ...shown, items: [...newest.items, ...shown.items.filter((item) => isBeyond(item, before))] };
}

type Place = Pick<ActivityItem, 'time' | 'id'>;

function placeOf(text: string): Place {
  const slash = text.indexOf('/');
  return { time: Number(text.slice(0, slash)), id: text.slice(slash + 1) };
}

/** Does a row come after a place? Of one time the greater id comes first. */
function isBeyond(row: Place, place: string): boolean {
  const { time, id } = placeOf(place);
  return row.time < time || (row.time === time && row.id < id);
}
