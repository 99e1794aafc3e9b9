/**
 * Removes the wallet from this browser. All stores are cleared in one database transaction, so an interrupted removal
 * leaves either the complete wallet, locked, or no wallet. Work that began earlier must not write anything afterward,
 * so its network requests are aborted, and the removal waits for it to end.
 */
import { ServiceError } from '../protocol/errors/service-error.ts';
import { assetsAtRest } from './assets/refresh.ts';
import { wakeCallers } from './prompts/request.ts';
import { dropPrompts, closeWindow } from './prompts/show.ts';
import { withoutNetwork } from './chain/http.ts';
import { database, readTransaction, emptyStores } from './store/database.ts';
import { scheduleWork } from './payments/schedule.ts';
import { countUnsent } from './payments/runner/runner.ts';
import { forgetToken } from './service/session.ts';
import { deleteSeed, unlockedUntil } from './vault/session.ts';
import { openVault } from './vault/vault.ts';
import { unmarkAnd } from './vault/wallet-mark.ts';
import { announceChange } from './events.ts';
import { refresh } from './scan/poll.ts';
import { countIn } from './payments/store.ts';
import { allPrompts } from './prompts/store.ts';
import type { Wallet } from './platform.ts';

/**
 * Removes the wallet with all its data, and opens the setup tab.
 * @param password null if the user forgot it; null is accepted only while the wallet is locked
 * @param leaving maximum number of signed payments that may be lost because they aren't on the network yet
 * @throws ServiceError `wrong-password`, `too-many-requests`, `wallet-not-set-up`, `payment-pending` (more than
 * `leaving` such payments)
 */
export async function removeWallet(wallet: Wallet, password: string | null, leaving: number): Promise<void> {
  if (password !== null) await openVault(wallet, password);
  else if ((await unlockedUntil(wallet)) !== null) throw new ServiceError('wrong-password');
  if ((await countUnsent(wallet)) > leaving) throw new ServiceError('payment-pending');
  await endPrompts(wallet);
  await withoutNetwork(wallet, async () => {
    await refresh(wallet); // waits for a search in progress to fail at its next request
    await assetsAtRest(wallet);
    await deleteSeed(wallet);
    await unmarkAnd(wallet, () => emptyDatabase(wallet, leaving));
    wakeCallers(wallet); // new prompts may have been opened in the meantime
    await deleteSeed(wallet); // a concurrent unlock may have stored it
  });
  forgetToken(wallet);
  await scheduleWork(wallet);
  announceChange(wallet);
  await wallet.tabs.create({ url: wallet.runtime.getURL('extension/onboarding/index.html') });
}

async function endPrompts(wallet: Wallet): Promise<void> {
  const prompts = await allPrompts(readTransaction(await database(wallet)));
  await dropPrompts(wallet);
  for (const { window } of prompts) await closeWindow(wallet, window.windowId);
}

async function emptyDatabase(wallet: Wallet, leaving: number): Promise<void> {
  // Counted again within the transaction, because a payment may have just been signed.
  const isEmpty = await emptyStores(wallet, async (tx) => (await countIn(tx, 'signed')) <= leaving);
  if (!isEmpty) throw new ServiceError('payment-pending');
}
