/** Turns what is asked for into scripts and satoshis: recipients by their kind, amounts at the rate of this moment. */
import type { Network } from '../../../protocol/address.ts';
import { ServiceError } from '../../../protocol/errors.ts';
import { addDecimals, toSatoshis } from '../../../protocol/money.ts';
import type { RequestedOutput } from '../../../protocol/payment.ts';
import { recipientKind } from '../../../protocol/recipient.ts';
import type { Quote, ResolvedOutput } from '../payment/record.ts';
import { scriptsFor, type Recipient } from './resolvers.ts';

/**
 * Whom an output names.
 * @throws ServiceError `invalid-recipient`
 */
export function recipientOf(output: Pick<RequestedOutput, 'to' | 'paymail' | 'userId' | 'address' | 'script'>): Recipient {
  if (output.paymail !== undefined) return { type: 'PAYMAIL', text: output.paymail };
  if (output.userId !== undefined) return { type: 'USER', text: output.userId };
  if (output.address !== undefined) return { type: 'ADDRESS', text: output.address };
  if (output.script !== undefined) return { type: 'SCRIPT', text: output.script };
  const type = recipientKind(output.to ?? '');
  if (!type) throw new ServiceError('invalid-recipient');
  return { type, text: output.to ?? '' };
}

/**
 * One output with its scripts.
 * @throws ServiceError `invalid-recipient`, `unsupported-recipient`
 */
export async function resolveOutput(
  recipient: Recipient, { amount, currency, satoshis }: { amount: string; currency: string; satoshis: bigint }, network: Network,
): Promise<ResolvedOutput> {
  const { type, text } = recipient;
  return {
    type,
    to: text,
    paymail: type === 'PAYMAIL' ? text : null,
    userId: type === 'USER' ? text : null,
    address: type === 'ADDRESS' ? text : null,
    script: type === 'SCRIPT' ? text : null,
    amount,
    currency,
    satoshis: satoshis.toString(),
    ...(await scriptsFor(recipient, satoshis, network)),
  };
}

/**
 * Outputs and their sum.
 * @throws ServiceError `mixed-currencies`
 */
export function quoteOf(outputs: ResolvedOutput[]): Quote {
  const currency = outputs[0]?.currency ?? '';
  if (outputs.some((output) => output.currency !== currency)) throw new ServiceError('mixed-currencies');
  const satoshis = outputs.reduce((sum, output) => sum + BigInt(output.satoshis), 0n);
  return { outputs, amount: addDecimals(outputs.map((o) => o.amount)), currency, satoshis };
}

/**
 * Resolves outputs.
 * @param priceOf what one BSV costs in a currency now, decimal text
 * @throws ServiceError `invalid-recipient`, `unsupported-recipient`, `invalid-amount`, `amount-too-small`,
 *   `mixed-currencies`, `invalid-currency`, `rate-unavailable`
 */
export async function resolveOutputs(
  outputs: readonly RequestedOutput[],
  network: Network,
  priceOf: (currency: string) => Promise<string>,
): Promise<Quote> {
  const currency = outputs[0]?.currency ?? '';
  if (outputs.some((output) => output.currency !== currency)) throw new ServiceError('mixed-currencies');
  const recipients = outputs.map(recipientOf);
  const price = await priceOf(currency);
  const amounts = outputs.map(({ amount }) => ({ amount, currency, satoshis: toSatoshis(amount, price) }));
  return quoteOf(await Promise.all(recipients.map((recipient, i) => resolveOutput(recipient, amounts[i] as (typeof amounts)[number], network))));
}
