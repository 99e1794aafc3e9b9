/**
 * Approvals that are void although a full disk prevents storing that. They are in the session storage, which is in
 * memory and outlives the worker. Once the user has read that nothing was paid, nothing may be.
 */
import { ServiceError } from '../../protocol/errors/service-error.ts';
import type { PaymentRecord } from './record.ts';
import { readPayment } from './transition.ts';
import { movePayment } from './move.ts';
import { part, type Wallet } from '../platform.ts';

/** Name in `storage.session`. */
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

/** Forgets it, once the payment itself is stored as failed. */
export const forgetVoid = (wallet: Wallet, id: string): Promise<void> =>
  change(wallet, (ids) => ids.filter((one) => one !== id));

export const isVoid = async (wallet: Wallet, id: string): Promise<boolean> => (await readVoid(wallet)).includes(id);

/** The payment with its outcome, even if a full disk prevents storing its failure. */
export async function readOutcome(wallet: Wallet, id: string): Promise<PaymentRecord | undefined> {
  const record = await readPayment(wallet, id);
  if (record?.state !== 'approved' || !(await isVoid(wallet, id))) return record;
  const { code, message } = new ServiceError('disk-full');
  return movePayment(record, { event: 'fail', error: { code, message } });
}
