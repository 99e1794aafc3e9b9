/** Turns a request into scripts and satoshis: recipients by their kind, amounts at the current rate. */
import type { Network } from '../../../protocol/address.ts';
import { ServiceError } from '../../../protocol/errors.ts';
import { addDecimals, parseDecimal, toSatoshis } from '../../../protocol/money.ts';
import type { RequestedOutput } from '../../../protocol/payment.ts';
import { isPaymailAsAddress, recipientKind } from '../../../protocol/recipient.ts';
import { takeHostRequests } from '../rate-limit.ts';
import { onlyWrites, scriptsFor, type Recipient, type Resolved } from './resolvers.ts';
import type { Quote, ResolvedOutput } from './quote.ts';

/**
 * Whom an output names.
 * @throws ServiceError `invalid-recipient`
 */
export function recipientOf(
  output: Pick<RequestedOutput, 'to' | 'paymail' | 'userId' | 'address' | 'script'>,
): Recipient {
  if (output.paymail !== undefined) return { type: 'PAYMAIL', text: output.paymail };
  if (output.userId !== undefined) return { type: 'USER', text: output.userId };
  if (output.address !== undefined && isPaymailAsAddress('address', output.address))
    return { type: 'PAYMAIL', text: output.address };
  if (output.address !== undefined) return { type: 'ADDRESS', text: output.address };
  if (output.script !== undefined) return { type: 'SCRIPT', text: output.script };
  const type = recipientKind(output.to ?? '');
  if (!type) throw new ServiceError('invalid-recipient');
  return { type, text: output.to ?? '' };
}

/** What a recipient gets. `amount` is decimal text in `currency`. */
export interface Money {
  amount: string;
  currency: string;
  satoshis: bigint;
}

/** One output, whose scripts are known. */
export function outputOf(
  { type, text }: Recipient,
  { amount, currency, satoshis }: Money,
  resolved: Resolved,
): ResolvedOutput {
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
    ...resolved,
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

/** What a recipient gets. Zero is for what only writes data, and nothing else is for that. */
function satoshisFor(recipient: Recipient, amount: string, price: string): bigint {
  return onlyWrites(recipient) && parseDecimal(amount).units === 0n ? 0n : toSatoshis(amount, price);
}

/**
 * Resolves outputs that a site asks for.
 * @param priceOf what one BSV costs in a currency now, decimal text
 * @param origin the site that asks
 * @param service origin of the service that its button belongs to, and whose user IDs it names; null for the wallet's own
 * @throws ServiceError `invalid-recipient`, `invalid-amount`, `amount-too-small`, `mixed-currencies`,
 * `invalid-currency`,
 *   `rate-unavailable`; of paymails and user IDs also `too-many-requests`, `unknown-recipient`, `unsupported-recipient`,
 *   `paymail-unavailable`, `paymail-mismatch`
 */
export async function resolveOutputs(
  outputs: readonly RequestedOutput[],
  network: Network,
  priceOf: (currency: string) => Promise<string>,
  origin: string,
  service: string | null = null,
): Promise<Quote> {
  const currency = outputs[0]?.currency ?? '';
  if (outputs.some((output) => output.currency !== currency)) throw new ServiceError('mixed-currencies');
  const recipients = outputs.map(recipientOf);
  const price = await priceOf(currency);
  const amounts = outputs.map(({ amount }, i) => ({
    amount,
    currency,
    satoshis: satoshisFor(recipients[i] as Recipient, amount, price),
  }));
  takeHostRequests(origin, recipients.filter(({ type }) => type === 'PAYMAIL' || type === 'USER').length);
  const resolved = await Promise.all(
    recipients.map((recipient, i) => scriptsFor(recipient, (amounts[i] as Money).satoshis, network, origin, service)),
  );
  return quoteOf(recipients.map((recipient, i) => outputOf(recipient, amounts[i] as Money, resolved[i] as Resolved)));
}
