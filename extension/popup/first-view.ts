/** What the popup shows first: what it showed last, which the background keeps while the wallet is unlocked. */
import browser from 'webextension-polyfill';
import { FIRST_VIEW, type FirstView } from '../../protocol/first-view.ts';

/** The answers of last time; null where the wallet was locked since, or not opened yet. Does not wake the worker. */
export async function readFirstView(): Promise<FirstView | null> {
  const kept = (await browser.storage.session.get(FIRST_VIEW))[FIRST_VIEW] as FirstView | undefined;
  return kept && kept.lockAt > Date.now() ? kept : null;
}
