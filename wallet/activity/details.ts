import { toHex } from '../../protocol/bitcoin/bytes.ts';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { satoshisToBsv } from '../../protocol/money/money.ts';
import { metadataOf } from '../../protocol/payments/metadata.ts';
import type { PaymentOutput } from '../../protocol/payments/payment.ts';
import type { ActivityDetails, ActivityItem, SavedOutput } from '../../protocol/messages/wallet-messages.ts';
import { contactBook } from '../contacts/store.ts';
import { contactNames } from './contact.ts';
import { amountOf } from '../allowances/decide.ts';
import { database, readKey, readTransaction } from '../store/database.ts';
import { isAbandonable } from '../payments/network/abandon.ts';
import { cancelFee } from '../payments/sources/sweep/cancel.ts';
import type { Receipt, SpentPart } from '../coins/receipts/receipt.ts';
import { inputValue } from '../payments/action.ts';
import { noteKnownPaid } from '../payments/network/replace.ts';
import type { PaymentRecord } from '../payments/record.ts';
import { isAbandoned } from '../payments/move.ts';
import type { MoneyEntry } from './newest-first.ts';
import { isShown } from './row.ts';
import { rowNow } from './row-now.ts';
import { readPayment } from '../payments/store.ts';
import { coinsAt, getCoin } from '../coins/records.ts';
import { getReceipt, readReceipt } from '../coins/receipts/receipts.ts';
import type { Wallet } from '../platform.ts';

/** Maximum number of coins checked for refunds, per address. */
const MAX_COINS_PER_ADDRESS = 100;

/**
 * Returns the details of an activity row.
 * @param id the row's ID
 * @throws ServiceError `not-found`
 */
export async function readActivity(wallet: Wallet, id: string): Promise<ActivityDetails> {
  const entry = await entryOf(wallet, id);
  if (!entry || !isShown(entry, wallet.now())) throw new ServiceError('not-found');
  const names = contactNames(entry, await contactBook(wallet));
  const named = (outputs: PaymentOutput[]): SavedOutput[] =>
    outputs.map((output, i) => ({ ...output, ...(names[i] !== undefined && { contact: names[i] }) }));
  const item = { ...(await rowNow(wallet, entry)), ...(names[0] && names.length === 1 && { contact: names[0] }) };
  const { height } = entry.record;
  if (entry.store === 'receipts') {
    return {
      item,
      height,
      outputs: named(recordedOutputsOf(entry.record)),
      data: null,
      clientIdentifier: entry.record.record?.clientIdentifier ?? null,
      ...metadataOf(entry.record.record ?? {}),
      refunds: [],
      signed: true,
      decided: null,
      debit: null,
      report: null,
      serviceReport: null,
      deliveries: [],
      operations: [],
    };
  }
  const { quote, options, signed, allowance } = entry.record;
  void noteKnownPaid(wallet, entry.record).catch(() => undefined);
  return {
    item,
    height,
    ...(item.trouble && { cancelFee: await feeOf(wallet, item) }),
    ...(item.trouble && (await isAbandonable(wallet, entry.record.id)) && { canEnd: true as const }),
    outputs: named(quote.outputs.map(({ scripts, host, ...output }) => output)),
    data: dataOf(options.opReturn),
    clientIdentifier: options.clientIdentifier ?? null,
    ...metadataOf(options),
    refunds: await refundsOf(wallet, entry.record),
    signed: signed !== null,
    decided: signed === null ? null : allowance ? (allowance.key[2] === 'any-site' ? 'swipe' : 'allowance') : 'by-hand',
    debit: shownDebitOf(entry.record),
    report: await reportOf(wallet, entry.record),
    serviceReport: serviceReportOf(entry.record),
    deliveries: deliveriesOf(entry.record),
    operations: signed === null ? [] : (entry.record.operations ?? []),
    ...broughtAlong(entry.record),
  };
}

/** Returns the labels of an application's action, and the value of the inputs that it contributed. */
function broughtAlong({ action }: PaymentRecord): Pick<ActivityDetails, 'labels' | 'brought'> {
  if (!action) return {};
  const brought = inputValue(action);
  return { labels: action.labels, ...(brought > 0n && { brought: brought.toString() }) };
}

/**
 * Returns the outputs, with the recipients that the service recorded, if any. Amounts always come from the transaction.
 */
function recordedOutputsOf({ spent, record }: Receipt): ActivityDetails['outputs'] {
  if (!spent) return [];
  if (!record) return outputsOf(spent);
  return record.outputs.map(({ type, to, address, satoshis }) => ({
    type,
    to,
    paymail: type === 'PAYMAIL' ? to : null,
    userId: type === 'USER' ? to : null,
    address,
    script: null,
    amount: satoshisToBsv(satoshis),
    currency: 'BSV',
    satoshis: satoshis.toString(),
  }));
}

/** Returns the recipients, with amounts in BSV, because the requested currency isn't recorded on the chain. */
function outputsOf({ paid }: SpentPart): ActivityDetails['outputs'] {
  return paid.map(({ address, satoshis }) => ({
    type: address === null ? 'SCRIPT' : 'ADDRESS',
    to: address ?? '',
    paymail: null,
    userId: null,
    address,
    script: null,
    amount: satoshisToBsv(satoshis),
    currency: 'BSV',
    satoshis: satoshis.toString(),
  }));
}

/** Returns the payment's refunds: money received later at the address of its first input, or by paymail. */
async function refundsOf(
  wallet: Wallet,
  { id, signed, refundedBy = [] }: PaymentRecord,
): Promise<ActivityDetails['refunds']> {
  const tx = readTransaction(await database(wallet));
  const spent = await getCoin(tx, signed?.inputs[0] ?? '');
  const coins = spent ? await coinsAt(tx, spent.script, MAX_COINS_PER_ADDRESS) : [];
  const refunds: ActivityDetails['refunds'] = [];
  for (const txid of new Set([...refundedBy, ...coins.map((coin) => coin.txid)])) {
    const receipt = await getReceipt(tx, txid);
    if (receipt?.refundOf?.id !== id || receipt.failed) continue;
    // Outputs at other addresses don't belong to the refund.
    const satoshis = refundedBy.includes(txid)
      ? receipt.satoshis
      : coins.reduce((sum, coin) => sum + (coin.txid === txid ? coin.satoshis : 0n), 0n);
    const { isConfirmed = false } = receipt.refundOf;
    refunds.push({ txid, satoshis: satoshis.toString(), time: receipt.createdAt, ...(isConfirmed && { isConfirmed }) });
  }
  return refunds.toSorted((one, other) => other.time - one.time);
}

async function reportOf(
  wallet: Wallet,
  { signed, report: { state } }: PaymentRecord,
): Promise<ActivityDetails['report']> {
  if (signed === null || state === 'none') return null;
  return state === 'waiting' && !(await readKey(wallet, 'account')) ? null : state;
}

function serviceReportOf({ serviceReport }: PaymentRecord): ActivityDetails['serviceReport'] {
  if (!serviceReport) return null;
  const { service, state } = serviceReport;
  return state === 'by-account' ? null : { host: new URL(service).host, state };
}

/** Returns the cost of canceling a payment (satoshis), or null if it can't be canceled now. */
async function feeOf(wallet: Wallet, { id, trouble }: ActivityItem): Promise<string | null> {
  const cannot = trouble === 'slow' || trouble === 'replaced' || trouble === 'cancelling';
  return cannot ? null : ((await cancelFee(wallet, id))?.toString() ?? null);
}

function deliveriesOf({ quote, deliveries }: PaymentRecord): ActivityDetails['deliveries'] {
  return deliveries.flatMap(({ output, state }) => {
    const host = quote.outputs[output]?.host;
    return host ? [{ paymail: host.paymail, host: new URL(host.origin).host, state }] : [];
  });
}

async function entryOf(wallet: Wallet, id: string): Promise<MoneyEntry | null> {
  const payment = await readPayment(wallet, id);
  if (payment) return { store: 'payments', record: payment, time: payment.createdAt, id };
  const receipt = await readReceipt(wallet, id);
  return receipt ? { store: 'receipts', record: receipt, time: receipt.createdAt, id } : null;
}

function dataOf(opReturn: string | undefined): ActivityDetails['data'] {
  if (opReturn === undefined || opReturn === '') return null;
  const bytes = new TextEncoder().encode(opReturn);
  return { text: opReturn, hex: toHex(bytes), bytes: bytes.length };
}

/** Returns the debit from the site's allowance. Null for a failed payment, unless it could still be mined. */
function shownDebitOf(payment: PaymentRecord): ActivityDetails['debit'] {
  const taken = payment.allowance;
  if (!taken || (payment.state === 'failed' && !isAbandoned(payment))) return null;
  return { amount: amountOf(taken.debit), currency: taken.currency };
}
