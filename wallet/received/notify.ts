/** Shows a browser notification for each paymail payment. */
import { assetIn, type ReceivedAsset } from '../assets/came-in.ts';
import type { Receipt } from '../coins/receipts/receipt.ts';
import { rateOrNull } from '../chain/rates.ts';
import { database, inTransaction, readKey, writeKey, readTransaction } from '../store/database.ts';
import { readSettings } from '../settings.ts';
import { moreReceived, notificationOf } from './notification-texts.ts';
import { changeReceipt, getReceipts } from '../coins/receipts/receipts.ts';
import type { Wallet } from '../platform.ts';

/** Maximum burst, so thousands of dust payments don't flood the screen. A summary announces the rest. */
const NOTIFICATION_BURST = 5;
/** Interval at which one more notification is allowed (milliseconds). */
const TURN_MS = 600_000;
/** ID of the summary notification. No transaction has this ID. */
const MORE = 'more';

/** Applies the rate limit. Returns how many of `wanted` notifications to show, and whether to show the summary now. */
async function takeTurns(wallet: Wallet, wanted: number): Promise<{ shown: number; sayMore: boolean }> {
  const now = wallet.now();
  const kept = (await readKey(wallet, 'notifications')) ?? { left: NOTIFICATION_BURST, at: now, saidMore: false };
  const back = Math.max(0, Math.floor((now - kept.at) / TURN_MS));
  const turns = Math.min(NOTIFICATION_BURST, kept.left + back);
  const shown = Math.min(turns, wanted);
  const saidMore = kept.saidMore && back === 0;
  const isMore = wanted > shown;
  await writeKey(wallet, 'notifications', {
    left: turns - shown,
    at: back > 0 ? kept.at + back * TURN_MS : Math.min(kept.at, now),
    saidMore: saidMore || isMore,
  });
  return { shown, sayMore: isMore && !saidMore };
}

/**
 * Shows a notification for each of these transactions, except those already announced. The notification's ID is the
 * transaction's ID, so there is no duplicate if the worker stops before it records the notification.
 */
export async function notifyUser(wallet: Wallet, txids: ReadonlySet<string>): Promise<void> {
  const receipts = (await getReceipts(readTransaction(await database(wallet)), txids)).filter((one) => !one.notified);
  if (receipts.length === 0) return;
  const settings = await readSettings(wallet);
  if (settings.notify) {
    const rate = await rateOrNull(wallet, settings.currency);
    const all: [Receipt, ReceivedAsset | null][] = [];
    for (const receipt of receipts) {
      const cameIn = await assetIn(wallet, receipt);
      // Forged tokens aren't announced.
      if (!cameIn || !('claim' in cameIn) || cameIn.claim !== 'forged') all.push([receipt, cameIn]);
    }
    const { shown, sayMore } = await takeTurns(wallet, all.length);
    for (const [receipt, cameIn] of all.slice(0, shown))
      await show(wallet, receipt.txid, notificationOf(wallet, { ...receipt, cameIn }, rate, settings.language));
    if (sayMore) await show(wallet, MORE, moreReceived(wallet, settings.language));
  }
  await inTransaction(wallet, async (tx) => {
    for (const txid of txids) await changeReceipt(tx, txid, (receipt) => ({ ...receipt, notified: true }));
  });
}

async function show(wallet: Wallet, id: string, said: { title: string; message: string }): Promise<void> {
  const iconUrl = wallet.runtime.getURL('extension/icons/icon-128.png');
  // The operating system may suppress notifications, as configured by the user.
  await wallet.notifications.create(id, { type: 'basic', iconUrl, ...said }).catch(() => undefined);
}

/** Handles a click on a notification: removes it and opens the wallet. */
export function notificationClicked(wallet: Wallet, id: string): void {
  void wallet.notifications.clear(id);
  void wallet.tabs.create({ url: wallet.runtime.getURL('extension/popup/index.html') });
}
