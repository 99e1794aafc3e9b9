/** Crypto operations of a payment: finished before the user sees the fee, with their values in its scripts. */
import { ServiceError } from '../../../../protocol/errors/service-error.ts';
import type { PaymentOptions, RequestedOutput } from '../../../../protocol/payments/payment.ts';
import type { PaymentRecord } from '../../record.ts';
import { readOperations } from '../../../crypto-operations/read.ts';
import { finishOperations, withStandIns, begin, showsMore } from '../../../crypto-operations/run.ts';
import { refuseUnknown, requoted, substitute } from '../../../crypto-operations/substitute.ts';
import { promptKeyOf } from '../../prompt.ts';
import { transition } from '../../transition.ts';
import { readAgain } from '../../../prompts/decide.ts';
import { promptIn, updatePrompt } from '../../../prompts/store.ts';
import { areFinished, type Outcome } from '../../../crypto-operations/outcome.ts';
import type { Wallet } from '../../../platform.ts';

/** The outputs of a request with the results of its operations so far, and placeholders for the rest. */
export async function withOperations(
  wallet: Wallet,
  options: PaymentOptions,
  origin: string,
): Promise<{ outputs: RequestedOutput[]; operations: Outcome[] | null }> {
  // Hosts aren't queried for scripts that can't be completed.
  refuseUnknown(options.outputs, options.cryptoOperations ?? []);
  const { operations, outcomes } = await begin(wallet, options, origin);
  const outputs = substitute(options.outputs, withStandIns(operations, outcomes));
  return { outputs, operations: options.cryptoOperations ? outcomes : null };
}

/**
 * Finishes the operations of a payment that waits for the user. New contents restart the reading time.
 * @returns the current payment
 * @throws ServiceError those of {@link finishOperations}; `approval-unknown` (it no longer waits)
 */
export async function finishInPayment(wallet: Wallet, record: PaymentRecord): Promise<PaymentRecord> {
  const { options, operations: begun } = record;
  if (!begun || areFinished(begun)) return record;
  const operations = readOperations(wallet, options.cryptoOperations ?? []);
  const outcomes = await finishOperations(wallet, operations, begun);
  const finished = await transition(wallet, record.id, 'requested', async ({ quote }, tx) => {
    const prompt = await promptIn(tx, promptKeyOf(record));
    if (prompt && showsMore(begun)) await updatePrompt(tx, prompt, readAgain(prompt));
    return { operations: outcomes, quote: requoted(quote, options.outputs, outcomes) };
  });
  if (!finished) throw new ServiceError('approval-unknown');
  return finished;
}
