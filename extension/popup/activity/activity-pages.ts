/** The activity's rows in a window, read page by page. Updates don't lose older pages. */
import { signal } from '@preact/signals';
import type { ServiceError } from '../../../protocol/errors/service-error.ts';
import type { ActivityFilter, ActivityItem, ActivityPage } from '../../../protocol/messages/wallet-messages.ts';
import { call } from '../../ui/window/call.ts';
import { asServiceError } from '../../ui/window/use-action.ts';

const PAGE = 20;
const MAX_ROWS_PER_RESPONSE = 100;

/**
 * The rows read so far. `before` is the start of the next page, null at the end. `searchedTo` is the position that an
 * unfinished search has reached.
 */
export type Rows = Pick<ActivityPage<ActivityItem>, 'items' | 'before' | 'searchedTo'>;

export type ActivityPages = ReturnType<typeof createPages>;

/** Creates the pages for a filter. Doesn't read anything until requested. */
export function createPages(filter: ActivityFilter) {
  const rows = signal<Rows | null>(null);
  const looking = signal(false);
  const problem = signal<ServiceError | null>(null);
  let wanted = 0;

  /** Reads the newest rows again, and preserves older rows. */
  async function read(): Promise<void> {
    const limit = Math.min(MAX_ROWS_PER_RESPONSE, Math.max(PAGE, rows.value?.items.length ?? 0));
    const { items, before, searchedTo } = await call('activity/list', { ...filter, limit });
    rows.value = joined({ items, before, searchedTo }, rows.value);
  }

  /** Reads until another page is full, the end is reached or {@link stop} is called. */
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
        if (now === null && at !== null) return; // The wallet was locked during the call.
        if (now?.before !== at?.before) continue; // New rows changed the end of the list, so this page is read again.
        rows.value = { items: [...(now?.items ?? []), ...items], before, searchedTo };
        wanted = Math.max(0, wanted - items.length);
      }
    } catch (error) {
      problem.value = asServiceError(error);
    } finally {
      looking.value = false;
    }
  }

  function stop(): void {
    wanted = 0;
  }

  return { filter, rows, looking, problem, read, more, stop };
}

/** Joins the newest rows, which were just read, with the older rows that are already shown. */
function joined(newest: Rows, shown: Rows | null): Rows {
  const { before } = newest;
  if (shown === null || before === null || (shown.before !== null && !isBeyond(placeOf(shown.before), before)))
    return newest;
  return { ...shown, items: [...newest.items, ...shown.items.filter((item) => isBeyond(item, before))] };
}

type RowPosition = Pick<ActivityItem, 'time' | 'id'>;

function placeOf(text: string): RowPosition {
  const slash = text.indexOf('/');
  return { time: Number(text.slice(0, slash)), id: text.slice(slash + 1) };
}

/** True if a row is below a position in the list. Rows with the same time are in descending order of ID. */
function isBeyond(row: RowPosition, place: string): boolean {
  const { time, id } = placeOf(place);
  return row.time < time || (row.time === time && row.id < id);
}
