import type { ActivityFilter } from '../../protocol/messages/wallet-messages.ts';
import type { Receipt } from '../coins/receipts/receipt.ts';
import type { SearchPageKey } from '../store/schema.ts';
import type { PaymentRecord } from '../payments/record.ts';
import { newPayment, newReport } from '../payments/start.ts';
import type { Wallet } from '../platform.ts';
import { type WorkerRun } from '../../testkit/wallet/worker-run.ts';
import { wallet } from '../../testkit/wallet/current.ts';

export const START = 1_700_000_000_000;
/** A placeholder, because the tests set times and IDs themselves. */
const NO_WALLET = { now: () => START, randomUUID: () => '' } as unknown as Wallet;
export const TO = ['mpYYAhbqNUWWTmrsjcHKkGRUFyQ1FSezFb', 'Bob@BÜCHER.example', 'carol@pay.example', '75101'];
const NOTES = ['Grüße', 'ΟΔΟΣ', 'line\nbreak', 'tab\there', 'İstanbul', 'completed', ''];
/** About two hundred records with this text fill a page. */
export const LONG = 'long '.repeat(160);
export const id = (n: number) => `payment-${String(n).padStart(6, '0')}`;

export function payment(n: number, at: number, more: Partial<PaymentRecord> = {}): PaymentRecord {
  const to = TO[n % TO.length] as string;
  const isPaymail = to.includes('@');
  const [amount, satoshis] = n % 7 === 0 ? ['1000.5', 2_001_000_000n] : ['0.1', 200_000n];
  const output = {
    type: isPaymail ? 'PAYMAIL' : to === '75101' ? 'USER' : 'ADDRESS',
    to,
    paymail: isPaymail ? to : null,
    userId: null,
    address: isPaymail ? null : to,
    script: null,
    amount,
    currency: 'USD',
    satoshis: String(satoshis),
  } as const;
  const txid = n.toString(16).padStart(64, '0');
  const record = newPayment(NO_WALLET, {
    id: id(n),
    requestId: `request-${n}`,
    origin: `https://shop-${n % 5}.example`,
    options: { outputs: [], buttonData: LONG },
    state: n % 11 === 0 ? 'failed' : 'settled',
    createdAt: at,
    updatedAt: at,
    quote: { outputs: [{ ...output, scripts: [] }], amount, currency: 'USD', satoshis },
    approvedAt: START,
    signed: {
      rawtx: '00',
      txid,
      normalizedTxid: txid,
      inputProof: '',
      feeSatoshis: 12n,
      inputs: [],
      inputSatoshis: [],
      ownOutputs: [],
    },
    report: newReport('done'),
    height: n % 3 === 0 ? null : 100,
    note: NOTES[n % NOTES.length] as string,
    ...more,
  });
  return { ...record, unfinished: 0 };
}

export const receipt = (n: number, at: number): Receipt => ({
  txid: (0xabc000 + n).toString(16).padStart(64, '0'),
  satoshis: 5000n,
  address: TO[0] as string,
  createdAt: at,
  height: n % 2 ? 7 : null,
  unconfirmed: 0,
  ...(n % 3 === 0 && {
    sender: { paymail: TO[1 + (n % 2)] as string, verified: n % 2 === 0 },
    note: NOTES[n % NOTES.length] as string,
  }),
});

export const everySecond = (count: number) => Array.from({ length: count }, (_, n) => receipt(n, START + n * 1000));

const module = <T>(path: Promise<T>) => path;

/** Returns the IDs of all matches by reading every record. */
export async function plainly(
  run: WorkerRun,
  { search = '', direction, status, from = 0, to = Infinity }: ActivityFilter,
): Promise<string[]> {
  const [{ searching, wordsOf }, { rowOf, isShown }, { contactBook }] = await Promise.all([
    module(import('./search.ts')),
    module(import('./row.ts')),
    module(import('../contacts/store.ts')),
  ]);
  const db = await run.modules.database.database(wallet);
  const entries = [
    ...(await db.getAll('payments')).map((record) => ({
      store: 'payments' as const,
      record,
      time: record.createdAt,
      id: record.id,
    })),
    ...(await db.getAll('receipts')).map((record) => ({
      store: 'receipts' as const,
      record,
      time: record.createdAt,
      id: record.txid,
    })),
  ];
  const fits = searching(wordsOf(search), await contactBook(wallet));
  return entries
    .filter((entry) => entry.time >= from && entry.time < to && isShown(entry, Date.now()) && fits(entry))
    .filter((entry) => (direction ?? rowOf(entry).direction) === rowOf(entry).direction)
    .filter((entry) => (status ?? rowOf(entry).status) === rowOf(entry).status)
    .sort((a, b) => b.time - a.time || (a.id < b.id ? 1 : -1))
    .map((entry) => entry.id);
}

/** Searches page by page, as windows do. Returns the IDs of the matches and the number of requests. */
export async function asked(
  run: WorkerRun,
  filter: ActivityFilter,
  limit = 100,
): Promise<{ ids: string[]; questions: number }> {
  const ids: string[] = [];
  let questions = 0;
  for (let before: string | null | undefined; before !== null; questions += 1) {
    const page = await run.modules.handlers.walletHandlers(wallet)['activity/list']({
      limit,
      ...filter,
      ...(before === undefined ? {} : { before }),
    });
    ids.push(...page.items.map((item) => item.id));
    before = page.before;
  }
  return { ids, questions };
}

export const write = (run: WorkerRun, records: readonly (PaymentRecord | Receipt)[]) =>
  run.modules.database.inTransaction(wallet, async (tx) => {
    for (const record of records)
      if ('txid' in record) await tx.objectStore('receipts').put(record);
      else await tx.objectStore('payments').put(record);
  });

/** Returns the keys of all pages, payments first, in ascending order of time. */
export const pageKeys = async (run: WorkerRun) =>
  (await (await run.modules.database.database(wallet)).getAllKeys('searchPages')).filter(
    (key): key is SearchPageKey => key[0] !== 'changed',
  );
export const pages = async (run: WorkerRun) => (await pageKeys(run)).length;

export const some = (first: number, count: number, more: Partial<PaymentRecord> = {}) =>
  Array.from({ length: count }, (_, n) => payment(first + n, START + (first + n) * 1000, more));
