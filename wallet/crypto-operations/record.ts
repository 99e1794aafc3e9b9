/** Stores operations requested without a payment, for display in the activity list. Payments store their own operations. */
import type { OperationNote } from '../../protocol/messages/wallet-messages.ts';
import type { WriteTransaction } from '../store/database.ts';
import { randomId } from '../prompts/store.ts';
import type { Outcome } from './outcome.ts';
import type { Wallet } from '../platform.ts';

/** Maximum number of stored records. The oldest are deleted, so no site can fill the disk. */
export const MAX_OPERATIONS_RECORDS = 500;
const MAX_TEXT_CHARS = 1000;

/** Stores the results of an approval, within its transaction. */
export async function recordOperations(
  wallet: Wallet,
  tx: WriteTransaction,
  origin: string,
  clientIdentifier: string | null,
  outcomes: readonly Outcome[],
): Promise<void> {
  const store = tx.objectStore('operations');
  await store.add({
    id: randomId(wallet),
    origin,
    clientIdentifier,
    createdAt: wallet.now(),
    operations: outcomes.map(noteOf),
  });
  let surplus = (await store.count()) - MAX_OPERATIONS_RECORDS;
  for (let oldest = await store.index('createdAt').openCursor(); oldest && surplus > 0; surplus -= 1) {
    await oldest.delete();
    oldest = await oldest.continue();
  }
}

/** Returns the part of a result to store. Omits ciphertext, signatures, and decrypted text, which is private. */
function noteOf({
  id,
  method,
  data,
  dataEncoding,
  value,
  valueEncoding,
  paymail,
  publicKey,
  verified,
}: Outcome): OperationNote {
  const isOwn = method === 'public-key' || method === 'address' || method === 'paymail';
  const text = method === 'sign' || method === 'verify' ? (data ?? null) : null;
  return {
    id,
    method,
    data: text && text.slice(0, MAX_TEXT_CHARS),
    dataEncoding,
    value: isOwn ? value : null,
    valueEncoding,
    paymail,
    publicKey,
    verified,
  };
}
