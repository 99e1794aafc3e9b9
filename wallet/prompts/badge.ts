/** Shows the number of open prompts on the toolbar icon, because their windows can be minimized or covered. */
import { openPrompts } from './store.ts';
import type { Wallet } from '../platform.ts';

const COLOR = '#b42318';

/** Returns the prompts that await the user's decision, oldest first. */
export async function awaitingDecision(wallet: Wallet) {
  return (await openPrompts(wallet))
    .filter(({ state }) => state === 'awaitingDecision')
    .toSorted((a, b) => a.createdAt - b.createdAt);
}

/** Shows the number of prompts that await the user's decision, or no badge if there are none. */
export async function updateBadge(wallet: Wallet): Promise<void> {
  const { length } = await awaitingDecision(wallet);
  await wallet.action.setBadgeBackgroundColor({ color: COLOR });
  await wallet.action.setBadgeText({ text: length === 0 ? '' : String(length) });
}
