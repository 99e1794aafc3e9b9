/** Reading addresses, for other folders, within a transaction. */
import { addressScriptOf, type Address } from './address.ts';
import { NO_REACH, type Reach } from './reach.ts';
import { getTotal } from '../../store/totals.ts';
import type { Reading } from '../../store/database.ts';

/** The wallet's address by its locking script (hex). */
export const getAddress = (tx: Reading, script: string): Promise<Address | undefined> =>
  tx.objectStore('addresses').get(script);

/** The wallet's address that can spend an output, which may have an inscription. */
export async function addressOf(tx: Reading, lockingScript: Uint8Array): Promise<Address | undefined> {
  const script = addressScriptOf(lockingScript);
  return script === null ? undefined : getAddress(tx, script);
}

/** Whether one of the wallet's addresses can spend an output. */
export const isOwn = async (tx: Reading, lockingScript: Uint8Array): Promise<boolean> =>
  (await addressOf(tx, lockingScript)) !== undefined;

/** The reach of the words on each chain. */
export const reachIn = async (tx: Reading): Promise<Reach> => (await getTotal(tx, 'reach')) ?? NO_REACH;
