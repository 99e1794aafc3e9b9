/** The popup's data, updated by the background's notifications. */
import { batch, computed, effect, signal } from '@preact/signals';
import type { ServiceError } from '../../protocol/errors/service-error.ts';
import type {
  ActivityFilter,
  Overview,
  Settings,
  SiteView,
  WalletResults,
} from '../../protocol/messages/wallet-messages.ts';
import { call, onChanges } from '../ui/window/call.ts';
import { asServiceError } from '../ui/window/use-action.ts';
import { createPages, type ActivityPages } from './activity/activity-pages.ts';
import { readFirstView } from './home/first-view.ts';

/** Interval between checks for coins and confirmations while a window is open (milliseconds). */
const LOOK_EVERY_MS = 10_000;
/** Interval (milliseconds) for renewing a window's subscription to notifications, which expires after 30 seconds. */
const LISTEN_EVERY_MS = 20_000;

export type Store = ReturnType<typeof createStore>;

/** Creates the store, which reads and listens until `stop` is called. */
export function createStore() {
  const status = signal<WalletResults['vault/status'] | null>(null);
  const overview = signal<Overview | null>(null);
  const all = createPages({});
  const activity = all.rows;
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
      // Once the wallet is locked, this window must not contain any of the wallet's data.
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

  /** Reads everything again. Calls made during a read cause only one more read. */
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
          // The wallet was locked between two requests, so the read starts again.
          status.value = { ...before, locked: true };
          again = true;
        } else {
          error.value = failure;
        }
      }
    } while (again);
    reading = false;
  }

  /** Searches for rows that match a filter. Replaces any earlier search. Pass null to end the search. */
  function search(filter: ActivityFilter | null): void {
    found.value?.stop();
    found.value = filter && createPages(filter);
    void found.value?.more();
  }

  /**
   * Checks for new coins at all addresses, or only at those that are likely to have any. Results arrive through change
   * notifications.
   */
  function refresh(all = false): void {
    call('wallet/refresh', all ? { all } : {}).catch(() => {});
  }

  /** Requests immediate notifications of received money. Otherwise, only the next check would find the money. */
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
  // Called again after unlocking, because only an unlocked wallet sends these notifications.
  const stopOpening = effect(() => {
    if (opens.value) listen();
  });
  const stop = () => {
    for (const timer of timers) clearInterval(timer);
    document.removeEventListener('visibilitychange', shown);
    stopOpening();
    stopListening();
  };
  async function showLast(): Promise<void> {
    const last = await readFirstView();
    if (last === null || status.value !== null) return;
    batch(() => {
      status.value = { exists: true, locked: false, lockAt: last.lockAt };
      overview.value = last.overview;
      settings.value = last.settings;
    });
  }

  showLast().catch(() => {}); // The stored data is shown until the current data arrives.
  const opened = read().then(() => {
    if (overview.value !== null) refresh(true); // The user has just opened this window, so all addresses are checked.
  });
  return { status, overview, all, activity, found, search, settings, sites, error, read, refresh, opened, stop };
}
