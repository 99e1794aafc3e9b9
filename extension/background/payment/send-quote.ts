/** What it would cost to send money from the wallet's own window. Works while the wallet is locked. */
import { ServiceError, toWireError, type ErrorCode } from '../../../protocol/errors.ts';
import type { Network } from '../../../protocol/address.ts';
import { fromSatoshis, parseDecimal, satoshisToBsv, toSatoshis } from '../../../protocol/money.ts';
import type { SendQuote, SendRecipient, WalletParams } from '../../../protocol/wallet-messages.ts';
import { feeRate } from '../chain/network.ts';
import { rateOf, rateOrNull } from '../chain/rates.ts';
import { everyCoin } from '../coins/choose.ts';
import { availableCoins, balance } from '../coins/store.ts';
import { readKey } from '../database.ts';
import { quoteOf, recipientOf, resolveOutput } from '../recipients/resolve.ts';
import type { Recipient } from '../recipients/resolvers.ts';
import { readSettings } from '../settings.ts';
import { planEverything } from '../transaction/plan.ts';
import { shownOutput } from './approval.ts';
import { draftPayment, transactionOutputs } from './build.ts';
import { newPayment, OWN, type PaymentRecord, type Quote, type ResolvedOutput } from './record.ts';

/** Stands for all that is left until that is known: the least that can be paid. */
const PLACEHOLDER = 1n;

/** What was typed, as far as it can be told without the coins. `amount` and `satoshis` are null for all that is left. */
interface Row {
  recipient: Recipient;
  amount: string | null;
  satoshis: bigint | null;
}

/** What rows are worked out with: `price` is what one BSV costs in `currency`. */
interface Terms {
  currency: string;
  price: string;
  network: Network;
}

/**
 * The quote. What is wrong with a single row is said of that row; the fee is the most that will be paid.
 * @throws ServiceError `mixed-currencies`, `wallet-not-set-up`
 */
export async function quoteSend({ recipients }: WalletParams<'send/quote'>): Promise<SendQuote> {
  if (!(await readKey('vault'))) throw new ServiceError('wallet-not-set-up');
  const currency = recipients[0]?.currency ?? '';
  if (recipients.some((one) => one.currency !== currency)) throw new ServiceError('mixed-currencies');
  const settings = await readSettings();
  const bad: Record<number, ErrorCode> = {};
  const answer: SendQuote = {
    outputs: [], satoshis: '0', feeSatoshis: null, totalSatoshis: null, balanceSatoshis: (await balance()).satoshis.toString(),
    rate: await rateOrNull(settings.currency), time: Date.now(), problem: null, badRecipients: bad,
  };
  /** Does something with every row. Null where that failed, which is noted. */
  const each = <A, B>(rows: readonly A[], work: (row: A) => B | Promise<B>) => Promise.all(rows.map(async (row, place) => {
    try {
      return await work(row);
    } catch (error) {
      bad[place] = toWireError(error).code;
      return null;
    }
  }));
  try {
    const rate = await rateOf(currency).catch(toWireError);
    const rows = (await each(recipients, (one) => readRow(one, 'price' in rate ? rate.price : null))).filter((row) => row !== null);
    if (!('price' in rate)) return { ...answer, problem: rate };
    if (rows.length < recipients.length) return answer;
    const terms = { currency, price: rate.price, network: settings.network };
    const outputs = (await each(rows, (row) => outputOf(row, row.satoshis ?? PLACEHOLDER, terms))).filter((output) => output !== null);
    if (outputs.length < rows.length) return answer;
    answer.time = rate.time;
    const place = rows.findIndex(({ satoshis }) => satoshis === null);
    if (place < 0) {
      // Shown also where it cannot be paid: one sees what is missing.
      const quote = quoteOf(outputs);
      Object.assign(answer, await partsOf(quote, settings.network));
      return { ...answer, ...costOf(quote, (await draftPayment(sendRecord(quote))).plan.feeSatoshis) };
    }
    const all = await everythingFor(outputs);
    outputs[place] = await outputOf(rows[place] as Row, PLACEHOLDER + all.left, terms);
    const quote = quoteOf(outputs);
    return { ...answer, ...(await partsOf(quote, settings.network)), ...costOf(quote, all.feeSatoshis) };
  } catch (error) {
    return { ...answer, problem: toWireError(error) };
  }
}

/** @throws ServiceError `invalid-recipient`, `invalid-amount`, `amount-too-small` */
function readRow({ to, amount }: SendRecipient, price: string | null): Row {
  const recipient = recipientOf({ to });
  if (amount === null) return { recipient, amount, satoshis: null };
  parseDecimal(amount);
  return { recipient, amount, satoshis: price === null ? null : toSatoshis(amount, price) };
}

function outputOf({ recipient, amount }: Row, satoshis: bigint, { currency, price, network }: Terms): Promise<ResolvedOutput> {
  return resolveOutput(recipient, { amount: amount ?? worthOf(satoshis, currency, price), currency, satoshis }, network);
}

/** What all that is left is worth, for the record: exact in BSV, else rounded to cents, or finer where that would be nothing. */
function worthOf(satoshis: bigint, currency: string, price: string): string {
  if (currency === 'BSV') return satoshisToBsv(satoshis);
  const cents = fromSatoshis(satoshis, price, 2);
  return /[1-9]/.test(cents) ? cents : fromSatoshis(satoshis, price, 8);
}

async function everythingFor(outputs: ResolvedOutput[]): Promise<{ left: bigint; feeSatoshis: bigint }> {
  const rate = await feeRate();
  return planEverything({ inputs: await everyCoin(availableCoins, rate), outputs: transactionOutputs(quoteOf(outputs), undefined), rate });
}

async function partsOf({ outputs, satoshis }: Quote, network: Network): Promise<Pick<SendQuote, 'outputs' | 'satoshis'>> {
  return { outputs: await Promise.all(outputs.map((output) => shownOutput(output, network))), satoshis: satoshis.toString() };
}

function costOf({ satoshis }: Quote, fee: bigint): Pick<SendQuote, 'feeSatoshis' | 'totalSatoshis'> {
  return { feeSatoshis: fee.toString(), totalSatoshis: (satoshis + fee).toString() };
}

/** The payment that sends what a quote says. The service is not told of it. */
export function sendRecord(quote: Quote, more: Partial<PaymentRecord> = {}): PaymentRecord {
  const outputs = quote.outputs.map(({ to, amount, currency }) => ({ to, amount, currency }));
  return newPayment({ requestId: '', origin: OWN, options: { outputs }, state: 'requested', quote, report: 'none', ...more });
}
