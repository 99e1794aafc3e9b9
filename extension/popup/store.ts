/** What the popup shows, kept up to date with the background. */
import { batch, signal } from '@preact/signals';
import type { ServiceError } from '../../protocol/errors.ts';
import type { ActivityItem, Overview, Settings, SiteView, WalletResults } from '../../protocol/wallet-messages.ts';
import { call } from '../ui/call.ts';
import { onChanges } from '../ui/changes.ts';
import { asServiceError } from '../ui/use-action.ts';

/** How many activity rows one page holds. */
const PAGE = 20;

/** How often an open window looks for coins and confirmations (milliseconds). */
const LOOK_EVERY_MS = 10_000;

/** See {@link createStore}. */
export type Store = ReturnType<typeof createStore>;

/** Starts reading, and listens until `stop`. */
export function createStore() {
  const status = signal<WalletResults['vault/status'] | null>(null);
  const overview = signal<Overview | null>(null);
  const activity = signal<{ items: ActivityItem[]; more: boolean } | null>(null);
  const settings = signal<Settings | null>(null);
  const sites = signal<SiteView[] | null>(null);
  const error = signal<ServiceError | null>(null);
  let reading = false;
  let again = false;

  async function readOnce(): Promise<void> {
    const now = await call('vault/status', {});
    if (!now.exists || now.locked) {
      // Nothing of the open wallet stays in this window once it is locked.
      return batch(() => {
        status.value = now;
        overview.value = activity.value = sites.value = error.value = null;
      });
    }
    // As many rows as are on the screen already, so that news never shortens the list under a reader.
    const limit = Math.min(100, Math.max(PAGE, activity.value?.items.length ?? 0));
    const [view, list, chosen, known] = await Promise.all([
      call('wallet/overview', {}), call('activity/list', { limit }), call('settings/read', {}), call('sites/list', {}),
    ]);
    batch(() => {
      status.value = now;
      overview.value = view;
      activity.value = list;
      settings.value = chosen;
      sites.value = known.sites;
      error.value = null;
    });
  }

  /** Reads everything again. News during a read lead to one more, not to many. */
  async function read(): Promise<void> {
    if (reading) return void (again = true);
    reading = true;
    do {
      again = false;
      try {
        await readOnce();
      } catch (cause) {
        const failure = asServiceError(cause);
        const before = status.value;
        if (failure.code === 'wallet-locked' && before !== null && !before.locked) {
          // Locked between two questions: ask again from the start.
          status.value = { ...before, locked: true };
          again = true;
        } else {
          error.value = failure;
        }
      }
    } while (again);
    reading = false;
  }

  /** Rows before the last one shown. */
  async function readMore(): Promise<void> {
    const shown = activity.value?.items ?? [];
    const last = shown.at(-1);
    if (last === undefined) return;
    const next = await call('activity/list', { before: `${last.time}/${last.id}`, limit: PAGE });
    activity.value = { items: [...shown, ...next.items], more: next.more };
  }

  /** Looks for coins now. What it finds comes as a change; what stands in its way shows in the overview. */
  function refresh(): void {
    call('wallet/refresh', {}).catch(() => {});
  }

  const stopListening = onChanges(() => void read());
  const timer = setInterval(() => {
    if (overview.value !== null && document.visibilityState === 'visible') refresh();
  }, LOOK_EVERY_MS);
  const stop = () => {
    clearInterval(timer);
    stopListening();
  };
  const opened = read().then(() => {
    if (overview.value !== null) refresh();
  });
  return { status, overview, activity, settings, sites, error, read, readMore, refresh, opened, stop };
}
