/**
 * Resolves a request's recipients and amounts to scripts and satoshis at the current rate, and converts quotes to
 * outputs.
 */
import { type Network, addressScript, p2pkhHash } from '../../protocol/bitcoin/address.ts';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { addDecimals, parseDecimal, toSatoshis } from '../../protocol/money/money.ts';
import type { RequestedOutput, RecipientKind } from '../../protocol/payments/payment.ts';
import { isPaymailAsAddress, recipientKind } from '../../protocol/payments/recipient.ts';
import { countHostRequests } from '../request-limits/rate-limit.ts';
import type { Quote, ResolvedOutput } from './quote.ts';
import { type Wallet, part } from '../platform.ts';
import { isDataScript, isScriptHash, parseScript } from '../../protocol/bitcoin/asm.ts';
import { TOKEN_SATOSHIS } from '../../protocol/assets/bsv21/validity.ts';
import { fromHex, toHex } from '../../protocol/bitcoin/bytes.ts';
import { ordinalDestination, paymailDestination, userDestination } from '../paymail/destination.ts';
import type { PaidHost, PaidScript } from '../paymail/paid-host.ts';
import { mentionsToken } from '../../protocol/assets/bsv21/token.ts';
import type { TransactionOutput } from '../../protocol/bitcoin/transaction.ts';
import { dataScript } from '../../protocol/bitcoin/push-data.ts';
import { MAX_OP_RETURN_BYTES } from '../../protocol/payments/limits.ts';

/** Parses the recipient of an output. @throws ServiceError `invalid-recipient` */
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

/** Returns an output with known scripts. */
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

/** Returns a quote for the outputs and their sum. @throws ServiceError `mixed-currencies` */
export function quoteOf(outputs: ResolvedOutput[]): Quote {
  const currency = outputs[0]?.currency ?? '';
  if (outputs.some((output) => output.currency !== currency)) throw new ServiceError('mixed-currencies');
  const satoshis = outputs.reduce((sum, output) => sum + BigInt(output.satoshis), 0n);
  return { outputs, amount: addDecimals(outputs.map((o) => o.amount)), currency, satoshis };
}

/** Converts a recipient's amount to satoshis. Only data-only scripts can have zero satoshis. */
function satoshisFor(recipient: Recipient, amount: string, price: string): bigint {
  return onlyWrites(recipient) && parseDecimal(amount).units === 0n ? 0n : toSatoshis(amount, price);
}

/**
 * Resolves outputs that a site requests.
 * @param priceOf returns the current price of one BSV in a currency, decimal string
 * @param origin the requesting site
 * @param service origin of the button's service, which assigned the user IDs; null for the wallet's own
 * @throws ServiceError `invalid-recipient`, `invalid-amount`, `amount-too-small`, `mixed-currencies`,
 * `invalid-currency`, `rate-unavailable`; for paymails and user IDs also `too-many-requests`, `unknown-recipient`,
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
  countHostRequests(wallet, origin, recipients.filter(({ type }) => type === 'PAYMAIL' || type === 'USER').length);
  const resolved = await Promise.all(
    recipients.map((recipient, i) =>
      scriptsFor(wallet, recipient, (amounts[i] as Money).satoshis, network, origin, service),
    ),
  );
  return quoteOf(recipients.map((recipient, i) => outputOf(recipient, amounts[i] as Money, resolved[i] as Resolved)));
}

export interface Recipient {
  type: RecipientKind;
  text: string;
}

/** A recipient with its amount and the context for resolving it. */
interface Wanted {
  text: string;
  satoshis: bigint;
  network: Network;
  /** The requesting site, or `OWN`. Hosts receive the user's identity only for `OWN`. */
  client: string;
  /** Origin of the service that assigned the user ID; null for the wallet's own. */
  service: string | null;
}

/** The scripts that pay a recipient, and the host that issued them, if any. */
export interface Resolved {
  scripts: PaidScript[];
  host: PaidHost | null;
}

/** Returns one or more scripts that together receive the requested amount. */
type Resolver = (wanted: Wanted) => Promise<Resolved>;

const resolvers = part((wallet): Record<RecipientKind, Resolver> => ({
  ADDRESS: async ({ text, satoshis, network }) => ({
    scripts: [{ script: toHex(addressScript(text, network)), satoshis }],
    host: null,
  }),
  SCRIPT: async ({ text, satoshis }) => ({
    scripts: [{ script: toHex(scriptBytes(text, satoshis)), satoshis }],
    host: null,
  }),
  PAYMAIL: ({ text, satoshis, client }) => paymailDestination(wallet, text, satoshis, client),
  USER: ({ text, satoshis, client, service }) => userDestination(wallet, text, satoshis, client, service),
}));

/** True for a data-only script (`OP_FALSE OP_RETURN`). Only these scripts get zero satoshis. */
export function onlyWrites({ type, text }: Recipient): boolean {
  const script = type === 'SCRIPT' ? parseScript(text) : null;
  return script?.[0] === 0 && isDataScript(script);
}

/** Parses a script in ASM or hex. @throws ServiceError `invalid-recipient` if it is malformed or can't be paid */
function scriptBytes(text: string, satoshis: bigint): Uint8Array {
  const script = parseScript(text);
  if (!script) throw new ServiceError('invalid-recipient');
  if (isScriptHash(script))
    throw new ServiceError('invalid-recipient', {
      message: 'Payments to script hashes (P2SH) are no longer supported by the network.',
    });
  if (isDataScript(script) && (satoshis > 0n || script[0] !== 0)) {
    throw new ServiceError('invalid-recipient', {
      message: 'A data script must begin with OP_FALSE and have the amount 0, because its money could never be spent.',
    });
  }
  return script;
}

/**
 * Returns the scripts that pay a recipient.
 * @param service origin of the service that assigned the user ID; null for the wallet's own
 * @throws ServiceError `invalid-recipient`; for paymails and user IDs also `unknown-recipient`,
 * `unsupported-recipient`, `paymail-unavailable`, `paymail-mismatch`
 */
export async function scriptsFor(
  wallet: Wallet,
  { type, text }: Recipient,
  satoshis: bigint,
  network: Network,
  client: string,
  service: string | null = null,
): Promise<Resolved> {
  const resolved = await resolvers(wallet)[type]({ text, satoshis, network, client, service });
  if (satoshis > 0n || !onlyWrites({ type, text })) checkSum(resolved.scripts, satoshis);
  return resolved;
}

/**
 * Rejects scripts if their values don't add up to `satoshis`, or if a value isn't positive.
 * @throws ServiceError `invalid-recipient`
 */
export function checkSum(scripts: readonly PaidScript[], satoshis: bigint): void {
  const sum = scripts.reduce((total, one) => total + one.satoshis, 0n);
  if (sum !== satoshis || scripts.some((one) => one.satoshis <= 0n)) {
    throw new ServiceError('invalid-recipient', {
      message: 'The amount must equal the one that the recipient requests.',
    });
  }
}

/**
 * Returns the locking script that sends a token or an ordinal to a recipient: one script for a one-satoshi output.
 * @throws ServiceError see {@link scriptsFor}
 */
export async function ordinalScriptFor(
  wallet: Wallet,
  { type, text }: Recipient,
  network: Network,
  client: string,
  service: string | null = null,
): Promise<Resolved & { scripts: [PaidScript] }> {
  const { scripts, host } =
    type === 'ADDRESS' || type === 'SCRIPT'
      ? await scriptsFor(wallet, { type, text }, TOKEN_SATOSHIS, network, client)
      : await ordinalDestination(wallet, text, type, client, service);
  const [lock] = scripts;
  // Tokens are spent with one key, and few wallets would find or spend a token with a different lock.
  if (!lock || !p2pkhHash(fromHex(lock.script)))
    throw new ServiceError('invalid-recipient', {
      message: 'An asset’s recipient must be an address, or the script of one.',
    });
  return { scripts: [lock], host };
}

/** Returns a request's data output, or null. */
export function dataOutput(opReturn: string | undefined): TransactionOutput | null {
  if (opReturn === undefined || opReturn === '') return null;
  const data = new TextEncoder().encode(opReturn);
  if (data.length > MAX_OP_RETURN_BYTES) throw new ServiceError('data-too-large');
  return { satoshis: 0n, lockingScript: dataScript(data) };
}

/** Returns a quote's transaction outputs, with data after payments. */
export function transactionOutputs(quote: Quote, opReturn: string | undefined): TransactionOutput[] {
  const outputs = quote.outputs.flatMap(({ scripts }) =>
    scripts.map(({ script, satoshis }) => ({ satoshis, lockingScript: fromHex(script) })),
  );
  const data = dataOutput(opReturn);
  return data ? [...outputs, data] : outputs;
}

/**
 * Rejects an asset payment if another output or the data might contain a token. If a token's outputs exceed its inputs,
 * none of them is valid, including the change, so an ambiguous output could invalidate them all.
 * @throws ServiceError `invalid-recipient`
 */
export function refuseClaims(quote: Quote, opReturn: string | undefined): void {
  if (!quote.asset) return;
  const others = { ...quote, outputs: quote.outputs.filter(({ token }) => !token) };
  if (transactionOutputs(others, opReturn).some(({ lockingScript }) => mentionsToken(lockingScript)))
    throw new ServiceError('invalid-recipient', {
      message:
        'A payment in an asset can’t contain other outputs or data that mention tokens, because the asset would be lost.',
    });
}
