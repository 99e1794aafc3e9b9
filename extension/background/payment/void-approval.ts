/**
 * Approvals that are void although a full disk keeps the wallet from storing that. They are in the session storage,
 * which is in memory and outlives the worker. Once the user has read that nothing was paid, nothing is.
 */
import browser from 'webextension-polyfill';
import { ServiceError } from '../../../protocol/errors.ts';
import type { PaymentRecord } from './record.ts';
import { readPayment } from './transition.ts';
import { movePayment } from './move.ts';

/** Name in `storage.session`. */
export const VOID_APPROVALS = 'void-approvals';

async function readVoid(): Promise<string[]> {
  return ((await browser.storage.session.get(VOID_APPROVALS))[VOID_APPROVALS] as string[] | undefined) ?? [];
}

let last: Promise<unknown> = Promise.resolve();

function change(changed: (ids: string[]) => string[]): Promise<void> {
  const write = async () => {
    const ids = changed(await readVoid());
    await browser.storage.session.set({ [VOID_APPROVALS]: ids });
  };
  const mine = last.then(write);
  last = mine.catch(() => undefined);
  return mine;
}

export const voidApproval = (id: string): Promise<void> => change((ids) => [...ids.filter((one) => one !== id), id]);

/** Forgets it, once the payment itself is stored as failed. */
export const forgetVoid = (id: string): Promise<void> => change((ids) => ids.filter((one) => one !== id));

export const isVoid = async (id: string): Promise<boolean> => (await readVoid()).includes(id);

/** The payment with its outcome, also while a full disk keeps its failure from being stored. */
export async function readOutcome(id: string): Promise<PaymentRecord | undefined> {
  const record = await readPayment(id);
  if (record?.state !== 'approved' || !(await isVoid(id))) return record;
  const { code, message } = new ServiceError('disk-full');
  return movePayment(record, { event: 'fail', error: { code, message } });
}
