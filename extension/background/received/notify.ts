/** Shows browser notifications of paymail payments, once for each transaction. */
import browser from 'webextension-polyfill';
import { assetIn, type CameIn } from '../assets/came-in.ts';
import type { Receipt } from '../coins/receipt.ts';
import { rateOrNull } from '../chain/rates.ts';
import { database, inTransaction, readKey, writeKey } from '../database.ts';
import { readSettings } from '../settings.ts';
import { moreReceived, notificationOf } from './notification-texts.ts';

/**
 * Notifications allowed in a burst, then one per interval (milliseconds), so that thousands of dust payments don't fill
 * the screen. One more announces the rest, which is in the activity.
 */
const AT_ONCE = 5;
const TURN_MS = 600_000;
/** The id of the summary notification. No transaction has it. */
const MORE = 'more';

/** How many of some notifications are shown, and whether the summary is shown now. */
async function takeTurns(wanted: number): Promise<{ shown: number; sayMore: boolean }> {
  const now = Date.now();
  const kept = (await readKey('notifications')) ?? { left: AT_ONCE, at: now, saidMore: false };
  const back = Math.max(0, Math.floor((now - kept.at) / TURN_MS));
  const turns = Math.min(AT_ONCE, kept.left + back);
  const shown = Math.min(turns, wanted);
  const saidMore = kept.saidMore && back === 0;
  const isMore = wanted > shown;
  await writeKey('notifications', {
    left: turns - shown,
    at: back > 0 ? kept.at + back * TURN_MS : Math.min(kept.at, now),
    saidMore: saidMore || isMore,
  });
  return { shown, sayMore: isMore && !saidMore };
}

/**
 * Shows one notification for each of these transactions, except those shown before. The transaction's id identifies it
 * to the browser, so that one shown by a worker that was killed before it could record that doesn't appear twice.
 */
export async function notifyUser(txids: ReadonlySet<string>): Promise<void> {
  const db = await database();
  const receipts = (await Promise.all([...txids].map((txid) => db.get('receipts', txid)))).filter(
    (one) => one !== undefined && !one.notified,
  );
  if (receipts.length === 0) return;
  const settings = await readSettings();
  if (settings.notify) {
    const rate = await rateOrNull(settings.currency);
    const all: [Receipt, CameIn | null][] = [];
    for (const receipt of receipts as Receipt[]) {
      const cameIn = await assetIn(receipt);
      // Forged tokens aren't announced.
      if (!cameIn || !('claim' in cameIn) || cameIn.claim !== 'forged') all.push([receipt, cameIn]);
    }
    const { shown, sayMore } = await takeTurns(all.length);
    for (const [receipt, cameIn] of all.slice(0, shown))
      await show(receipt.txid, notificationOf({ ...receipt, cameIn }, rate, settings.language));
    if (sayMore) await show(MORE, moreReceived(settings.language));
  }
  await inTransaction(async (tx) => {
    for (const txid of txids) {
      const receipt = await tx.objectStore('receipts').get(txid);
      if (receipt) await tx.objectStore('receipts').put({ ...receipt, notified: true });
    }
  });
}

async function show(id: string, said: { title: string; message: string }): Promise<void> {
  const iconUrl = browser.runtime.getURL('extension/icons/icon-128.png');
  // The system may suppress it, which is the user's choice.
  await browser.notifications.create(id, { type: 'basic', iconUrl, ...said }).catch(() => undefined);
}

/** The user clicked on a notification: removes it and opens the wallet. */
export function notificationClicked(id: string): void {
  void browser.notifications.clear(id);
  void browser.tabs.create({ url: browser.runtime.getURL('extension/popup/index.html') });
}
