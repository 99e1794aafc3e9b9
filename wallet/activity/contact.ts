import type { Contact } from '../contacts/contact.ts';
import { contactId, type ContactBook } from '../contacts/store.ts';
import type { Entry } from './newest-first.ts';
import { recipientsOf } from './row.ts';

/**
 * Names of the contacts who were paid, or who paid: one for each recipient; null if it isn't a contact, undefined if it
 * can't be one. A sender counts only if its host confirms it, since anyone can claim a name.
 */
export function contactNames(entry: Entry, contacts: ContactBook): (string | null | undefined)[] {
  const nameOf = (...asked: Parameters<ContactBook['find']>) => {
    const contact = contacts.find(...asked);
    return contact ? contact.name : contact;
  };
  if (entry.store === 'operations') return [];
  if (entry.store === 'payments') return entry.record.quote.outputs.map(({ to, host }) => nameOf(to, host));
  const { spent, sender } = entry.record;
  if (spent) return recipientsOf(entry.record).map(({ to }) => nameOf(to));
  return sender?.verified ? [nameOf(sender.paymail)] : [];
}

/** The text by which rows, or their {@link contactKeys}, identify this contact, in lower case. */
export function contactKey({ id }: Pick<Contact, 'id'>): string {
  return (id.split(' ')[0] as string).toLowerCase();
}

/** Keys of possible contacts in a row. Paymails may be written in several ways, so a row's texts aren't enough. */
export function contactKeys(entry: Entry): string[] {
  const ids = contactNames(entry, {
    all: () => [],
    find(to) {
      const id = to.includes('@') ? contactId(to, '') : null;
      return id === null ? null : ({ id, name: contactKey({ id }) } as Contact);
    },
  });
  return ids.filter((id) => typeof id === 'string');
}
