/**
 * Stores the network settings chosen by the user, and resets the data that depends on a single index: which addresses
 * were ever used, and the followed chain. Otherwise, a lying index could cause permanent damage. Coins that it hid
 * would never be searched for again, and a false chain height would exceed every honest index's height.
 */
import type { Settings } from '../protocol/messages/wallet-messages.ts';
import { assetsAtRest } from './assets/refresh.ts';
import { withoutNetwork } from './chain/http.ts';
import { forgetClaims } from './coins/addresses/records.ts';
import { unfollow } from './chain/headers/follow.ts';
import { setPollAlarm } from './scan/poll-alarm.ts';
import { newProgress } from './scan/history/progress.ts';
import { coinsAtRest } from './scan/refresh.ts';
import { deleteKeyIn, inTransaction, keyIn, keyedTransaction, putKeyIn } from './store/database.ts';
import { forgetHeaders } from './chain/headers/store.ts';
import { writeSettingsIn } from './settings.ts';
import type { Wallet } from './platform.ts';

/**
 * Stores the choice and deletes the data. Coins, receipts and payments remain, because each was verified individually.
 * @throws ServiceError `wrong-network` (an existing wallet can't change networks)
 */
export async function chooseNetwork(
  wallet: Wallet,
  choice: Pick<Settings, 'network' | 'arcUrl' | 'wocUrl'>,
): Promise<void> {
  await withoutNetwork(wallet, async () => {
    await atRest(wallet);
    await inTransaction(wallet, (tx) => forgetClaims(wallet, tx));
    // The choice is stored last, with the reset. If the worker stops before that, the user can choose again.
    const tx = await keyedTransaction(wallet, ['headers'], 'write');
    await writeSettingsIn(wallet, tx, choice);
    await deleteKeyIn(tx, 'rates'); // come from the previous index
    await forgetHeaders(tx);
    const scan = await keyIn(tx, 'scan');
    if (scan !== undefined) await putKeyIn(tx, 'scan', newProgress(false, scan));
    if ((await keyIn(tx, 'history')) !== undefined) await putKeyIn(tx, 'history', { listed: false });
    await tx.done;
    await atRest(wallet); // for searches that began with the previous index in the meantime
  });
  await setPollAlarm(wallet);
}

/** Waits for searches to fail at their next request. */
async function atRest(wallet: Wallet): Promise<void> {
  await coinsAtRest(wallet);
  await assetsAtRest(wallet);
  await unfollow(wallet);
}
