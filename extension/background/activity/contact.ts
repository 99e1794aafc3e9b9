/** Who of a row is a contact of the user's. */
import type { Contact } from '../contacts/contact.ts';
import { contactId, type ContactBook } from '../contacts/store.ts';
import type { Entry } from './newest-first.ts';
import { recipientsOf } from './row.ts';

/**
 * Names of the contacts who were paid, or who paid: one for each recipient, null for one that is none, undefined for one that
 * cannot be. A sender counts where its host confirms it: anybody could claim to be somebody whom the user knows.
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

/** What the texts of a row, or its {@link contactKeys}, have of whoever is this contact, in lower case. Of a user ID it is the same at every service. */
export function contactKey({ id }: Pick<Contact, 'id'>): string {
  return (id.split(' ')[0] as string).toLowerCase();
}

/** Of everybody in a row who could be a contact: what its texts do not have, since a paymail may be written in several ways. */
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
