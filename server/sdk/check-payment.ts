/** Checks that a payment is the one the merchant expects. Pure, no requests. */
import { p2pkhScript, readAddress } from '../../protocol/bitcoin/address.ts';
import { parseScript } from '../../protocol/bitcoin/asm.ts';
import { fromHex, toHex } from '../../protocol/bitcoin/bytes.ts';
import { parseDecimal, SATOSHIS_PER_BSV, type Decimal } from '../../protocol/money/money.ts';
import { isMalleable } from '../../protocol/bitcoin/p2pkh-unlock.ts';
import { asciiDomain } from '../../protocol/text/paymail-domain.ts';
import type { OutputScript } from '../../protocol/payments/payment-types.ts';
import { parseTransaction, txidOf, type Transaction } from '../../protocol/bitcoin/transaction.ts';
import { roundedPrice, writtenAmount } from '../../protocol/money/written-amount.ts';
import { checkValidity, isAsset, unitsFor, unitsIn, expectedToken, type Assets } from './check-tokens.ts';
import { expectedOutputs, type Expectation, type ExpectedOutput } from './expectation.ts';
import type { Payment, PaymentOutput } from './payment.ts';
import { VerificationError } from './verification-error.ts';

type WantedOutput = Omit<ExpectedOutput, 'max'> & { amount: string; max: string | undefined };

/** The price of one BSV (decimal string) by currency code. */
export type Rates = Readonly<Record<string, string>>;

interface Fraction {
  n: bigint;
  d: bigint;
}

const fraction = ({ units, scale }: Decimal): Fraction => ({ n: units, d: 10n ** BigInt(scale) });
const sum = (a: Fraction, b: Fraction): Fraction => ({ n: a.n * b.d + b.n * a.d, d: a.d * b.d });
const times = (a: Fraction, b: Fraction): Fraction => ({ n: a.n * b.n, d: a.d * b.d });
const over = (a: Fraction, b: Fraction): Fraction => ({ n: a.n * b.d, d: a.d * b.n });
const isLess = (a: Fraction, b: Fraction) => a.n * b.d < b.n * a.d;

/** Parses a positive decimal string. Throws `fault` for anything else. */
function positive(text: string, fault: VerificationError): Fraction {
  let read: Fraction;
  try {
    read = fraction(parseDecimal(text));
  } catch {
    throw fault;
  }
  if (read.n === 0n) throw fault;
  return read;
}

/** Returns an expected output with its amounts as decimal strings, rounded the same way the button rounds them. */
function withRoundedAmount(output: ExpectedOutput): WantedOutput {
  const rounded = (amount: string | number) => {
    const written = writtenAmount(amount);
    return written === null ? String(amount) : roundedPrice(written, output.currency);
  };
  return {
    ...output,
    amount: rounded(output.amount),
    max: output.max === undefined ? undefined : rounded(output.max),
  };
}

/**
 * Returns the price of one BSV in a currency. For USD, that is the service's rate at the time of the payment. For other
 * currencies, that rate is multiplied by the currency's current ratio to USD.
 */
function priceOf(currency: string, payment: Payment, rates: Rates): Fraction {
  if (currency === 'BSV') return { n: 1n, d: 1n };
  const rate = (code: string) => {
    const text = rates[code];
    if (text === undefined || !Object.hasOwn(rates, code))
      throw new VerificationError('unsupported', `No rate is known for ${code}.`);
    return positive(text, new VerificationError('unsupported', `The rate for ${code} is not a positive decimal.`));
  };
  if (payment.amountUsd === null || payment.amountUsd === undefined) return rate(currency);
  const usd = times(
    over(positive(payment.amountUsd, new VerificationError('mismatch', 'The payment is worth nothing.')), {
      n: BigInt(payment.satoshis),
      d: 1n,
    }),
    { n: SATOSHIS_PER_BSV, d: 1n },
  );
  return currency === 'USD' ? usd : over(times(usd, rate(currency)), rate('USD'));
}

/** True for a user ID (digits only) or a paymail (contains @). See the specification, section 2.1. */
const isPerson = (to: string) => /^\d+$/.test(to) || to.includes('@');

/** Returns a recipient in the form for comparison: a paymail in lower case, with its domain in ASCII. */
function comparable(to: string): string {
  if (!isPerson(to)) return to;
  const [alias = '', domain] = to.toLowerCase().split(/@([^@]*)$/);
  return domain === undefined ? alias : `${alias}@${asciiDomain(domain) ?? domain}`;
}

/** Returns the outputs reported for a recipient. A script's text, such as `1005`, can look like a user ID. */
const outputsTo = (to: string, { outputs }: Payment): PaymentOutput[] =>
  outputs.filter((output) => comparable(output.to) === comparable(to) && !(isPerson(to) && output.type === 'SCRIPT'));

function scriptOf(to: string): string {
  const address = readAddress(to);
  const script = address ? p2pkhScript(address.hash) : parseScript(to);
  if (!script || script.length === 0)
    throw new VerificationError(
      'unsupported',
      'The expected recipient is neither an address nor a script, paymail or user ID.',
    );
  return toHex(script);
}

/** Returns the token units that the transaction's scripts lock to a recipient, in the smallest unit. */
function tokensPaid(id: string, to: string, payment: Payment, outputs: Outputs): bigint {
  if (!isPerson(to)) return outputs.takeTokens(id, scriptOf(to));
  const reported = outputsTo(to, payment).filter(({ token }) => token?.id === id);
  return scriptsOf(reported, to).reduce(
    (paid, { script, satoshis }) => paid + unitsIn(script, outputs.takeOne(script, satoshis), id),
    0n,
  );
}

/** The transaction's outputs. Each output counts toward only one recipient. */
class Outputs {
  #left: { script: string; satoshis: bigint }[];

  constructor({ outputs }: Transaction) {
    this.#left = outputs.map(({ lockingScript, satoshis }) => ({ script: toHex(lockingScript), satoshis }));
  }

  /** Removes all outputs that pay a script, and returns their satoshis. */
  takeAll(script: string): bigint {
    const paid = this.#left
      .filter((output) => output.script === script)
      .reduce((all, { satoshis }) => all + satoshis, 0n);
    this.#left = this.#left.filter((output) => output.script !== script);
    return paid;
  }

  /** Removes all outputs that lock this token with `lock` (hex). Returns the token units. */
  takeTokens(id: string, lock: string): bigint {
    let paid = 0n;
    this.#left = this.#left.filter(({ script, satoshis }) => {
      const units = unitsFor(script, satoshis, id, lock);
      paid += units;
      return units === 0n;
    });
    return paid;
  }

  /** Removes an output with this script and amount, and returns its satoshis, or 0 if there is no such output. */
  takeOne(script: string, satoshis: string): bigint {
    const at = this.#left.findIndex((output) => output.script === script && output.satoshis.toString() === satoshis);
    return at < 0 ? 0n : (this.#left.splice(at, 1)[0]?.satoshis ?? 0n);
  }
}

/** Returns the scripts of outputs that pay a user of the service. @throws VerificationError `unsupported` */
function scriptsOf(reported: readonly PaymentOutput[], to: string): OutputScript[] {
  return reported.flatMap(({ scripts }) => {
    if (!scripts)
      throw new VerificationError(
        'unsupported',
        `${to} isn’t a user of this service, so payments to it can’t be checked.`,
      );
    return scripts;
  });
}

/** Returns the amount that the transaction pays to the scripts the service issued for a user. */
function paidToPerson(reported: readonly PaymentOutput[], to: string, outputs: Outputs): bigint {
  return scriptsOf(reported, to).reduce((paid, { script, satoshis }) => paid + outputs.takeOne(script, satoshis), 0n);
}

/**
 * Checks a payment from the service: status, no full refund, the transaction (strictly parsed, txid recomputed), and
 * that the transaction pays each expected recipient the expected amount. Use `txid` to record what a payment bought,
 * because the same transaction can also be a payment received by paymail, with its own `id`.
 * @param rates needed for currencies except BSV and USD
 * @param assets needed if assets are expected, unless by token ID with `decimals`
 * @throws VerificationError `not-paid`, `mismatch`, `malformed`, `unsupported`; for tokens `unverified`
 */
export function checkPayment(payment: Payment, expect: Expectation, rates: Rates = {}, assets: Assets = {}): void {
  if (payment.status !== 'COMPLETED' && (payment.status !== 'RECEIVED' || expect.completed === true)) {
    throw new VerificationError('not-paid', `The payment is ${payment.status}.`);
  }
  const isContested = payment.network !== undefined && payment.network !== 'seen';
  if (isContested && payment.status === 'RECEIVED' && expect.acceptContested !== true)
    throw new VerificationError('contested', `The payment’s network state is ${payment.network}.`);
  if (isGivenBack(payment)) throw new VerificationError('not-paid', 'The payment was fully refunded.');
  if (expect.buttonId !== undefined && payment.buttonId !== expect.buttonId)
    throw new VerificationError('mismatch', 'The payment was made by another button.');
  const transaction = transactionOf(payment);
  if (payment.status !== 'COMPLETED' && isMalleable(transaction.version))
    throw new VerificationError('not-paid', 'Others can change the transaction’s id until a block contains it.');
  const byRecipient = new Map<string, WantedOutput[]>();
  for (const output of expectedOutputs(expect).map(withRoundedAmount)) {
    const to = isPerson(output.to) ? output.to.toLowerCase() : output.to;
    // Money and assets for the same recipient are checked separately.
    const key = JSON.stringify([comparable(to), isAsset(output) && output.currency]);
    byRecipient.set(key, [...(byRecipient.get(key) ?? []), { ...output, to }]);
  }
  const paid = new Outputs(transaction);
  for (const outputs of byRecipient.values()) {
    const [{ to, currency }] = outputs as [WantedOutput];
    if (!isAsset({ currency })) {
      checkRecipient(to, outputs, payment, paid, expect.rateTolerancePercent ?? 5, rates);
      continue;
    }
    const { id, units } = expectedToken(outputs, assets);
    if (tokensPaid(id, to, payment, paid) < units)
      throw new VerificationError(
        'mismatch',
        `The transaction does not pay the expected amount of the token to ${to}.`,
      );
    checkValidity(payment, id, expect.acceptUnverifiedTokens === true);
  }
}

/** True if the payment is fully refunded. Older services don't report refunds. */
function isGivenBack({ satoshis, refundedSatoshis = '0' }: Payment): boolean {
  if (![satoshis, refundedSatoshis].every((text) => /^\d+$/.test(text)))
    throw new VerificationError('malformed', 'The satoshis of the payment are malformed.');
  return BigInt(refundedSatoshis) > 0n && BigInt(refundedSatoshis) >= BigInt(satoshis);
}

function transactionOf(payment: Payment): Transaction {
  try {
    const bytes = fromHex(payment.rawtx);
    const transaction = parseTransaction(bytes);
    if (txidOf(bytes) === payment.txid) return transaction;
  } catch (cause) {
    throw new VerificationError('malformed', 'The transaction of the payment is malformed.', { cause });
  }
  throw new VerificationError('mismatch', 'The payment’s transaction doesn’t match its txid.');
}

function checkRecipient(
  to: string,
  expected: readonly WantedOutput[],
  payment: Payment,
  outputs: Outputs,
  tolerance: number,
  rates: Rates,
): void {
  const [{ currency } = { currency: '' }] = expected;
  if (expected.some((output) => output.currency !== currency))
    throw new VerificationError('unsupported', 'The expected outputs of one recipient must have the same currency.');
  if (!Number.isInteger(tolerance) || tolerance < 0 || tolerance >= 100)
    throw new VerificationError('unsupported', 'rateTolerancePercent must be a whole number from 0 to 99.');
  const wanted = expected
    .map(({ amount }) =>
      positive(amount, new VerificationError('unsupported', 'An expected amount must be a positive decimal.')),
    )
    .reduce(sum);

  const reported = outputsTo(to, payment).filter((output) => output.currency === currency);
  if (reported.length === 0 || isLess(reportedAmount(reported), wanted))
    throw new VerificationError('mismatch', `The payment does not pay the expected amount to ${to}.`);

  const bounds = expected.flatMap(({ max }) => (max === undefined ? [] : [max]));
  if (bounds.length > 0) checkMost(expected, reportedAmount(reported), to);

  const paid = isPerson(to) ? paidToPerson(reported, to, outputs) : outputs.takeAll(scriptOf(to));
  const least = currency === 'BSV' ? wanted : times(wanted, { n: BigInt(100 - tolerance), d: 100n });
  const worth = times({ n: paid, d: SATOSHIS_PER_BSV }, priceOf(currency, payment, rates));
  if (isLess(worth, least))
    throw new VerificationError('mismatch', `The transaction does not pay the expected amount to ${to}.`);
}

/** Checks the payer's chosen maximum. @throws VerificationError `mismatch` if more was paid */
function checkMost(expected: readonly WantedOutput[], paid: Fraction, to: string): void {
  const fault = new VerificationError('unsupported', 'An expected max must be a positive decimal.');
  const most = expected.map(({ amount, max }) => positive(max ?? amount, fault)).reduce(sum);
  if (isLess(most, paid)) throw new VerificationError('mismatch', `The payment pays more than the maximum to ${to}.`);
}

function reportedAmount(outputs: readonly PaymentOutput[]): Fraction {
  const fault = new VerificationError('malformed', 'The payment contains an amount that is not a positive decimal.');
  return outputs.map(({ amount, currency }) => positive(roundedPrice(amount, currency), fault)).reduce(sum);
}
