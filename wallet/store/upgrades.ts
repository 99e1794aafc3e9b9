/** Creates the database, or upgrades it from an earlier version. */
import type { IDBPTransaction, StoreNames } from 'idb';
import type { LoggedEntry } from '../app-log/entry.ts';
import { lightCopyOf } from './write-transaction.ts';
import { noteSeenAddresses } from './seen-addresses.ts';
import { type Wallet } from '../platform.ts';
import type { Database, Schema } from './schema.ts';

export const VERSION = 7;

/** Upgrades a database from version `from`; 0 for a new one. */
export function upgrade(wallet: Wallet, db: Database, from: number, tx: Upgrade): void {
  if (from < 1) createStores(db);
  if (from < 2) addVersion2(db, tx);
  if (from < 3) db.createObjectStore('searchPages');
  if (from < 4) addVersion4(tx);
  if (from < 7) {
    db.createObjectStore('lightPayments', { keyPath: 'id' });
    void changeRecords(wallet, tx, from);
  }
}

/**
 * Creates the stores of version 1. Must not change after the first release. Each later version has its own step below,
 * which works on the stores as they were in that version. upgrade.test.ts opens databases of all earlier versions.
 */
function createStores(db: Database): void {
  db.createObjectStore('keyval');
  db.createObjectStore('addresses', { keyPath: 'script' }).createIndex('chain', ['chain', 'index'], { unique: true });
  const coins = db.createObjectStore('coins', { keyPath: 'outpoint' });
  coins.createIndex('status', 'status');
  coins.createIndex('txid', 'txid');
  coins.createIndex('script', 'script');
  coins.createIndex('rank', ['status', 'tier', 'value']);
  coins.createIndex('height', 'height');
  coins.createIndex('held', ['status', 'script']);
  db.createObjectStore('totals');
  db.createObjectStore('headers', { keyPath: 'hash' }).createIndex('height', 'height');
  const requests = db.createObjectStore('requests', { keyPath: 'id' });
  requests.createIndex('request', ['origin', 'requestId'], { unique: true });
  const payments = db.createObjectStore('payments', { keyPath: 'id' });
  payments.createIndex('request', ['origin', 'requestId'], { unique: true });
  payments.createIndex('state', 'state');
  payments.createIndex('unfinished', 'unfinished');
  payments.createIndex('createdAt', 'createdAt');
  payments.createIndex('site', ['origin', 'state']);
  payments.createIndex('height', 'height');
  payments.createIndex('input', 'signed.inputs', { multiEntry: true });
  payments.createIndex('ended', 'ended.height');
  const receipts = db.createObjectStore('receipts', { keyPath: 'txid' });
  receipts.createIndex('createdAt', 'createdAt');
  receipts.createIndex('unconfirmed', 'unconfirmed');
  receipts.createIndex('height', 'height');
  receipts.createIndex('unasked', 'unasked');
  db.createObjectStore('operations', { keyPath: 'id' }).createIndex('createdAt', 'createdAt');
  db.createObjectStore('history', { keyPath: 'txid' }).createIndex('order', 'order');
  db.createObjectStore('allowances', { keyPath: ['origin', 'clientIdentifier', 'kind'] });
  db.createObjectStore('prompts', { keyPath: ['origin', 'message'] });
  db.createObjectStore('sites', { keyPath: 'origin' });
  db.createObjectStore('paymails', { keyPath: 'paymail' });
}

export type Upgrade = IDBPTransaction<Schema, ArrayLike<StoreNames<Schema>>, 'versionchange'>;

function addVersion2(db: Database, tx: Upgrade): void {
  // For finding applications' transactions by ID and by reference.
  const payments = tx.objectStore('payments');
  payments.createIndex('txid', 'signed.txid');
  payments.createIndex('reference', ['origin', 'action.reference']);
  const appOutputs = db.createObjectStore('appOutputs', { keyPath: 'id', autoIncrement: true });
  appOutputs.createIndex('outpoint', 'outpoint', { unique: true });
  appOutputs.createIndex('listing', 'listing');
  appOutputs.createIndex('tag', 'tagListing', { multiEntry: true });
  appOutputs.createIndex('madeBy', 'madeBy');
  const appActions = db.createObjectStore('appActions', { keyPath: 'id', autoIncrement: true });
  appActions.createIndex('origin', 'origin');
  appActions.createIndex('label', 'labelKeys', { multiEntry: true });
  appActions.createIndex('paymentId', 'paymentId');
  appActions.createIndex('txid', 'txid');
  db.createObjectStore('assets', { keyPath: 'outpoint' });
  db.createObjectStore('contacts', { keyPath: 'id' });
  db.createObjectStore('avatars', { keyPath: 'paymail' }).createIndex('askedAt', 'askedAt');
  db.createObjectStore('permissions', { keyPath: ['origin', 'name'] });
  db.createObjectStore('manifests', { keyPath: 'origin' });
  const appLog = db.createObjectStore('appLog', { keyPath: 'key' });
  appLog.createIndex('unsent', 'unsent');
  appLog.createIndex('unapplied', 'unapplied');
  appLog.createIndex('kind', ['entry.kind', 'at']);
}

function addVersion4(tx: Upgrade): void {
  // For finding the latest recipients without reading sites' payments.
  tx.objectStore('payments').createIndex('latest', ['origin', 'createdAt']);
  // The page format has changed, so pages are rebuilt.
  void tx.objectStore('searchPages').clear();
}

/** Converts records to the format of later versions. */
async function changeRecords(wallet: Wallet, tx: Upgrade, from: number): Promise<void> {
  if (from < 6) tx.objectStore('addresses').createIndex('free', ['chain', 'free']);
  try {
    if (from < 5) await addVersion5(wallet, tx);
    if (from < 6) await noteSeenAddresses(wallet, tx);
    await addLightPayments(tx);
  } catch {
    tx.abort(); // leaves the database as it was
  }
}

/**
 * Upgrades to version 5: each site's basket outputs and log entries are separate, even if other sites have the same
 * output.
 */
async function addVersion5(wallet: Wallet, tx: Upgrade): Promise<void> {
  const outputs = tx.objectStore('appOutputs');
  outputs.deleteIndex('outpoint');
  outputs.createIndex('outpoint', 'outpoint');
  outputs.createIndex('place', ['origin', 'outpoint'], { unique: true });
  outputs.createIndex('twin', 'twin');
  // Since version 5, sizes of sites' data are measured differently (wallet/baskets/site-quota.ts), so they are
  // recomputed.
  await tx.objectStore('totals').delete(wallet.keyRange.bound('kept ', 'kept \uffff'));
  const log = tx.objectStore('appLog');
  log.createIndex('site', ['entry.kind', 'entry.origin', 'at']);
  const entries = await log.getAll();
  await log.clear();
  for (const logged of entries) {
    const [kind, about] = [logged.entry.kind, logged.key];
    // In earlier versions, deletion entries had no site.
    const entry = kind === 'output-gone' ? ({ kind: 'outpoint-gone', outpoint: about } as const) : logged.entry;
    await log.put({ ...logged, entry, key: keyInVersion5(about, entry) });
  }
  await logAgain(wallet, tx);
}

/** Logs data again if its entry was replaced by another site's entry for the same output or transaction. */
async function logAgain(wallet: Wallet, tx: Upgrade): Promise<void> {
  const log = tx.objectStore('appLog');
  const add = async (about: string, entry: LoggedEntry['entry']) => {
    const key = keyInVersion5(about, entry);
    if ((await log.getKey(key)) !== undefined) return;
    const version = ((await log.get(`${about} gone`))?.version ?? 0) + 1;
    await log.put({ key, entry, version, at: wallet.now(), unsent: 1 });
  };
  for (const kept of await tx.objectStore('appOutputs').getAll()) {
    const { outpoint, satoshis, basket, tags, customInstructions, origin, description, status } = kept;
    const said = { outpoint, basket, tags, customInstructions, origin, description, satoshis: satoshis.toString() };
    if (status !== 'spent' && status !== 'void') await add(outpoint, { kind: 'output', ...said });
  }
  for (const { txid, origin, description, labels, outputs, at, incoming } of await tx
    .objectStore('appActions')
    .getAll()) {
    const brought = incoming && { incoming: { ...incoming, satoshis: incoming.satoshis.toString() } };
    const said = { origin, description, labels, outputs, at, ...brought };
    if (txid !== null) await add(txid, { kind: 'action', txid, ...said });
  }
}

/** `keyOf` in wallet/app-log/entry.ts as of version 5. Must not change. */
function keyInVersion5(about: string, entry: LoggedEntry['entry']): string {
  if (entry.kind === 'output' || entry.kind === 'action') return `${about} ${entry.kind} ${entry.origin}`;
  return `${about} ${entry.kind === 'wallet-payment' ? 'payment' : 'gone'}`;
}

/** Upgrades to version 7: adds copies of large payments. */
async function addLightPayments(tx: Upgrade): Promise<void> {
  const copies = tx.objectStore('lightPayments');
  // Reads one payment at a time, because all payments together can take gigabytes.
  let cursor = await tx.objectStore('payments').openCursor();
  while (cursor) {
    const copy = lightCopyOf(cursor.value);
    if (copy) await copies.put(copy);
    cursor = await cursor.continue();
  }
}
