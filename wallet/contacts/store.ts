/** The people whom the user saved: visible only to the user, and sent to no page or service. */
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

/** Maximum wait for a host when a contact is saved (milliseconds). */
const PATIENCE_MS = 5000;

/**
 * The key of a recipient in any notation: the ASCII form of a paymail, a user ID with its service, an address. Null if
 * it can't be a contact.
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

/** Contacts, for looking up recipients. */
export interface ContactBook {
  all(): Contact[];
  /**
   * The contact of a recipient; null if there is none, undefined if it can't be one: a script, or the user of another
   * service than the wallet's.
   * @param host the host that answered for it, which names the service of a user ID
   */
  find(to: string, host?: Pick<PaidHost, 'namedBy'> | null): Contact | null | undefined;
}

/** All contacts, read once. */
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
 * Saves a contact, which replaces `id` if given. A paymail that the wallet doesn't know yet is looked up first, to
 * detect a later change of its key. It is saved even if its host doesn't respond.
 * @throws ServiceError `invalid-recipient`; `unknown-recipient`: its host doesn't know the name; `too-large`: there are
 * too many; `not-found`: `id` doesn't exist any more; `wallet-not-set-up`
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

/** Removes a contact. A missing one isn't an error. Payments stay unchanged. */
export async function removeContact(wallet: Wallet, id: string): Promise<void> {
  await change(wallet, async (tx) => {
    const contact = await tx.objectStore('contacts').get(id);
    if (contact) await drop(tx, contact);
  });
}

/**
 * If only the name changes, a user ID stays one of the service at which it was saved. @throws ServiceError
 * `invalid-recipient`
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

/** Null after a while, so that saving doesn't wait for a slow host. */
function patience(wallet: Wallet): Promise<null> {
  return new Promise((resolve) => wallet.setTimeout(() => resolve(null), PATIENCE_MS));
}

/** An unreachable host doesn't prevent saving, but an unknown user does. */
function unlessUnknown(error: unknown): null {
  if (error instanceof ServiceError && (error.code === 'unknown-recipient' || error.code === 'invalid-recipient'))
    throw error;
  return null;
}

/**
 * Changes contacts, and the remembered data of their paymails, in one transaction. `work` throws before it writes. Does
 * nothing if the wallet was removed in the meantime.
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
  // The paymail of a user ID comes from its service. Another contact may have the same one, and must still detect a
  // change of its key.
  if ((await contacts.getAll()).some((other) => other.paymail === paymail)) return;
  await forgetSaved(tx, paymail);
}

async function ownService(wallet: Wallet): Promise<string> {
  return new URL((await readSettings(wallet)).serviceUrl).origin;
}
