/** The number of open prompts on the toolbar icon: a prompt's window can be minimized, or behind others. */
import browser from 'webextension-polyfill';
import { openPrompts } from './store.ts';

const COLOR = '#b42318';

/** The prompts that await the user's decision, oldest first. */
export async function awaitingDecision() {
  return (await openPrompts())
    .filter(({ state }) => state === 'awaitingDecision')
    .toSorted((a, b) => a.createdAt - b.createdAt);
}

/** Shows how many prompts await the user's decision; no badge if there are none. */
export async function updateBadge(): Promise<void> {
  const { length } = await awaitingDecision();
  await browser.action.setBadgeBackgroundColor({ color: COLOR });
  await browser.action.setBadgeText({ text: length === 0 ? '' : String(length) });
}
