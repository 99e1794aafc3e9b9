/** Starts the wallet, and resumes the work of a stopped worker. */
import { forgetPages } from './activity/kept-pages.ts';
import { makeSearchPages, SEARCH_ALARM } from './activity/make-search-pages.ts';
import { resolveUnlockPrompts } from './brc100/permissions/unlock.ts';
import { checkClock, onClockSetBack } from './clock.ts';
import { database } from './store/database.ts';
import { promptKinds } from './prompt-kinds.ts';
import { withdrawAbandoned } from './prompts/request.ts';
import { updateBadge } from './prompts/badge.ts';
import { usePromptKinds } from './prompts/kinds.ts';
import { dropPrompts, promptWindowClosed } from './prompts/show.ts';
import { watchedOutputs } from './scan/basket-spend-check.ts';
import { setPollAlarm, POLL_ALARM } from './scan/poll-alarm.ts';
import { followReceipt } from './payments/network/altered.ts';
import { moveUnfound } from './payments/sources/sweep/move-unfound.ts';
import { processAll } from './payments/runner/runner.ts';
import { reopenAbove } from './payments/network/reorg.ts';
import { endRevoked } from './payments/sources/action/revoke.ts';
import { watchAgain } from './payments/network/abandon.ts';
import { noteShown } from './payments/network/shown-rival.ts';
import { repairPayments } from './payments/runner/repair.ts';
import { onRival, onShown } from './coins/shown.ts';
import { onReorg } from './chain/headers/reorg.ts';
import { onAltered } from './coins/altered.ts';
import { onRevocation } from './sites/revocation.ts';
import { pruneOutputs } from './baskets/prune.ts';
import { pruneEnded } from './payments/prune.ts';
import { receive } from './received/fetch.ts';
import { notificationClicked } from './received/notify.ts';
import { onWorkDue, WORK_ALARM } from './payments/schedule.ts';
import { forgetToken } from './service/session.ts';
import { publishedTokens } from './assets/published.ts';
import { publishBalance } from './service/publish-balance.ts';
import { fetchRelease } from './service/release.ts';
import { joinService } from './sign-in/join.ts';
import { pruneSites } from './sites/store.ts';
import { correctTimes } from './stored-times/correct.ts';
import { LOCK_ALARM } from './vault/session.ts';
import { lock, vaultStatus } from './vault/vault.ts';
import { syncAppLog } from './app-backup/sync.ts';
import { announceChange, onAnnouncement } from './events.ts';
import { refresh } from './scan/poll.ts';
import { notifyRelays } from './trusted-swipe/relays.ts';
import { onCompleteSearch } from './scan/history/whole-read.ts';
import type { Wallet } from './platform.ts';

/** How long pages may take to repeat their calls after a restart before their requests are withdrawn (milliseconds). */
const RETURN_MS = 10_000;
/** If an alarm fires late by more than this (milliseconds), the computer must have been asleep. */
const SLEPT_MS = 60_000;

/** Starts the wallet. Registers all listeners synchronously, as required for a service worker started by an event. */
export function start(wallet: Wallet): void {
  const startedAt = wallet.now();
  usePromptKinds(wallet, promptKinds(wallet));
  wallet.windows.onRemoved.addListener((windowId) => void promptWindowClosed(wallet, windowId));
  wallet.alarms.onAlarm.addListener(({ name, scheduledTime }) => {
    checkClock(wallet);
    if (wallet.now() - scheduledTime > SLEPT_MS) void lockNow(wallet);
    if (name === LOCK_ALARM) void lockIfDue(wallet);
    if (name === WORK_ALARM) void processAll(wallet);
    if (name === SEARCH_ALARM) void makeSearchPages(wallet);
    if (name === POLL_ALARM) {
      void refresh(wallet)
        .then(() => setPollAlarm(wallet))
        .then(() => publishBalance(wallet, () => publishedTokens(wallet)));
      void receive(wallet, { again: true });
      void pruneEnded(wallet);
      void pruneSites(wallet);
      void watchedOutputs(wallet).then((watched) => pruneOutputs(wallet, watched));
      void makeSearchPages(wallet);
      void fetchRelease(wallet);
      void syncAppLog(wallet);
    }
  });
  // Firefox doesn't report a locked screen, so only the lock time and alarms lock the wallet there.
  wallet.idle.onStateChanged.addListener((state) => {
    if (state === 'locked') void lockNow(wallet);
  });
  wallet.notifications.onClicked.addListener((id) => notificationClicked(wallet, id));
  onReorg(wallet, (tx, height) => reopenAbove(wallet, tx, height));
  onAltered(wallet, (altered, transaction) => followReceipt(wallet, altered, transaction));
  onRevocation(wallet, (tx, given1) => endRevoked(wallet, tx, given1));
  onCompleteSearch(wallet, (info) => repairPayments(wallet, info));
  onShown(
    wallet,
    (tx, txid) => watchAgain(wallet, tx, txid),
    () => void processAll(wallet),
  );
  onRival(wallet, (txid, transaction) => noteShown(wallet, txid, transaction));
  onWorkDue(wallet, () => {
    checkClock(wallet);
    void processAll(wallet);
  });
  // An announcement follows each recorded change, each unlock and each sign-in.
  onAnnouncement(wallet, () => void syncAppLog(wallet));
  onAnnouncement(wallet, () => void moveUnfound(wallet));
  onAnnouncement(wallet, () => void resolveUnlockPrompts(wallet).catch(() => undefined));
  onAnnouncement(wallet, () => void updateBadge(wallet).catch(() => undefined));
  onAnnouncement(wallet, () => void notifyRelays(wallet).catch(() => undefined));
  // If the database can't be opened, nothing works, and each call to the wallet returns the reason.
  void database(wallet).then(
    // Times that earlier workers stored must be before `startedAt`.
    () =>
      correctTimes(wallet, startedAt - 1)
        .catch(() => undefined)
        .then(() => beginWork(wallet, startedAt)),
    () => undefined,
  );
  onClockSetBack(wallet, () => void clockSetBack(wallet).catch(() => undefined));
  checkClock(wallet, startedAt); // the clock may be set back before the first event
}

/** Locks an unlocked wallet early, because the user may have left the computer. */
async function lockNow(wallet: Wallet): Promise<void> {
  if ((await vaultStatus(wallet)).locked) return;
  forgetToken(wallet);
  await lock(wallet);
  forgetPages(wallet);
}

/** Locks the wallet if its lock time has passed. An alarm may be early or repeated, so the stored time is checked. */
async function lockIfDue(wallet: Wallet): Promise<void> {
  if (!(await vaultStatus(wallet)).locked) return; // locked by this check
  forgetToken(wallet);
  forgetPages(wallet);
  announceChange(wallet);
}

/**
 * Corrects stored times after the clock was set back, so everything due or expiring follows the corrected clock.
 */
async function clockSetBack(wallet: Wallet): Promise<void> {
  await correctTimes(wallet).catch(() => undefined);
  await lockIfDue(wallet);
  forgetToken(wallet);
  await setPollAlarm(wallet);
  await processAll(wallet);
}

function beginWork(wallet: Wallet, startedAt: number): void {
  void updateBadge(wallet).catch(() => undefined);
  void setPollAlarm(wallet);
  void processAll(wallet);
  void joinService(wallet);
  void syncAppLog(wallet);
  void moveUnfound(wallet);
  wallet.setTimeout(() => void withdrawAbandoned(wallet, startedAt), RETURN_MS);
}

/** Handles a browser start. Pages from the previous session no longer wait for prompts. */
export function startedUp(wallet: Wallet): void {
  void dropPrompts(wallet);
  void refresh(wallet, { all: true }).then(() => setPollAlarm(wallet));
}

/** Handles an update of the extension: builds search pages that earlier versions didn't have. */
export function updated(wallet: Wallet): void {
  void makeSearchPages(wallet);
}
