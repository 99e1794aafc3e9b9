/**
 * What hangs on the word of the one index that the wallet asks, asked anew when the user takes another: which addresses
 * were ever used, and where the chain is that it follows. One that lied about either could otherwise keep the wallet
 * from the truth for good: coins that it hid would not be searched for again, and no honest block stands above one that
 * was said to be at a height of a thousand million.
 */
import { withoutNetwork } from './chain/http.ts';
import { unfollow } from './chain/follow.ts';
import { database } from './database.ts';
import { setPollAlarm } from './scan/poll-alarm.ts';
import { newProgress } from './scan/progress.ts';
import { refresh } from './scan/poll.ts';

/** Forgets it, in one database transaction. Coins, receipts and payments stay: each was seen in its own transaction. */
export async function resetSync(): Promise<void> {
  await withoutNetwork(async () => {
    await refresh(); // waits for one that is under way, which asks the index before: it ends at its next question
    await unfollow();
    const tx = (await database()).transaction(['headers', 'keyval'], 'readwrite');
    const keyval = tx.objectStore('keyval');
    await tx.objectStore('headers').clear();
    if ((await keyval.get('scan')) !== undefined) await keyval.put(newProgress(false), 'scan');
    await tx.done;
  });
  await setPollAlarm();
}
