/**
 * Resets data that depends on a single index when the user chooses another: which addresses were ever used, and the
 * chain that the wallet follows. Otherwise an index that lied about either could mislead the wallet permanently: coins
 * that it hid would not be searched for again, and no honest block is above one at a claimed height of a thousand
 * million.
 */
import { assetsAtRest } from './assets/refresh.ts';
import { withoutNetwork } from './chain/http.ts';
import { unfollow } from './chain/headers/follow.ts';
import { database, forgetKept } from './store/database.ts';
import { setPollAlarm } from './scan/poll-alarm.ts';
import { newProgress } from './scan/history/progress.ts';
import { refresh } from './scan/poll.ts';
import type { Wallet } from './platform.ts';

/** Forgets this data in one transaction. Coins, receipts and payments stay, because each was verified by itself. */
export async function resetSync(wallet: Wallet): Promise<void> {
  await withoutNetwork(wallet, async () => {
    await refresh(wallet); // Waits for one in progress with the old index, which ends at its next request.
    await assetsAtRest(wallet);
    await unfollow(wallet);
    const tx = (await database(wallet)).transaction(['headers', 'keyval'], 'readwrite');
    forgetKept(wallet, tx.done);
    const keyval = tx.objectStore('keyval');
    await tx.objectStore('headers').clear();
    if ((await keyval.get('scan')) !== undefined) await keyval.put(newProgress(false), 'scan');
    if ((await keyval.get('history')) !== undefined) await keyval.put({ listed: false }, 'history');
    await tx.done;
  });
  await setPollAlarm(wallet);
}
