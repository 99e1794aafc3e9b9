import { useEffect, useState } from 'preact/hooks';
import type { ContactView } from '../../../protocol/messages/wallet-messages.ts';
import { call, onChanges } from '../../ui/window/call.ts';

/**
 * Returns all contacts, sorted by name, or null until they are read. Reads them again after every change. Errors are
 * ignored, because contacts are optional.
 */
export function useContacts(): readonly ContactView[] | null {
  const [contacts, setContacts] = useState<readonly ContactView[] | null>(null);
  useEffect(() => {
    const read = () =>
      void call('contacts/list', {}).then(
        (answer) => setContacts(answer.contacts),
        () => {},
      );
    read();
    return onChanges(read);
  }, []);
  return contacts;
}

/** Returns the contact for a typed recipient. A user ID never matches a contact on another service. */
export function contactOf(to: string, contacts: readonly ContactView[]): ContactView | undefined {
  const [typed, lower] = [to.trim(), to.trim().toLowerCase()];
  return contacts.find((one) => one.elsewhere === null && one.to === (one.to.includes('@') ? lower : typed));
}

/** Returns the contacts whose name or recipient contains every word of `text`. */
export function matching(contacts: readonly ContactView[], text: string): ContactView[] {
  const words = text.normalize('NFC').toLowerCase().split(/\s+/).filter(Boolean);
  return contacts.filter(({ name, to }) => words.every((word) => `${name} ${to}`.toLowerCase().includes(word)));
}
