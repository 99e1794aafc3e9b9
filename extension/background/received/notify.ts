/** Tells the user by the browser what came in by paymail: each transaction once. */
import browser from 'webextension-polyfill';
import type { Receipt } from '../coins/receipt.ts';
import { rateOrNull } from '../chain/rates.ts';
import { database, inOneStep } from '../database.ts';
import { readSettings } from '../settings.ts';
import { notificationOf } from './notification-texts.ts';

/** Most notifications of one fetch: whoever sends dust a thousand times fills no screen. All of it is in the activity. */
const MOST_AT_ONCE = 5;

/**
 * Shows one notification for each of these transactions, but for those that it was shown for before. The browser knows them by
 * the transaction's id, so that one which was shown by a worker that was stopped before it could note that is not there twice.
 */
export async function tellUser(txids: ReadonlySet<string>): Promise<void> {
  const db = await database();
  const receipts = (await Promise.all([...txids].map((txid) => db.get('receipts', txid)))).filter((one) => one !== undefined && !one.told);
  if (receipts.length === 0) return;
  const settings = await readSettings();
  if (settings.notify) {
    const rate = await rateOrNull(settings.currency);
    for (const receipt of receipts.slice(0, MOST_AT_ONCE) as Receipt[]) {
      const iconUrl = browser.runtime.getURL('extension/icons/icon-128.png');
      // The system may show none: that is the user's choice, too.
      await browser.notifications.create(receipt.txid, { type: 'basic', iconUrl, ...notificationOf(receipt, rate, settings.language) }).catch(() => undefined);
    }
  }
  await inOneStep(async (tx) => {
    for (const txid of txids) {
      const receipt = await tx.objectStore('receipts').get(txid);
      if (receipt) await tx.objectStore('receipts').put({ ...receipt, told: true });
    }
  });
}

/** The user clicked on one: it goes, and the wallet opens. */
export function notificationClicked(txid: string): void {
  void browser.notifications.clear(txid);
  void browser.tabs.create({ url: browser.runtime.getURL('extension/popup/index.html') });
}
