/** Crypto operations of a payment: run before its fee is known, their values in its scripts. */
import { ServiceError, type ErrorCode } from '../../../protocol/errors.ts';
import type { PaymentOptions, RequestedOutput } from '../../../protocol/payment.ts';
import { step, type PaymentRecord } from '../payment/record.ts';
import { takeHostTurns } from '../turns.ts';
import { readOperations, type Operation } from './read.ts';
import { areFinished, beginOperations, finishOperations, withStandIns, type Outcome } from './run.ts';
import { requoted, substitute } from './substitute.ts';

/** Why operations are not finished yet; the first of them is mended by unlocking. */
const UNFINISHED: readonly ErrorCode[] = ['wallet-locked', 'operation-failed', 'unknown-account'];

/**
 * Runs what can be run now.
 * @param origin the site that asks
 * @throws ServiceError `too-many-requests` (it names too many paymails), and those of reading and of {@link beginOperations}
 */
export async function runNow(options: Pick<PaymentOptions, 'cryptoOperations'>, origin: string): Promise<{ operations: Operation[]; outcomes: Outcome[] }> {
  const operations = readOperations(options.cryptoOperations ?? []);
  takeHostTurns(origin, operations.filter(({ paymail }) => paymail !== null).length);
  const begun = await beginOperations(operations);
  return { operations, outcomes: await finishedOr(begun, operations) };
}

async function finishedOr(begun: Outcome[], operations: readonly Operation[]): Promise<Outcome[]> {
  try {
    return await finishOperations(operations, begun);
  } catch (error) {
    // The user's window says why: an answer now would tell the page whose key it is that cannot decrypt, without a word of the user.
    if (error instanceof ServiceError && UNFINISHED.includes(error.code)) return begun;
    throw error;
  }
}

/** The outputs of a request as they are to be paid, and what its operations gave; stand-ins where that is not known yet. */
export async function withOperations(options: PaymentOptions, origin: string): Promise<{ outputs: RequestedOutput[]; operations: Outcome[] | null }> {
  const { operations, outcomes } = await runNow(options, origin);
  const outputs = substitute(options.outputs, withStandIns(operations, outcomes));
  return { outputs, operations: options.cryptoOperations ? outcomes : null };
}

/**
 * Finishes the operations of a payment that waits for the user, where they are not; what is new to see must be read first, so
 * the time to read begins again.
 * @returns the payment as it is now
 * @throws ServiceError those of {@link finishOperations}; `approval-unknown` (it waits no more)
 */
export async function finishInPayment(record: PaymentRecord): Promise<PaymentRecord> {
  const { options, operations: begun } = record;
  if (!begun || areFinished(begun)) return record;
  const operations = readOperations(options.cryptoOperations ?? []);
  const outcomes = await finishOperations(operations, begun);
  const finished = await step(record.id, 'requested', ({ quote, approval }) => ({
    operations: outcomes,
    quote: quote && requoted(quote, options.outputs, outcomes),
    approval: approval && (showsMore(begun) ? { ...approval, shownAt: null } : approval),
  }));
  if (!finished) throw new ServiceError('approval-unknown');
  return finished;
}

/** Will finishing them bring something that the user has not seen? A signature says nothing new. */
export function showsMore(outcomes: readonly Outcome[]): boolean {
  return outcomes.some(({ method, value }) => value === null && method !== 'sign');
}
