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
 * Is there room for more scripts, all of them together?
 * @param txid of their transaction @param sizes their bytes
 * @throws ServiceError `too-large`
 */
export async function checkScriptRoom(txid: string, sizes: readonly number[]): Promise<void> {
  const large = sizes.filter((bytes) => bytes > SMALL);
  if (large.length === 0) return;
  const sum = large.reduce((all, bytes) => all + bytes, 0);
  const isOneTooLarge = large.some((bytes) => bytes > MOST_OF_ONE);
  let [ofTransaction, ofAll] = [sum, sum];
  if (!isOneTooLarge)
    for (const coin of await coinsApart()) {
      const size = coin.script.length / 2;
      if (size <= SMALL) continue;
      ofAll += size;
      if (coin.txid === txid) ofTransaction += size;
    }
  if (isOneTooLarge || ofTransaction > MOST_OF_TRANSACTION || ofAll > MOST_OF_ALL)
    throw new ServiceError('too-large', { detail: `scripts of ${sum} bytes` });
}
