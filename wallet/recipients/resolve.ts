/** Turns a request into scripts and satoshis: recipients by their kind, amounts at the current rate. */
import type { Network } from '../../protocol/bitcoin/address.ts';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { addDecimals, parseDecimal, toSatoshis } from '../../protocol/money/money.ts';
import type { RequestedOutput } from '../../protocol/payments/payment.ts';
import { isPaymailAsAddress, recipientKind } from '../../protocol/payments/recipient.ts';
import { takeHostRequests } from '../request-limits/rate-limit.ts';
import { onlyWrites, scriptsFor, type Recipient, type Resolved } from './resolvers.ts';
import type { Quote, ResolvedOutput } from './quote.ts';
import type { Wallet } from '../platform.ts';

/** The recipient that an output names. @throws ServiceError `invalid-recipient` */
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

export interface Money {
  amount: string;
  currency: string;
  satoshis: bigint;
}

/** One output with known scripts. */
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

/** Outputs and their sum. @throws ServiceError `mixed-currencies` */
export function quoteOf(outputs: ResolvedOutput[]): Quote {
  const currency = outputs[0]?.currency ?? '';
  if (outputs.some((output) => output.currency !== currency)) throw new ServiceError('mixed-currencies');
  const satoshis = outputs.reduce((sum, output) => sum + BigInt(output.satoshis), 0n);
  return { outputs, amount: addDecimals(outputs.map((o) => o.amount)), currency, satoshis };
}

/** A recipient's satoshis. Zero is only for data-only scripts, and required for them. */
function satoshisFor(recipient: Recipient, amount: string, price: string): bigint {
  return onlyWrites(recipient) && parseDecimal(amount).units === 0n ? 0n : toSatoshis(amount, price);
}

/**
 * Resolves outputs that a site requests.
 * @param priceOf the current price of one BSV in a currency, decimal text
 * @param origin the requesting site
 * @param service origin of its button's service, whose user IDs it names; null for the wallet's own
 * @throws ServiceError `invalid-recipient`, `invalid-amount`, `amount-too-small`, `mixed-currencies`,
 * `invalid-currency`, `rate-unavailable`; of paymails and user IDs also `too-many-requests`, `unknown-recipient`,
 * `unsupported-recipient`, `paymail-unavailable`, `paymail-mismatch`
 */
export async function resolveOutputs(
  wallet: Wallet,
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
  takeHostRequests(wallet, origin, recipients.filter(({ type }) => type === 'PAYMAIL' || type === 'USER').length);
  const resolved = await Promise.all(
    recipients.map((recipient, i) =>
      scriptsFor(wallet, recipient, (amounts[i] as Money).satoshis, network, origin, service),
    ),
  );
  return quoteOf(recipients.map((recipient, i) => outputOf(recipient, amounts[i] as Money, resolved[i] as Resolved)));
}
