/** The user's contacts: visible only to the user, and never sent to a page or service. */
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { addressFault } from '../../protocol/bitcoin/address.ts';
import { MAX_CONTACTS } from '../../protocol/payments/limits.ts';
import { writePaymail } from '../../protocol/http/paymail.ts';
import { recipientKind } from '../../protocol/payments/recipient.ts';
import type { ContactView, WalletParams } from '../../protocol/messages/wallet-messages.ts';
import { database, keyIn, keyedTransaction, readTransaction } from '../store/database.ts';
import { announceChange } from '../events.ts';
import { paymailOf } from '../paymail/discovery.ts';
import { seenNow } from '../paymail/destination.ts';
import { forgetSaved, rememberSaved, isKnownPaymail } from '../paymail/known.ts';
import type { PaidHost } from '../paymail/paid-host.ts';
import { readSettings } from '../settings.ts';
import type { Contact } from './contact.ts';
import type { Wallet } from '../platform.ts';

/** Maximum wait for a host when saving a contact (milliseconds). */
const PATIENCE_MS = 5000;

/**
 * Returns a recipient's key in the contacts store: a paymail's ASCII form, a user ID with its service, or an address.
 * Null if it can't be a contact.
 * @param service origin of the service that assigned the user ID
 */
export function contactId(to: string, service: string): string | null {
  switch (recipientKind(to)) {
    case 'PAYMAIL':
      try {
        return writePaymail(paymailOf(to));
      } catch {
        return null;
      }
    case 'USER':
      return `${to} ${service}`;
    case 'ADDRESS':
      return to;
    default:
      return null;
  }
}

/** Looks up contacts by recipient. */
export interface ContactBook {
  all(): Contact[];
  /**
   * Returns a recipient's contact. Null if there is none. Undefined for scripts and for user IDs of a service other
   * than the wallet's, which can't be contacts.
   * @param host the recipient's host; for a user ID, it includes the service
   */
  find(to: string, host?: Pick<PaidHost, 'namedBy'> | null): Contact | null | undefined;
}

/** Reads all contacts once. */
export async function contactBook(wallet: Wallet): Promise<ContactBook> {
  const own = await ownService(wallet);
  const all = new Map((await (await database(wallet)).getAll('contacts')).map((one) => [one.id, one]));
  return {
    all: () => [...all.values()],
    find(to, host) {
      const id = contactId(to, host?.namedBy ?? own);
      if (id === null) return undefined;
      return all.get(id) ?? (host?.namedBy === undefined || host.namedBy === own ? null : undefined);
    },
  };
}

export async function listContacts(wallet: Wallet): Promise<{ contacts: ContactView[] }> {
  const own = await ownService(wallet);
  const contacts = (await (await database(wallet)).getAll('contacts')).map(({ id, to, name, service }) => ({
    id,
    to,
    name,
    elsewhere: service === null || service === own ? null : new URL(service).host,
  }));
  return { contacts: contacts.toSorted((one, other) => one.name.localeCompare(other.name)) };
}

/**
 * Saves a contact. If `id` is set, the contact replaces the one with that ID. An unknown paymail's key is requested
 * first so that later changes to the key are detected. The contact is saved even if the host doesn't respond.
 * @throws ServiceError `invalid-recipient`, `unknown-recipient` (unknown to its host), `too-large` (too many contacts),
 * `not-found` (`id` no longer exists), `wallet-not-set-up`
 */
export async function saveContact(
  wallet: Wallet,
  { id: replaced, to: text, name }: WalletParams<'contacts/save'>,
): Promise<void> {
  const db = await database(wallet);
  const old = replaced === null ? undefined : await db.get('contacts', replaced);
  const { id, to, service, kind } = await readRecipient(wallet, text, old);
  const isKnown =
    kind === 'ADDRESS' ||
    (await db.getKey('contacts', id)) !== undefined ||
    (await isKnownPaymail(readTransaction(await database(wallet)), id));
  const seen = isKnown ? null : await Promise.race([seenNow(wallet, to, kind).catch(unlessUnknown), patience(wallet)]);
  await change(wallet, async (tx) => {
    const contacts = tx.objectStore('contacts');
    const [before, present] = [replaced === null ? undefined : await contacts.get(replaced), await contacts.get(id)];
    if (replaced !== null && !before) throw new ServiceError('not-found');
    if (!before && !present && (await contacts.count()) >= MAX_CONTACTS) throw new ServiceError('too-large');
    await contacts.put({
      id,
      to,
      name: name.normalize('NFC'),
      service,
      paymail: kind === 'PAYMAIL' ? id : (seen?.paymail ?? present?.paymail ?? null),
    });
    if (before && before.id !== id) await drop(tx, before);
    if (seen) await rememberSaved(wallet, tx, seen);
  });
}

/** Removes a contact, if it exists. Payments are unchanged. */
export async function removeContact(wallet: Wallet, id: string): Promise<void> {
  await change(wallet, async (tx) => {
    const contact = await tx.objectStore('contacts').get(id);
    if (contact) await drop(tx, contact);
  });
}

/**
 * Parses a recipient. If only the contact's name changes, a user ID keeps the service with which it was saved.
 * @throws ServiceError `invalid-recipient`
 */
async function readRecipient(wallet: Wallet, text: string, old: Contact | undefined) {
  const to = text.trim();
  const kind = recipientKind(to);
  const service = kind === 'USER' ? (old?.to === to && old.service) || (await ownService(wallet)) : null;
  const id = contactId(to, service ?? '');
  const isElsewhere = kind === 'ADDRESS' && addressFault(to, (await readSettings(wallet)).network) !== null;
  if (id === null || kind === null || kind === 'SCRIPT' || isElsewhere) throw new ServiceError('invalid-recipient');
  return { id, to: kind === 'PAYMAIL' ? to.toLowerCase() : to, service, kind };
}

/** Resolves to null after the maximum wait, so a slow host doesn't delay saving. */
function patience(wallet: Wallet): Promise<null> {
  return new Promise((resolve) => wallet.setTimeout(() => resolve(null), PATIENCE_MS));
}

/**
 * Rethrows the error for a recipient unknown to its host, so the recipient isn't saved. Ignores all other errors, such
 * as an unreachable host.
 */
function unlessUnknown(error: unknown): null {
  if (error instanceof ServiceError && (error.code === 'unknown-recipient' || error.code === 'invalid-recipient'))
    throw error;
  return null;
}

/**
 * Changes contacts and the stored data for their paymails in one transaction. `work` must not throw after a write.
 * @throws ServiceError `wallet-not-set-up` (removed in the meantime), and errors from `work`
 */
async function change(wallet: Wallet, work: (tx: Transaction) => Promise<void>): Promise<void> {
  const tx = await begin(wallet);
  const done = (async () => {
    if (!(await keyIn(tx, 'vault'))) throw new ServiceError('wallet-not-set-up');
    await work(tx);
  })();
  await Promise.all([done, tx.done]);
  announceChange(wallet);
}

const begin = (wallet: Wallet) => keyedTransaction(wallet, ['contacts', 'paymails'], 'read');

type Transaction = Awaited<ReturnType<typeof begin>>;

async function drop(tx: Transaction, { id, paymail }: Contact): Promise<void> {
  const contacts = tx.objectStore('contacts');
  await contacts.delete(id);
  if (paymail === null) return;
  // Another contact may have the same paymail, because a user ID's paymail comes from its service. That contact still
  // needs the stored key.
  if ((await contacts.getAll()).some((other) => other.paymail === paymail)) return;
  await forgetSaved(tx, paymail);
}

async function ownService(wallet: Wallet): Promise<string> {
  return new URL((await readSettings(wallet)).serviceUrl).origin;
}
