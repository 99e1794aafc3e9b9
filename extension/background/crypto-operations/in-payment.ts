/** Crypto operations of a payment: finished before the fee that the user sees, their values in its scripts. */
import { ServiceError } from '../../../protocol/errors.ts';
import type { PaymentOptions, RequestedOutput } from '../../../protocol/payment.ts';
import { step, type PaymentRecord } from '../payment/record.ts';
import { takeHostTurns } from '../turns.ts';
import { readOperations, type Operation } from './read.ts';
import { areFinished, beginOperations, finishOperations, withStandIns, type Outcome } from './run.ts';
import { refuseUnknown, requoted, substitute } from './substitute.ts';

/**
 * Begins the operations of a page's request. Its key is not touched, whether the wallet is unlocked or not: else the
 * time until an answer, or the order of two refusals, would tell the page what this user can decrypt, without a window.
 * What is left is done for the user's window.
 * @param origin the site that asks
 * @throws ServiceError `too-many-requests` (it names too many paymails), and those of reading and of {@link
 * beginOperations}
 */
export async function begin(
  options: Pick<PaymentOptions, 'cryptoOperations'>,
  origin: string,
): Promise<{ operations: Operation[]; outcomes: Outcome[] }> {
  const operations = readOperations(options.cryptoOperations ?? []);
  takeHostTurns(origin, operations.filter(({ paymail }) => paymail !== null).length);
  return { operations, outcomes: await beginOperations(operations, origin) };
}

/** The outputs of a request with what its operations gave so far, and stand-ins for the rest. */
export async function withOperations(
  options: PaymentOptions,
  origin: string,
): Promise<{ outputs: RequestedOutput[]; operations: Outcome[] | null }> {
  // Nobody is asked for a key for scripts that cannot be filled.
  refuseUnknown(options.outputs, options.cryptoOperations ?? []);
  const { operations, outcomes } = await begin(options, origin);
  const outputs = substitute(options.outputs, withStandIns(operations, outcomes));
  return { outputs, operations: options.cryptoOperations ? outcomes : null };
}

/**
 * Finishes the operations of a payment that waits for the user, where they are not; what is new to see must be read
 * first, so the time to read begins again.
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
