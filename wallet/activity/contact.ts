import type { Contact } from '../contacts/contact.ts';
import { contactId, type ContactBook } from '../contacts/store.ts';
import type { Entry } from './newest-first.ts';
import { recipientsOf } from './row.ts';

/**
 * Returns the contact name of each recipient, or of the sender: null for someone who isn't a contact, undefined for
 * someone who can't be one. A sender is matched only if its host confirms it, because anyone can claim a name.
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

/**
 * Returns a contact's search key: its recipient in lower case. Each of the contact's rows contains it, in its text or
 * {@link contactKeys}.
 */
export function contactKey({ id }: Pick<Contact, 'id'>): string {
  return (id.split(' ')[0] as string).toLowerCase();
}

/** Returns the search keys for the paymails in a row, because the row's text may spell them differently. */
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
