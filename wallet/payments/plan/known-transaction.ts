/** A transaction has one record, because two would conflict and release the same coins twice. */
import { ServiceError } from '../../../protocol/errors/service-error.ts';
import { isKnown } from '../../chain/check-beef.ts';
import { networkInfo } from '../../chain/network.ts';
import type { WriteTransaction } from '../../store/database.ts';
import { countMaking } from '../store.ts';
import { countCoinsMadeBy } from '../../coins/records.ts';
import { countOutputsOf } from '../../baskets/outputs.ts';
import { countActionsOf } from '../../baskets/actions.ts';
import { hasReceipt } from '../../coins/receipts/receipts.ts';
import { isToBeRead } from '../../coins/history.ts';
import type { Wallet } from '../../platform.ts';

/** One error for all cases, so that a page doesn't learn which transactions are the user's. */
const isThere = () => new ServiceError('unusable-input', { detail: 'this transaction exists already' });

/**
 * Rejects a transaction that the wallet has stored in any form, site and state, within a larger transaction.
 * @throws ServiceError `unusable-input`
 */
export async function refuseStored(tx: WriteTransaction, txid: string): Promise<void> {
  const found = await Promise.all([
    countMaking(tx, txid),
    hasReceipt(tx, txid),
    isToBeRead(tx, txid),
    countCoinsMadeBy(tx, txid),
    countActionsOf(tx, txid),
    countOutputsOf(tx, txid),
  ]);
  if (found.some(Boolean)) throw isThere();
}

/**
 * Rejects a transaction that the network has. Checked only if it spends no coin of the wallet, since only then another
 * party could have made it.
 * @throws ServiceError `unusable-input`, `network-unavailable`
 */
export async function refuseOnNetwork(wallet: Wallet, txid: string): Promise<void> {
  if (await isKnown(wallet, await networkInfo(wallet), txid)) throw isThere();
}
