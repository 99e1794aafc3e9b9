/** The start of the wallet: its listeners, and the work that a stopped run left behind. */
import browser, { type Runtime } from 'webextension-polyfill';
import { forgetPages } from './activity/kept-pages.ts';
import { makeSearchPages, SEARCH_ALARM } from './activity/search-pages.ts';
import { answerUnlocked } from './brc100/permissions/unlock.ts';
import { checkClock, onClockSetBack } from './clock.ts';
import { database } from './database.ts';
import { reachOpenTabs } from './open-tabs.ts';
import { promptKinds } from './prompt-kinds.ts';
import { withdrawAbandoned } from './prompts/ask.ts';
import { updateBadge } from './prompts/badge.ts';
import { usePromptKinds } from './prompts/kinds.ts';
import { dropPrompts, promptWindowClosed } from './prompts/show.ts';
import { watchedOutputs } from './scan/kept.ts';
import { setPollAlarm, POLL_ALARM } from './scan/poll-alarm.ts';
import { followReceipt } from './payment/altered.ts';
import { moveUnfound } from './payment/move-unfound.ts';
import { processAll } from './payment/process.ts';
import { reopenAbove } from './payment/reorg.ts';
import { endRevoked } from './payment/revoke.ts';
import { watchAgain } from './payment/abandon.ts';
import { repairPayments } from './payment/repair.ts';
import { onShown } from './coins/shown.ts';
import { onReorg } from './chain/reorg.ts';
import { onAltered } from './coins/altered.ts';
import { onRevocation } from './sites/revocation.ts';
import { pruneOutputs } from './baskets/prune.ts';
import { pruneEnded } from './payment/prune.ts';
import { receive } from './received/fetch.ts';
import { notificationClicked } from './received/notify.ts';
import { onWorkDue, WORK_ALARM } from './payment/schedule.ts';
import { servePort, serveWindow } from './router.ts';
import { forgetToken } from './service/client.ts';
import { publishedTokens } from './assets/published.ts';
import { publishBalance } from './service/publish-balance.ts';
import { askForRelease } from './service/release.ts';
import { joinService } from './sign-in/join.ts';
import { pruneSites } from './sites/store.ts';
import { correctTimes } from './stored-times/correct.ts';
import { LOCK_ALARM } from './vault/session.ts';
import { lock, vaultStatus } from './vault/vault.ts';
import { syncAppLog } from './app-backup/sync.ts';
import { announceChange, onAnnouncement } from './events.ts';
import { refresh } from './scan/poll.ts';
import { tellChanges } from './trusted-swipe/relays.ts';
import { onWholeRead } from './scan/whole-read.ts';

/** How long pages have to repeat their calls after a restart, before their requests are withdrawn (milliseconds). */
const RETURN_MS = 10_000;
/** An alarm that is later than this was due while the computer slept (milliseconds). */
const SLEPT_MS = 60_000;

/**
 * Starts the wallet in a service worker that was just loaded. Registers every listener before it returns, as a browser
 * requires of a worker that an event has started.
 */
export function start(): void {
  const startedAt = Date.now();
  usePromptKinds(promptKinds);
  browser.runtime.onConnect.addListener(servePort);
  browser.runtime.onMessage.addListener(((message: unknown, sender: Runtime.MessageSender) =>
    serveWindow(message, sender)) as Runtime.OnMessageListener);
  browser.windows.onRemoved.addListener((windowId) => void promptWindowClosed(windowId));
  browser.alarms.onAlarm.addListener(({ name, scheduledTime }) => {
    checkClock();
    if (Date.now() - scheduledTime > SLEPT_MS) void lockNow();
    if (name === LOCK_ALARM) void lockIfDue();
    if (name === WORK_ALARM) void processAll();
    if (name === SEARCH_ALARM) void makeSearchPages();
    if (name === POLL_ALARM) {
      void refresh()
        .then(setPollAlarm)
        .then(() => publishBalance(publishedTokens));
      void receive({ again: true });
      void pruneEnded();
      void pruneSites();
      void watchedOutputs().then(pruneOutputs);
      void makeSearchPages();
      void askForRelease();
      void syncAppLog();
    }
  });
  // Firefox doesn't report a locked screen. There the time and the alarms lock.
  browser.idle.onStateChanged.addListener((state) => {
    if (state === 'locked') void lockNow();
  });
  browser.notifications.onClicked.addListener(notificationClicked);
  browser.runtime.onStartup.addListener(() => {
    void dropPrompts();
    void refresh({ all: true }).then(setPollAlarm);
  });
  browser.runtime.onInstalled.addListener(({ reason }) => {
    // Prepares pages that an earlier version didn't have, so that searches needn't.
    if (reason === 'update') void makeSearchPages();
    if (reason === 'install')
      void browser.tabs.create({ url: browser.runtime.getURL('extension/onboarding/index.html') });
  });
  // Firefox deletes unmarked storage when the disk is full, and marks an extension's with `unlimitedStorage` without a
  // prompt. In Chrome the permission is enough, and a service worker can't request more.
  void globalThis.navigator?.storage?.persist?.();
  onReorg(reopenAbove);
  onAltered(followReceipt);
  onRevocation(endRevoked);
  onWholeRead(repairPayments);
  onShown(watchAgain, () => void processAll());
  onWorkDue(() => {
    checkClock();
    void processAll();
  });
  // Everything recorded, unlocked or signed in to is announced.
  onAnnouncement(() => void syncAppLog());
  onAnnouncement(() => void moveUnfound());
  onAnnouncement(() => void answerUnlocked().catch(() => undefined));
  onAnnouncement(() => void updateBadge().catch(() => undefined));
  onAnnouncement(() => void tellChanges().catch(() => undefined));
  void reachOpenTabs().catch(() => undefined);
  // Without the database nothing works, and every call to the wallet returns the reason.
  void database().then(
    // Anything that an earlier worker stored stays older than this one.
    () =>
      correctTimes(startedAt - 1)
        .catch(() => undefined)
        .then(() => beginWork(startedAt)),
    () => undefined,
  );
  onClockSetBack(() => void clockSetBack());
}

/** Locks an unlocked wallet before its time, because the user may have left the computer. */
async function lockNow(): Promise<void> {
  if ((await vaultStatus()).locked) return;
  forgetToken();
  await lock();
  forgetPages();
}

/** The alarm may come early or twice: the stored time decides. */
async function lockIfDue(): Promise<void> {
  if (!(await vaultStatus()).locked) return; // the check has locked it
  forgetToken();
  forgetPages();
  announceChange();
}

/** From here on, due and expiring times follow the corrected clock. */
async function clockSetBack(): Promise<void> {
  await correctTimes().catch(() => undefined);
  await lockIfDue();
  forgetToken();
  await setPollAlarm();
  await processAll();
}

function beginWork(startedAt: number): void {
  void updateBadge().catch(() => undefined);
  void setPollAlarm();
  void processAll();
  void joinService();
  void syncAppLog();
  void moveUnfound();
  setTimeout(() => void withdrawAbandoned(startedAt), RETURN_MS);
}
