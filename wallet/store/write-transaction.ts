/** The transaction for decisions, and what it writes along with each payment and receipt. */
import type { PaymentRecord } from '../payments/record.ts';
import type { Receipt } from '../coins/receipts/receipt.ts';
import { lightCopyOf } from './light-payment.ts';
import type { Database, SearchPageKey } from './schema.ts';

type PlainTransaction = ReturnType<typeof plainTransaction>;

export function beginTransaction(db: Database): PlainTransaction {
  const tx = plainTransaction(db);
  return withMethods(tx, {
    objectStore: (name: (typeof tx.objectStoreNames)[number]) =>
      name === 'payments' || name === 'receipts' ? pagedStore(tx, name) : tx.objectStore(name),
  } as Partial<typeof tx>);
}

/** The stores that a decision may read or change. */
export const DECIDED = [
  'requests',
  'payments',
  'receipts',
  'operations',
  'history',
  'coins',
  'totals',
  'addresses',
  'assets',
  'headers',
  'allowances',
  'prompts',
  'sites',
  'permissions',
  'manifests',
  'paymails',
  'appOutputs',
  'appActions',
  'appLog',
  'searchPages',
  'lightPayments',
] as const;

const plainTransaction = (db: Database) => db.transaction(DECIDED, 'readwrite');

/** Returns the key range of pages that end above a position, in ascending order. */
export function pagesAbove(store: SearchPageKey[0], { time, id }: { time: number; id: string }): IDBKeyRange {
  return IDBKeyRange.bound([store, time, id, []], [store, []], true);
}

/**
 * Wraps a store so that each write also marks the record in its search page, for the next search to update, and
 * maintains the copies of large payments. Callers needn't do this.
 */
function pagedStore(tx: PlainTransaction, name: SearchPageKey[0]) {
  const store = tx.objectStore(name);
  const pages = tx.objectStore('searchPages');
  const copies = tx.objectStore('lightPayments');
  const mark = async (record: PaymentRecord | Receipt) => {
    const [time, id] = [record.createdAt, 'txid' in record ? record.txid : record.id];
    const page = (await pages.getKey(pagesAbove(name, { time, id }))) as SearchPageKey | undefined;
    if (page && isWithin(page, time, id)) await pages.put('', ['changed', name, time, id]);
  };
  const copy = async (record: PaymentRecord | Receipt) => {
    if ('txid' in record) return;
    const light = lightCopyOf(record);
    await (light ? copies.put(light) : copies.delete(record.id));
  };
  const writing = (write: 'put' | 'add') => (record: PaymentRecord | Receipt) => {
    const written = store[write](record as PaymentRecord & Receipt);
    // If these fail, the transaction fails.
    mark(record).catch(() => undefined);
    copy(record).catch(() => undefined);
    return written;
  };
  const remove = async (id: string) => {
    await Promise.all([store.delete(id), ...(name === 'payments' ? [copies.delete(id)] : [])]);
  };
  return withMethods(store, { put: writing('put'), add: writing('add'), delete: remove } as Partial<typeof store>);
}

/** Returns a proxy that replaces some methods. IndexedDB methods require their original object as `this`. */
function withMethods<T extends object>(target: T, own: Partial<T>): T {
  return new Proxy(target, {
    get(_, property) {
      if (Object.hasOwn(own, property)) return own[property as keyof T];
      const value: unknown = Reflect.get(target, property);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

function isWithin([, , , fromTime, fromId]: SearchPageKey, time: number, id: string): boolean {
  return time > fromTime || (time === fromTime && id >= fromId);
}
