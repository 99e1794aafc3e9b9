/** Waits for the outcomes of payments, and voids approvals whose failure can't be stored because the disk is full. */
import { ServiceError, type ErrorCode } from '../../protocol/errors/service-error.ts';
import { nextChange } from '../events.ts';
import type { PaymentRecord } from './record.ts';
import { PATIENCE_ATTEMPTS, movePayment } from './move.ts';
import { type Wallet, part } from '../platform.ts';
import { readPayment } from './store.ts';

/**
 * Waits until `read` returns a value other than undefined. `read` gets the payment now and after each change, or
 * undefined if there is no payment.
 * @throws the errors of `read`
 */
export async function outcomeOf<T>(
  wallet: Wallet,
  id: string,
  read: (record: PaymentRecord | undefined) => T | undefined | Promise<T | undefined>,
): Promise<T> {
  for (;;) {
    const change = nextChange(wallet, id); // registered before the read so that no change is missed
    const outcome = await read(await readOutcome(wallet, id));
    if (outcome !== undefined) return outcome;
    await change;
  }
}

/**
 * Returns the payment unless it has ended.
 * @throws ServiceError the reason why it ended; `not-paid` if it was deleted because no window was available
 */
export function unlessEnded(record: PaymentRecord | undefined): PaymentRecord {
  if (!record) throw new ServiceError('not-paid');
  if (record.error) throw new ServiceError(record.error.code, { message: record.error.message });
  return record;
}

/** True if the wallet no longer broadcasts the signed payment. */
export const isStopped = ({ state, trouble, replacedBy }: PaymentRecord): boolean =>
  state === 'signed' && (trouble === 'refused' || Boolean(replacedBy));

/**
 * Returns the reason why a signed payment isn't on the network, or null if unknown.
 * @param since number of earlier attempts. Without a later attempt, the reason is unknown unless the payment is stopped
 */
export function stuckCode(record: PaymentRecord, since = 0): ErrorCode | null {
  const { state, trouble, broadcast } = record;
  if (isStopped(record)) return 'payment-contested';
  if (state !== 'signed' || broadcast.attempts < PATIENCE_ATTEMPTS || broadcast.attempts <= since) return null;
  return trouble === 'contested' ? 'payment-contested' : 'payment-pending';
}

/**
 * Key in `storage.session` for void approvals whose failure can't be stored because the disk is full. Session storage
 * is in memory and outlives the worker. An approval must not take effect after the user has read that nothing was paid.
 */
export const VOID_APPROVALS = 'void-approvals';

async function readVoid(wallet: Wallet): Promise<string[]> {
  return ((await wallet.sessionStorage.get(VOID_APPROVALS))[VOID_APPROVALS] as string[] | undefined) ?? [];
}

const memoryOf = part(() => ({
  last: Promise.resolve() as Promise<unknown>,
}));

function change(wallet: Wallet, changed: (ids: string[]) => string[]): Promise<void> {
  const memory = memoryOf(wallet);
  const write = async () => {
    const ids = changed(await readVoid(wallet));
    await wallet.sessionStorage.set({ [VOID_APPROVALS]: ids });
  };
  const mine = memory.last.then(write);
  memory.last = mine.catch(() => undefined);
  return mine;
}

export const voidApproval = (wallet: Wallet, id: string): Promise<void> =>
  change(wallet, (ids) => [...ids.filter((one) => one !== id), id]);

/** Removes a void approval from the list once the payment is stored as failed. */
export const forgetVoid = (wallet: Wallet, id: string): Promise<void> =>
  change(wallet, (ids) => ids.filter((one) => one !== id));

export const isVoid = async (wallet: Wallet, id: string): Promise<boolean> => (await readVoid(wallet)).includes(id);

/** Returns the payment with its outcome, even if its failure can't be stored because the disk is full. */
export async function readOutcome(wallet: Wallet, id: string): Promise<PaymentRecord | undefined> {
  const record = await readPayment(wallet, id);
  if (record?.state !== 'approved' || !(await isVoid(wallet, id))) return record;
  const { code, message } = new ServiceError('disk-full');
  return movePayment(record, { event: 'fail', error: { code, message } });
}
