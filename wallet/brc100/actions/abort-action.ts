/** Implements `abortAction` of the BSV wallet interface (BRC-100). */
import { invalidParameter } from '../../../protocol/brc100/errors.ts';
import type { Brc100Args, Brc100Results } from '../../../protocol/brc100/methods.ts';
import { refuseBlockedSite } from '../../permissions/store.ts';
import { giveUpSigned, giveUpUnsigned } from '../../payments/network/give-up.ts';
import { paymentByTxid } from '../../payments/sources/action/send-held.ts';
import type { Caller } from '../caller.ts';
import { paymentOfReference } from '../../payments/store.ts';
import { readTransaction, database } from '../../store/database.ts';
import type { Wallet } from '../../platform.ts';

const TXID = /^[0-9a-f]{64}$/;

/**
 * Abandons an unsent transaction. If it is unsigned, its coins are released immediately. If it is signed, the
 * application could still broadcast it, so the wallet's next payment replaces it (wallet/payments/network/give-up.ts).
 * As in the reference implementation, `reference` may also be a txid.
 * @throws ServiceError `site-blocked`
 */
export async function abortAction(
  wallet: Wallet,
  { reference }: Brc100Args<'abortAction'>,
  { origin }: Caller,
): Promise<Brc100Results['abortAction']> {
  await refuseBlockedSite(wallet, origin);
  const record =
    (await paymentOfReference(readTransaction(await database(wallet)), origin, reference)) ??
    (TXID.test(reference) ? await paymentByTxid(wallet, origin, reference) : undefined);
  if (!record?.action) throw invalidParameter('reference', 'that of an action of this application.');
  const isOver = record.trouble === 'aborted' || record.error?.code === 'action-aborted';
  if (isOver || (await giveUpUnsigned(wallet, record.id, 'action-aborted')) || (await giveUpSigned(wallet, record.id)))
    return { aborted: true };
  throw invalidParameter('reference', 'that of an unsent action with unspent outputs.');
}
