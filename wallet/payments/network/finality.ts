import { readTransaction, type Reading, database } from '../../store/database.ts';
import type { ActionPart } from '../action.ts';
import { paymentMaking } from '../store.ts';
import { lastHeaders } from '../../chain/headers/store.ts';
import type { Wallet } from '../../platform.ts';

const FINAL = 0xffff_ffff;
/** BIP 65: lock times at or above this value are times in seconds since 1970. Lower values are block heights. */
const LOCKED_BY_TIME = 500_000_000;
/** BIP 113: lock times are compared with the median time of this many blocks. */
const MEDIAN_OF = 11;

/**
 * True if the next block can contain a site's transaction and its withheld parents from the same site.
 * @param outpoints the outpoints that the transaction spends
 * @param looked IDs of final parents, to which this call adds; shared by the transactions of one request
 */
export async function mayBeSent(
  wallet: Wallet,
  origin: string,
  action: Pick<ActionPart, 'lockTime' | 'inputs'>,
  outpoints: readonly string[],
  looked = new Set<string>(),
): Promise<boolean> {
  const tx = readTransaction(await database(wallet));
  const makersAreFinal = async (spent: readonly string[]): Promise<boolean> => {
    for (const txid of new Set(spent.map((key) => key.slice(0, 64)))) {
      if (looked.has(txid)) continue;
      looked.add(txid);
      const maker = await paymentMaking(tx, txid);
      if (maker?.origin !== origin || maker.trouble !== 'held' || !maker.action) continue;
      if (!(await isFinal(tx, maker.action)) || !(await makersAreFinal(maker.signed?.inputs ?? []))) return false;
    }
    return true;
  };
  return (await isFinal(tx, action)) && makersAreFinal(outpoints);
}

/**
 * True if the next block of the wallet's header chain satisfies the lock time. The wallet's own inputs are final.
 * Without headers, transactions with a lock time are treated as locked.
 */
async function isFinal(tx: Reading, { lockTime, inputs }: Pick<ActionPart, 'lockTime' | 'inputs'>): Promise<boolean> {
  if (lockTime === 0 || inputs.every(({ sequence }) => sequence === FINAL)) return true;
  const last = await lastHeaders(tx, MEDIAN_OF);
  const [tip] = last;
  if (!tip) return false;
  if (lockTime < LOCKED_BY_TIME) return lockTime <= tip.height;
  const times = last.map(({ time }) => time).sort((a, b) => a - b);
  return lockTime < (times[Math.floor(times.length / 2)] as number);
}
