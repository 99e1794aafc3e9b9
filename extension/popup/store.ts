/** What the popup shows, kept up to date with the background. */
import { batch, computed, effect, signal } from '@preact/signals';
import type { ServiceError } from '../../protocol/errors.ts';
import type { ActivityFilter, Overview, Settings, SiteView, WalletResults } from '../../protocol/wallet-messages.ts';
import { call } from '../ui/call.ts';
import { onChanges } from '../ui/changes.ts';
import { asServiceError } from '../ui/use-action.ts';
import { createPages, type ActivityPages } from './activity-pages.ts';
import { readFirstView } from './first-view.ts';

/** How often an open window checks for coins and confirmations (milliseconds). */
const LOOK_EVERY_MS = 10_000;
/**
 * How often an open window renews its request to be notified of arriving money at once (milliseconds): one request
 * lasts half a minute.
 */
const LISTEN_EVERY_MS = 20_000;

/** What the popup shows, as signals, and how to refresh it. */
export type Store = ReturnType<typeof createStore>;

/** Starts reading, and listens until `stop`. */
export function createStore() {
  const status = signal<WalletResults['vault/status'] | null>(null);
  const overview = signal<Overview | null>(null);
  const all = createPages({});
  const activity = all.rows;
  /** The rows that the user looks for; null while nothing is searched. */
  const found = signal<ActivityPages | null>(null);
  const settings = signal<Settings | null>(null);
  const sites = signal<SiteView[] | null>(null);
  const error = signal<ServiceError | null>(null);
  const opens = computed(() => overview.value !== null);
  let reading = false;
  let again = false;

  async function readOnce(): Promise<void> {
    const now = await call('vault/status', {});
    if (!now.exists || now.locked) {
      // Nothing of the open wallet stays in this window once it is locked.
      return batch(() => {
        status.value = now;
        overview.value = activity.value = sites.value = error.value = null;
        search(null);
      });
    }
    const [view, chosen, known] = await Promise.all([
      call('wallet/overview', {}),
      call('settings/read', {}),
      call('sites/list', {}),
      all.read(),
      found.value?.rows.value && found.value.read(),
    ]);
    batch(() => {
      status.value = now;
      overview.value = view;
      settings.value = chosen;
      sites.value = known.sites;
      error.value = null;
    });
  }

  /** Reads everything again. Changes during a read lead to one more read, not to many. */
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
          // Locked between two calls: start again.
          status.value = { ...before, locked: true };
          again = true;
        } else {
          error.value = failure;
        }
      }
    } while (again);
    reading = false;
  }

  /** Looks for rows that fit a filter, in place of any search before; null ends searching. */
  function search(filter: ActivityFilter | null): void {
    found.value?.stop();
    found.value = filter && createPages(filter);
    void found.value?.more();
  }

  /**
   * Looks for coins now, on all addresses or where they are likely. What it finds comes as a change; what stands in its
   * way shows in the overview.
   */
  function refresh(all = false): void {
    call('wallet/refresh', all ? { all } : {}).catch(() => {});
  }

  /** Requests to be notified of arriving money at once. Otherwise the next check finds it. */
  function listen(): void {
    call('wallet/listen', {}).catch(() => {});
  }

  const stopListening = onChanges(() => void read());
  const inSight = () => overview.value !== null && document.visibilityState === 'visible';
  const timers = [
    setInterval(() => inSight() && refresh(), LOOK_EVERY_MS),
    setInterval(() => inSight() && listen(), LISTEN_EVERY_MS),
  ];
  const shown = () => inSight() && listen();
  document.addEventListener('visibilitychange', shown);
  // Also when it is unlocked, which is when there is something to hear.
  const stopOpening = effect(() => {
    if (opens.value) listen();
  });
  const stop = () => {
    for (const timer of timers) clearInterval(timer);
    document.removeEventListener('visibilitychange', shown);
    stopOpening();
    stopListening();
  };
  /** Shows what stood here last, until the background answers. */
  async function showLast(): Promise<void> {
    const last = await readFirstView();
    if (last === null || status.value !== null) return;
    batch(() => {
      status.value = { exists: true, locked: false, lockAt: last.lockAt };
      overview.value = last.overview;
      settings.value = last.settings;
    });
  }

  showLast().catch(() => {}); // the answers of now are on their way
  const opened = read().then(() => {
    if (overview.value !== null) refresh(true); // a person is looking
  });
  return { status, overview, all, activity, found, search, settings, sites, error, read, refresh, opened, stop };
}
