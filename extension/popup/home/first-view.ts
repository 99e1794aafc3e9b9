/** The popup's first view: its last one, which the background stores while the wallet is unlocked. */
import browser from 'webextension-polyfill';
import { FIRST_VIEW, type FirstView } from '../../../protocol/messages/first-view.ts';

/** Time servers correct clocks by less than this (milliseconds). */
const SLACK_MS = 60_000;

/** The last responses; null if the wallet was locked since, or not opened yet. Does not wake the worker. */
export async function readFirstView(): Promise<FirstView | null> {
  const kept = (await browser.storage.session.get(FIRST_VIEW))[FIRST_VIEW] as FirstView | undefined;
  const left = (kept?.lockAt ?? 0) - Date.now();
  // A time further ahead than possible means that the clock was set back. The worker then locks the wallet.
  return kept && left > 0 && left <= kept.lastsMs + SLACK_MS ? kept : null;
}
