/** Quotes a transfer from the wallet's own window. Works while the wallet is locked. */
import { p2pkhScript, type Network } from '../../../../protocol/bitcoin/address.ts';
import { fromHex } from '../../../../protocol/bitcoin/bytes.ts';
import { ServiceError, toWireError, type ErrorCode } from '../../../../protocol/errors/service-error.ts';
import { fromSatoshis, parseDecimal, satoshisToBsv, toSatoshis } from '../../../../protocol/money/money.ts';
import type { SendQuote, SendRecipient, WalletParams } from '../../../../protocol/messages/wallet-messages.ts';
import { rateOf, rateOrNull } from '../../../chain/rates.ts';
import { awaitsChange } from '../../../coins/choose.ts';
import { balance } from '../../../coins/coin-store.ts';
import { readKey } from '../../../store/database.ts';
import { outputOf, quoteOf, recipientOf, type Recipient, transactionOutputs } from '../../../recipients/resolve.ts';
import { readSettings } from '../../../settings.ts';
import { shownOutputs } from '../page/known-recipients.ts';
import { cachedDraft } from '../../plan/kept-draft.ts';
import { mayPayTwice } from '../../network/replace.ts';
import { sendMax } from './send-max.ts';
import { returnDestinations, obtainDestination, type CachedDestination } from './kept-destinations.ts';
import type { PaymentRecord } from '../../record.ts';
import { newPayment, newReport } from '../../start.ts';
import type { Quote } from '../../../recipients/quote.ts';
import { OWN } from '../../../sites/site.ts';
import type { Wallet } from '../../../platform.ts';

/** A parsed row of the send form. `amount` and `satoshis` are null for the row that gets the remaining balance. */
interface Row {
  recipient: Recipient;
  amount: string | null;
  satoshis: bigint | null;
}

/**
 * Quotes a transfer. An error that concerns one row is reported for that row. The fee is the maximum that will be paid.
 * @throws ServiceError `mixed-currencies`, `wallet-not-set-up`
 */
export async function quoteSend(wallet: Wallet, { recipients }: WalletParams<'send/quote'>): Promise<SendQuote> {
  if (!(await readKey(wallet, 'vault'))) throw new ServiceError('wallet-not-set-up');
  const currency = recipients[0]?.currency ?? '';
  if (recipients.some((one) => one.currency !== currency)) throw new ServiceError('mixed-currencies');
  const settings = await readSettings(wallet);
  const bad: Record<number, ErrorCode> = {};
  const answer: SendQuote = {
    outputs: [],
    satoshis: '0',
    feeSatoshis: null,
    totalSatoshis: null,
    balanceSatoshis: (await balance(wallet)).satoshis.toString(),
    rate: await rateOrNull(wallet, settings.currency),
    time: wallet.now(),
    problem: null,
    badRecipients: bad,
  };
  /** Applies `work` to every row and stores each row's error. Throws if any row failed, after all have finished. */
  const each = async <A, B>(rows: readonly A[], work: (row: A, place: number) => B | Promise<B>): Promise<B[]> => {
    const done = await Promise.allSettled(rows.map(async (row, place) => work(row, place)));
    for (const [place, one] of done.entries()) if (one.status === 'rejected') bad[place] = toWireError(one.reason).code;
    return done.map((one) => {
      if (one.status === 'rejected') throw one.reason;
      return one.value;
    });
  };
  const taken: CachedDestination[] = [];
  const take = async ({ recipient }: Row, satoshis: bigint) => {
    const given = await obtainDestination(wallet, recipient, satoshis);
    taken.push(given);
    return given;
  };
  try {
    const rate = await rateOf(wallet, currency).catch(toWireError);
    const rows = await each(recipients, (one) => readRow(one, 'price' in rate ? rate.price : null));
    if (!('price' in rate)) return { ...answer, problem: rate };
    const output = ({ amount }: Row, { recipient, satoshis, resolved }: CachedDestination) =>
      outputOf(recipient, { amount: amount ?? worthOf(satoshis, currency, rate.price), currency, satoshis }, resolved);
    // Hosts are queried only after the amount is known. Addresses and scripts need no host.
    const given = await each(rows, (row) =>
      row.satoshis === null && hasHost(row.recipient) ? null : take(row, row.satoshis ?? 1n),
    );
    answer.time = rate.time;
    const outputs = rows.flatMap((row, i) => (row.satoshis !== null && given[i] ? [output(row, given[i])] : []));
    const place = rows.findIndex(({ satoshis }) => satoshis === null);
    if (place < 0) {
      // Shows the outputs even if they can't be paid, so the user sees the shortfall.
      const quote = quoteOf(outputs);
      Object.assign(answer, await partsOf(wallet, quote, settings.network));
      return { ...answer, ...(await planned(wallet, quote)) };
    }
    const row = rows[place] as Row;
    const likely = given[place]?.resolved.scripts.map(({ script }) => fromHex(script)) ?? [
      p2pkhScript(new Uint8Array(20)),
    ]; // hosts usually issue one such script
    const others = outputs.length > 0 ? transactionOutputs(quoteOf(outputs), undefined) : [];
    const all = await sendMax(wallet, likely, others, (satoshis) =>
      take(row, satoshis).catch((error: unknown) => {
        bad[place] = toWireError(error).code;
        throw error;
      }),
    );
    const quote = quoteOf(outputs.toSpliced(place, 0, output(row, all.given)));
    Object.assign(answer, await partsOf(wallet, quote, settings.network));
    return { ...answer, ...(await planned(wallet, quote, all.feeSatoshis)) };
  } catch (error) {
    if (Object.keys(bad).length > 0) return answer;
    const problem = toWireError(error);
    const waits = await awaitsChange(wallet, problem, BigInt(answer.satoshis));
    return { ...answer, problem, ...(waits && { awaitsChange: true }) };
  } finally {
    returnDestinations(wallet, taken);
  }
}

/** @throws ServiceError `invalid-recipient`, `invalid-amount`, `amount-too-small` */
function readRow({ to, amount }: SendRecipient, price: string | null): Row {
  const recipient = recipientOf({ to });
  if (amount === null) return { recipient, amount, satoshis: null };
  parseDecimal(amount);
  return { recipient, amount, satoshis: price === null ? null : toSatoshis(amount, price) };
}

/**
 * Converts the remaining balance to a currency: exact in BSV, otherwise to the cent, or to eight decimals if that gives
 * zero.
 */
function worthOf(satoshis: bigint, currency: string, price: string): string {
  if (currency === 'BSV') return satoshisToBsv(satoshis);
  const cents = fromSatoshis(satoshis, price, 2);
  return /[1-9]/.test(cents) ? cents : fromSatoshis(satoshis, price, 8);
}

function hasHost({ type }: Recipient): boolean {
  return type === 'PAYMAIL' || type === 'USER';
}

async function partsOf(
  wallet: Wallet,
  { outputs, satoshis }: Quote,
  network: Network,
): Promise<Pick<SendQuote, 'outputs' | 'satoshis'>> {
  return {
    outputs: await shownOutputs(wallet, outputs, network),
    satoshis: satoshis.toString(),
  };
}

/** Plans a quote's transaction. @param fee the exact fee in satoshis if the whole balance is sent */
async function planned(
  wallet: Wallet,
  quote: Quote,
  fee?: bigint,
): Promise<Pick<SendQuote, 'feeSatoshis' | 'totalSatoshis' | 'mayPayTwice'>> {
  const record = sendRecord(wallet, quote);
  const { plan } = await cachedDraft(wallet, record, fee);
  const feeSatoshis = fee ?? plan.feeSatoshis;
  return {
    feeSatoshis: feeSatoshis.toString(),
    totalSatoshis: (quote.satoshis + feeSatoshis).toString(),
    ...((await mayPayTwice(wallet, record, plan)) && { mayPayTwice: true }),
  };
}

/** Creates the payment record for a quote. The payment isn't reported to the service. */
export function sendRecord(wallet: Wallet, quote: Quote, more: Partial<PaymentRecord> = {}): PaymentRecord {
  const outputs = quote.outputs.map(({ to, amount, currency }) => ({ to, amount, currency }));
  return newPayment(wallet, {
    requestId: '',
    origin: OWN,
    options: { outputs },
    state: 'requested',
    quote,
    report: newReport('none'),
    ...more,
  });
}
