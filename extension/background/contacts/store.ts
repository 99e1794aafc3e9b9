/** The people whom the user saved: theirs alone, told to no page and no service. */
import { ServiceError } from '../../../protocol/errors.ts';
import { addressFault } from '../../../protocol/address.ts';
import { MAX_CONTACTS } from '../../../protocol/limits.ts';
import { writePaymail } from '../../../protocol/paymail.ts';
import { recipientKind } from '../../../protocol/recipient.ts';
import type { ContactView, WalletParams } from '../../../protocol/wallet-messages.ts';
import { database, forgetKept } from '../database.ts';
import { announceChange } from '../events.ts';
import { paymailOf } from '../paymail/discovery.ts';
import { seenNow } from '../paymail/destination.ts';
import { forgetSaved, rememberSaved } from '../paymail/known.ts';
import type { PaidHost } from '../paymail/paid-host.ts';
import { readSettings } from '../settings.ts';
import type { Contact } from './contact.ts';

/** Longest wait for a host when somebody is saved (milliseconds). */
const PATIENCE_MS = 5000;

/**
 * What a recipient is stored under, however it is written: the ASCII form of a paymail, a user ID with its service, an address.
 * Null for what cannot be a contact.
 * @param service origin of the service whose user ID it is
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

/** Contacts for looking up who is paid. */
export interface ContactBook {
  all(): Contact[];
  /**
   * The contact of a recipient; null where there is none, undefined where it cannot be one: a script, or the user of another
   * service than the wallet's.
   * @param host what answered for it, which names the service of a user ID
   */
  find(to: string, host?: Pick<PaidHost, 'namedBy'> | null): Contact | null | undefined;
}

/** All contacts, read once. */
export async function contactBook(): Promise<ContactBook> {
  const own = await ownService();
  const all = new Map((await (await database()).getAll('contacts')).map((one) => [one.id, one]));
  return {
    all: () => [...all.values()],
    find(to, host) {
      const id = contactId(to, host?.namedBy ?? own);
      if (id === null) return undefined;
      return all.get(id) ?? (host?.namedBy === undefined || host.namedBy === own ? null : undefined);
    },
  };
}

/** All contacts, by name. */
export async function listContacts(): Promise<{ contacts: ContactView[] }> {
  const own = await ownService();
  const contacts = (await (await database()).getAll('contacts')).map(({ id, to, name, service }) => ({
    id,
    to,
    name,
    elsewhere: service === null || service === own ? null : new URL(service).host,
  }));
  return { contacts: contacts.toSorted((one, other) => one.name.localeCompare(other.name)) };
}

/**
 * Saves a contact, in the place of `id` where it is given. A paymail that the wallet does not know yet is looked up first, so
 * that another key can be told later; it is saved even where its host does not answer now.
 * @throws ServiceError `invalid-recipient`; `unknown-recipient`: its host knows nobody by this name; `too-large`: there are as many
 * as a wallet keeps; `not-found`: `id` is none any more; `wallet-not-set-up`
 */
export async function saveContact({ id: replaced, to: text, name }: WalletParams<'contacts/save'>): Promise<void> {
  const db = await database();
  const old = replaced === null ? undefined : await db.get('contacts', replaced);
  const { id, to, service, kind } = await readRecipient(text, old);
  const isKnown =
    kind === 'ADDRESS' ||
    (await db.getKey('contacts', id)) !== undefined ||
    (await db.getKey('paymails', id)) !== undefined;
  const seen = isKnown ? null : await Promise.race([seenNow(to, kind).catch(unlessUnknown), patience()]);
  await change(async (tx) => {
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
    if (seen) await rememberSaved(tx.objectStore('paymails'), seen);
  });
}

/** Removes a contact; one that is gone already is no error. What was paid stays as it is. */
export async function removeContact(id: string): Promise<void> {
  await change(async (tx) => {
    const contact = await tx.objectStore('contacts').get(id);
    if (contact) await drop(tx, contact);
  });
}

/** Where only the name changes, a user ID stays one of the service that it was saved at. @throws ServiceError `invalid-recipient` */
async function readRecipient(text: string, old: Contact | undefined) {
  const to = text.trim();
  const kind = recipientKind(to);
  const service = kind === 'USER' ? (old?.to === to && old.service) || (await ownService()) : null;
  const id = contactId(to, service ?? '');
  const isElsewhere = kind === 'ADDRESS' && addressFault(to, (await readSettings()).network) !== null;
  if (id === null || kind === null || kind === 'SCRIPT' || isElsewhere) throw new ServiceError('invalid-recipient');
  return { id, to: kind === 'PAYMAIL' ? to.toLowerCase() : to, service, kind };
}

/** Null after a while: who saves somebody does not wait for a host that is slow. */
function patience(): Promise<null> {
  return new Promise((resolve) => setTimeout(resolve, PATIENCE_MS, null));
}

/** A host that cannot be reached now keeps nobody from being saved; one that says that there is no such person does. */
function unlessUnknown(error: unknown): null {
  if (error instanceof ServiceError && (error.code === 'unknown-recipient' || error.code === 'invalid-recipient'))
    throw error;
  return null;
}

/**
 * Changes contacts, and what is remembered of their paymails, in one transaction. `work` throws before it writes. A wallet that
 * was removed while a host was asked gets nothing.
 */
async function change(work: (tx: Transaction) => Promise<void>): Promise<void> {
  const tx = await begin();
  const done = (async () => {
    if (!(await tx.objectStore('keyval').get('vault'))) throw new ServiceError('wallet-not-set-up');
    await work(tx);
  })();
  await Promise.all([done, tx.done]);
  announceChange();
}

async function begin() {
  const tx = (await database()).transaction(['keyval', 'contacts', 'paymails'], 'readwrite');
  forgetKept(tx.done);
  return tx;
}

type Transaction = Awaited<ReturnType<typeof begin>>;

async function drop(tx: Transaction, { id, paymail }: Contact): Promise<void> {
  const contacts = tx.objectStore('contacts');
  await contacts.delete(id);
  if (paymail === null) return;
  // A service says which paymail a user ID is: another contact may have the same one, and is still to be told of another key.
  if ((await contacts.getAll()).some((other) => other.paymail === paymail)) return;
  await forgetSaved(tx.objectStore('paymails'), paymail);
}

async function ownService(): Promise<string> {
  return new URL((await readSettings()).serviceUrl).origin;
}
