/**
 * What a payment costs its payer: exact sums of decimal texts, satoshis at a rate, the network's fee. Never a float.
 */
import { isAssetName } from '../protocol/asset-name.ts';
import type { PageRates } from '../protocol/page-messages.ts';
import type { PaymentOptions, RequestedOutput } from '../protocol/payment.ts';

/** Digits behind the point of a {@link Fixed}. */
const SCALE = 18;
/** A decimal number as a whole number of 10^-18: no amount and no rate has more digits. */
type Fixed = bigint;

function fixed(text: string): Fixed {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(SCALE, '0'));
}

function decimalText(value: Fixed): string {
  return `${value}`
    .padStart(SCALE + 1, '0')
    .replace(/(?=.{18}$)/, '.')
    .replace(/\.?0+$/, '');
}

/** The sum of decimal texts. */
export function sum(amounts: readonly string[]): string {
  return amounts.length === 1 ? amounts[0]! : decimalText(amounts.reduce((total, amount) => total + fixed(amount), 0n));
}

/** Is an asset paid, besides money or alone? */
export const paysAsset = ({ outputs }: PaymentOptions) => outputs.some(({ currency }) => isAssetName(currency));

/** Is it something, and yet less than a satoshi by these rates? False where they are unknown. */
export function isBelowSatoshi({ amount, currency }: RequestedOutput, { prices }: PageRates): boolean {
  const [own, units] = [prices[currency], fixed(amount)];
  return !!own && units > 0n && units * 100_000_000n < fixed(own);
}

/** Is it the user who is paid? Wallets report who that is to sites that have an allowance. */
function isToPayer({ to, paymail, userId }: RequestedOutput, { payer }: PageRates): boolean {
  const recipient = (to ?? paymail ?? userId ?? '').toLowerCase();
  return !!payer && [payer.userId, payer.paymail].includes(recipient);
}

/** Bytes of a transaction with one input and change, and of one more output that pays a public key hash. */
const BASE_SIZE = 192;
const OUTPUT_SIZE = 34;

/** Bytes of the transaction, about: how many coins the wallet will take is not known here, and nobody's business. */
function sizeOf({ outputs, opReturn = '' }: PaymentOptions): number {
  const data = new TextEncoder().encode(opReturn).length;
  return (
    outputs.reduce((size, { to, script }) => size + Math.max(OUTPUT_SIZE, (script ?? to ?? '').length / 2), BASE_SIZE) +
    (data && data + 16)
  );
}

/** What a payment costs, in the payer's currency: with the fee, and the fee alone. Decimal texts, about. */
export interface Cost {
  total: string;
  fee: string;
  currency: string;
  /** True where the payer pays nobody else: the fee is all that it costs. */
  isOwn: boolean;
}

/** The cost, or null where the rates are unknown. */
export function costOf(payment: PaymentOptions, rates: PageRates): Cost | null {
  const { currency, prices, feeRate } = rates;
  const others = payment.outputs.filter((output) => !isToPayer(output, rates));
  try {
    const price = fixed(prices[currency]!);
    const fee =
      (BigInt(Math.ceil(sizeOf(payment))) * BigInt(feeRate.satoshis) + BigInt(feeRate.bytes) - 1n) /
      BigInt(feeRate.bytes);
    const satoshis = others.reduce((total, output) => {
      const own = fixed(prices[output.currency]!);
      // Half up, as the wallet does.
      return total + (fixed(output.amount) * 200_000_000n + own) / (2n * own);
    }, fee);
    return {
      total: decimalText((satoshis * price) / 100_000_000n),
      fee: decimalText((fee * price) / 100_000_000n),
      currency,
      isOwn: !others.some(({ amount }) => fixed(amount)),
    };
  } catch {
    return null; // No price, or a zero, or a fee of half a satoshi: the wallet's window still shows the cost.
  }
}
