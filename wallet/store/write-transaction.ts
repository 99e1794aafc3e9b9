/**
 * The transaction for changes to the wallet's money. Whenever a payment or receipt is written, the transaction also
 * marks the record for its search page, and updates the copy of a large payment.
 */
import type { PaymentRecord } from '../payments/record.ts';
import type { Receipt } from '../coins/receipts/receipt.ts';
import type { Database, SearchPageKey } from './schema.ts';
import type { Wallet } from '../platform.ts';

type PlainTransaction = ReturnType<typeof plainTransaction>;

export function beginTransaction(wallet: Wallet, db: Database): PlainTransaction {
  const tx = plainTransaction(db);
  return withMethods(tx, {
    objectStore: (name: (typeof tx.objectStoreNames)[number]) =>
      name === 'payments' || name === 'receipts' ? pagedStore(wallet, tx, name) : tx.objectStore(name),
  } as Partial<typeof tx>);
}

/** The stores involved in handling money. */
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
export function pagesAbove(
  wallet: Wallet,
  store: SearchPageKey[0],
  { time, id }: { time: number; id: string },
): IDBKeyRange {
  return wallet.keyRange.bound([store, time, id, []], [store, []], true);
}

/**
 * Wraps a store so that each write also updates the copies of large payments, and marks the record in its search page
 * for the next search to update.
 */
function pagedStore(wallet: Wallet, tx: PlainTransaction, name: SearchPageKey[0]) {
  const store = tx.objectStore(name);
  const pages = tx.objectStore('searchPages');
  const copies = tx.objectStore('lightPayments');
  const mark = async (record: PaymentRecord | Receipt) => {
    const [time, id] = [record.createdAt, 'txid' in record ? record.txid : record.id];
    const page = (await pages.getKey(pagesAbove(wallet, name, { time, id }))) as SearchPageKey | undefined;
    if (page && isWithin(page, time, id)) await pages.put('', ['changed', name, time, id]);
  };
  const copy = async (id: string, light: PaymentRecord | null) => {
    await (light ? copies.put(light) : copies.delete(id));
  };
  const writing = (write: 'put' | 'add') => (record: PaymentRecord | Receipt) => {
    const light = 'txid' in record ? null : lightCopyOf(record);
    const written = store[write](record as PaymentRecord & Receipt);
    // If these writes fail, so does the transaction, which reports the error.
    mark(record).catch(() => undefined);
    if (!('txid' in record)) copy(record.id, light).catch(() => undefined);
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

/** A payment is considered large if its scripts (bytes) and text (characters) exceed this total size. */
const LARGE = 16_000;
/** Maximum length of a recipient in a copy or a list (characters). A recipient may be a complete script. */
const MAX_RECIPIENT_CHARS = 500;
/** Maximum length of a payment's data in a copy (characters), enough for searches. */
const MAX_DATA_CHARS = 1_000;

interface Parts {
  options: { outputs: readonly unknown[]; opReturn?: string | undefined; cryptoOperations?: unknown };
  operations: unknown[] | null;
  quote: { outputs: readonly { to: string; script: string | null; scripts: readonly unknown[] }[] };
  signed: { rawtx: string; inputs: string[]; inputSatoshis: bigint[]; ownOutputs: string[] } | null;
  action?: {
    inputs: unknown[];
    outputs: unknown[];
    noSendChange: string[];
    beef?: unknown;
    unsigned?: { coins: string[]; change: string[] };
    expiresAt?: number;
  };
  asset?: { outputs: unknown[] };
}

/** Returns the light copy of a payment that lists use, or the payment itself if there is no copy. */
export async function lightPayment<T>(
  tx: { objectStore(name: 'payments' | 'lightPayments'): { get(id: string): Promise<T | undefined> } },
  id: string,
): Promise<T | undefined> {
  return (await tx.objectStore('lightPayments').get(id)) ?? tx.objectStore('payments').get(id);
}

/** True if any payment has a copy. */
export const hasLightCopies = async (tx: {
  objectStore(name: 'lightPayments'): { count(): Promise<number> };
}): Promise<boolean> => (await tx.objectStore('lightPayments').count()) > 0;

/** Creates the light copy of a payment that lists use. Returns null if the payment itself is small enough. */
export function lightCopyOf<T extends Parts>(payment: T): T | null {
  if (sizeOf(payment) <= LARGE) return null;
  const bare = withoutScripts(payment);
  const { quote, signed, options, operations } = bare;
  const { expiresAt, unsigned } = payment.action ?? {};
  const short = ({ to, script, ...one }: Parts['quote']['outputs'][number]) => ({
    ...one,
    to: shortRecipient(to),
    script: script ? null : script,
  });
  const copy = {
    ...bare,
    options: options && withoutData(options),
    quote: { ...quote, outputs: quote.outputs.map(short) },
    operations: operations && [],
    ...(bare.action && {
      action: {
        ...bare.action,
        // Needed to schedule unfinished payments.
        ...(expiresAt !== undefined && { expiresAt }),
        ...(unsigned && { reserved: { coins: unsigned.coins, change: unsigned.change } }),
      },
    }),
    signed: signed && { ...signed, rawtx: '', inputs: [], inputSatoshis: [], ownOutputs: [] },
  };
  // If the size comes from many small outputs, a copy saves nothing.
  return sizeOf(payment) - sizeOf(copy) > LARGE ? copy : null;
}

function withoutData({ cryptoOperations, opReturn, ...options }: Parts['options']): Parts['options'] {
  return { ...options, outputs: [], ...(opReturn !== undefined && { opReturn: cut(opReturn, MAX_DATA_CHARS) }) };
}

/** Shortens a recipient for display in lists: truncates long scripts. */
export const shortRecipient = (to: string): string => cut(to, MAX_RECIPIENT_CHARS);

/** Truncates text at a character boundary. */
function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Returns a payment without scripts, except those in its signed transaction. */
export function withoutScripts<T extends Parts>(payment: T): T {
  const { quote, action, asset } = payment;
  return {
    ...payment,
    quote: { ...quote, outputs: quote.outputs.map((output) => ({ ...output, scripts: [] })) },
    ...(action && { action: bareAction(action) }),
    ...(asset && { asset: { ...asset, outputs: [] } }),
  };
}

function bareAction({ beef, unsigned, expiresAt, ...action }: NonNullable<Parts['action']>) {
  return { ...action, inputs: [], outputs: [], noSendChange: [] };
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (ArrayBuffer.isView(value)) return value.byteLength;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce((sum: number, part) => sum + sizeOf(part), 0);
}
