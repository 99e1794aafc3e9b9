/**
 * Removing the wallet from this browser. All stores are emptied in one database transaction, so a process killed on the
 * way leaves a whole wallet, locked, or none. Work started for the old wallet must not write after that, so its network
 * requests are aborted first, and then awaited.
 */
import browser from 'webextension-polyfill';
import { ServiceError } from '../../protocol/errors.ts';
import { assetsAtRest } from './assets/refresh.ts';
import { promptsGone } from './prompts/ask.ts';
import { dropPrompts } from './prompts/show.ts';
import { withoutNetwork } from './chain/http.ts';
import { database, forgetKept, STORES, readTransaction } from './database.ts';
import { scheduleWork } from './payment/schedule.ts';
import { countUnsent } from './payment/unsent.ts';
import { forgetToken } from './service/client.ts';
import { closeWindow } from './prompts/window.ts';
import { dropSeed, unlockedUntil } from './vault/session.ts';
import { openVault } from './vault/vault.ts';
import { unmarkAnd } from './vault/wallet-mark.ts';
import { announceChange } from './events.ts';
import { refresh } from './scan/poll.ts';
import { countIn } from './payment/store.ts';
import { allPrompts } from './prompts/store.ts';

/**
 * Removes the wallet and all data stored with it, and opens the first steps.
 * @param password null if the user forgot it: accepted only while the wallet is locked
 * @param leaving maximum number of signed payments that aren't on the network and may be given up
 * @throws ServiceError `wrong-password`, `too-many-requests`, `wallet-not-set-up`, `payment-pending` (more than
 * `leaving`)
 */
export async function removeWallet(password: string | null, leaving: number): Promise<void> {
  if (password !== null) await openVault(password);
  else if ((await unlockedUntil()) !== null) throw new ServiceError('wrong-password');
  if ((await countUnsent()) > leaving) throw new ServiceError('payment-pending');
  await endQuestions();
  await withoutNetwork(async () => {
    await refresh(); // Waits for one in progress, which ends at its next request to the network.
    await assetsAtRest();
    await dropSeed();
    await unmarkAnd(() => emptyDatabase(leaving));
    promptsGone(); // those that were opened since
    await dropSeed(); // the result of an unlock that had read the vault just before
  });
  forgetToken();
  await scheduleWork();
  announceChange();
  await browser.tabs.create({ url: browser.runtime.getURL('extension/onboarding/index.html') });
}

/** Answers every page that waits for the user's decision, and closes the prompts' windows. */
async function endQuestions(): Promise<void> {
  const prompts = await allPrompts(readTransaction(await database()));
  await dropPrompts();
  for (const { window } of prompts) await closeWindow(window.windowId);
}

async function emptyDatabase(leaving: number): Promise<void> {
  const tx = (await database()).transaction(STORES, 'readwrite');
  forgetKept(tx.done);
  // Counted again where nothing can interfere, because one may have been signed just before.
  if ((await countIn(tx, 'signed')) > leaving) {
    tx.abort();
    await tx.done.catch(() => undefined);
    throw new ServiceError('payment-pending');
  }
  await Promise.all([...STORES.map((store) => tx.objectStore(store).clear()), tx.done]);
}
