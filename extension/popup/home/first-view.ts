/** Reads the data for the popup's first paint, which the background stores while the wallet is unlocked. */
import browser from 'webextension-polyfill';
import { FIRST_VIEW, type FirstView } from '../../../protocol/messages/first-view.ts';

/** Allowance for clock corrections by a time server (milliseconds). */
const SLACK_MS = 60_000;

/** Returns the data, or null if the wallet is locked or hasn't been opened. Doesn't start the service worker. */
export async function readFirstView(): Promise<FirstView | null> {
  const kept = (await browser.storage.session.get(FIRST_VIEW))[FIRST_VIEW] as FirstView | undefined;
  const left = (kept?.lockAt ?? 0) - Date.now();
  // If the lock time is too far in the future, the clock was set back, and the worker locks the wallet.
  return kept && left > 0 && left <= kept.lastsMs + SLACK_MS ? kept : null;
}
