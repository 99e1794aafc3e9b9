/**
 * How much the wallet keeps of what one-satoshi coins carry: anybody can send it any content, and its script is needed to
 * spend the coin.
 */
import { ServiceError } from '../../../protocol/errors.ts';
import { coinsApart } from './store.ts';

/** A script up to this size is always kept (bytes): a token needs no more. */
const SMALL = 2000;
/** The largest script that is kept, and the most of one transaction and of all of them together (bytes), small ones apart. */
export const MOST_OF_ONE = 400_000;
const MOST_OF_TRANSACTION = 1_000_000;
export const MOST_OF_ALL = 20_000_000;

/**
 * Is there room for one more script?
 * @param txid of its transaction @param bytes its size
 * @throws ServiceError `too-large`
 */
export async function checkScriptRoom(txid: string, bytes: number): Promise<void> {
  if (bytes <= SMALL) return;
  let [ofTransaction, ofAll] = [bytes, bytes];
  if (bytes <= MOST_OF_ONE)
    for (const coin of await coinsApart()) {
      const size = coin.script.length / 2;
      if (size <= SMALL) continue;
      ofAll += size;
      if (coin.txid === txid) ofTransaction += size;
    }
  if (bytes > MOST_OF_ONE || ofTransaction > MOST_OF_TRANSACTION || ofAll > MOST_OF_ALL)
    throw new ServiceError('too-large', { detail: `a script of ${bytes} bytes` });
}
