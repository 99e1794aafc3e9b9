/**
 * When the user chooses a different index, resets the data that depends on a single index: which addresses were ever
 * used, and the followed chain. Otherwise, a lying index could cause permanent damage. Coins that it hid would never be
 * searched for again, and a false chain height would exceed every honest index's height.
 */
import { assetsAtRest } from './assets/refresh.ts';
import { withoutNetwork } from './chain/http.ts';
import { forgetClaims } from './coins/addresses/records.ts';
import { unfollow } from './chain/headers/follow.ts';
import { setPollAlarm } from './scan/poll-alarm.ts';
import { newProgress } from './scan/history/progress.ts';
import { refresh } from './scan/poll.ts';
import { inTransaction, keyIn, keyedTransaction, putKeyIn } from './store/database.ts';
import { forgetHeaders } from './chain/headers/store.ts';
import type { Wallet } from './platform.ts';

/** Deletes the data in one transaction. Coins, receipts and payments remain, because each was verified individually. */
export async function resetSync(wallet: Wallet): Promise<void> {
  await withoutNetwork(wallet, async () => {
    await refresh(wallet); // waits for a search with the old index to fail at its next request
    await assetsAtRest(wallet);
    await unfollow(wallet);
    await inTransaction(wallet, (tx) => forgetClaims(wallet, tx));
    const tx = await keyedTransaction(wallet, ['headers'], 'write');
    await forgetHeaders(tx);
    const scan = await keyIn(tx, 'scan');
    if (scan !== undefined) await putKeyIn(tx, 'scan', newProgress(false, scan));
    if ((await keyIn(tx, 'history')) !== undefined) await putKeyIn(tx, 'history', { listed: false });
    await tx.done;
  });
  await setPollAlarm(wallet);
}
