/** Lists and exports the activity, page by page, optionally filtered. */
import type {
  ActivityFilter,
  ActivityItem,
  WalletParams,
  WalletResults,
} from '../../protocol/messages/wallet-messages.ts';
import { contactBook, type ContactBook } from '../contacts/store.ts';
import { contactNames } from './contact.ts';
import { newestFirst, wholeLine, type Entry, type MoneyEntry } from './newest-first.ts';
import { exported, isShown, rowOf } from './row.ts';
import { searching, wordsOf, worthReading } from './search.ts';
import { searchLine } from './search-line.ts';
import { rowNow } from './row-now.ts';
import { isNewer, type Position } from '../store/by-time.ts';
import type { Wallet } from '../platform.ts';

/**
 * Maximum number of records read per request. Longer searches take several requests so that none blocks the worker.
 */
const MAX_RECORDS_PER_REQUEST = 2000;
const EXPORT_ROWS = 250;

export async function listActivity(
  wallet: Wallet,
  asked: WalletParams<'activity/list'>,
): Promise<WalletResults['activity/list']> {
  const contacts = await contactBook(wallet);
  const { entries, ...rest } = await readPage(wallet, asked, asked.limit, listedStores(asked), contacts);
  const named = async (entry: Entry): Promise<ActivityItem> => {
    const [contact, ...others] = contactNames(entry, contacts);
    return { ...(await rowNow(wallet, entry)), ...(contact && others.length === 0 && { contact }) };
  };
  return { items: await Promise.all(entries.map(named)), ...rest };
}

/** Returns the stores to list. Crypto operations without a payment have no direction or status. */
const listedStores = ({ direction, status }: ActivityFilter): Entry['store'][] =>
  direction === undefined && status === undefined ? ['payments', 'receipts', 'operations'] : moneyStores(direction);

const moneyStores = (direction: ActivityFilter['direction']): MoneyEntry['store'][] =>
  direction === 'received' ? ['receipts'] : ['payments', 'receipts'];

/**
 * Returns a page of rows for an export, with additional fields. Omits crypto operations without a payment, because
 * exports are for accounting.
 */
export async function exportActivity(
  wallet: Wallet,
  asked: WalletParams<'activity/export'>,
): Promise<WalletResults['activity/export']> {
  const { entries, ...rest } = await readPage(
    wallet,
    asked,
    EXPORT_ROWS,
    moneyStores(asked.direction),
    await contactBook(wallet),
  );
  const money = entries.filter((entry) => entry.store !== 'operations');
  return {
    items: await Promise.all(money.map(async (entry) => exported(entry, await rowNow(wallet, entry)))),
    ...rest,
  };
}

type Page = { entries: Entry[] } & Omit<WalletResults['activity/list'], 'items'>;

async function readPage(
  wallet: Wallet,
  { before, ...filter }: ActivityFilter & { before?: string | undefined },
  limit: number,
  stores: readonly Entry['store'][],
  contacts: ContactBook,
): Promise<Page> {
  const { search = '', direction, status, from = 0, to } = filter;
  const now = wallet.now();
  const words = wordsOf(search);
  const fits = searching(words, contacts);
  const range = {
    before: earlier(before === undefined ? null : positionOf(before), to === undefined ? null : { time: to, id: '' }),
    since: from,
  };
  const isPicky = words.length > 0 || status !== undefined || direction !== undefined;
  const query = worthReading(words, contacts, { direction, status });
  const lines = stores.map((store) =>
    isPicky && store !== 'operations'
      ? searchLine(wallet, store, range, query)
      : wholeLine(wallet, store, range, limit + 1),
  );
  const isOfKind = (entry: Entry) => {
    const row = direction === undefined && status === undefined ? null : rowOf(entry);
    return !row || ((direction ?? row.direction) === row.direction && (status ?? row.status) === row.status);
  };
  const entries: Entry[] = [];
  let looked = 0;
  let last: Position | null = null;
  for await (const { entry, at, cost } of newestFirst(lines)) {
    looked += cost;
    last = at ?? last;
    if (entry && isShown(entry, now) && fits(entry) && isOfKind(entry)) {
      if (entries.length === limit)
        return { entries, more: true, before: placeOf(entries.at(-1) as Entry), searchedTo: null };
      entries.push(entry);
    }
    if (last && looked >= MAX_RECORDS_PER_REQUEST)
      return { entries, more: true, before: placeOf(last), searchedTo: last.time };
  }
  return { entries, more: false, before: null, searchedTo: null };
}

function earlier(a: Position | null, b: Position | null): Position | null {
  if (a === null || b === null) return a ?? b;
  return isNewer(a, b) ? b : a;
}

function placeOf({ time, id }: Position): string {
  return `${time}/${id}`;
}

function positionOf(place: string): Position {
  const slash = place.indexOf('/');
  return { time: Number(place.slice(0, slash)), id: place.slice(slash + 1) };
}
