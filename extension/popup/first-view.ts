/** What the popup shows first: what it showed last, which the background keeps while the wallet is unlocked. */
import browser from 'webextension-polyfill';
import { FIRST_VIEW, type FirstView } from '../../protocol/first-view.ts';

/** Time servers correct clocks by less than this (milliseconds). */
const SLACK_MS = 60_000;

/** The answers of last time; null where the wallet was locked since, or not opened yet. Does not wake the worker. */
export async function readFirstView(): Promise<FirstView | null> {
  const kept = (await browser.storage.session.get(FIRST_VIEW))[FIRST_VIEW] as FirstView | undefined;
  const left = (kept?.lockAt ?? 0) - Date.now();
  // Further ahead than it ever was: the clock was put back, and the wallet locks when the worker notices.
  return kept && left > 0 && left <= kept.lastsMs + SLACK_MS ? kept : null;
}
