/** The user's contacts, kept up to date. */
import { useEffect, useState } from 'preact/hooks';
import type { ContactView } from '../../../protocol/messages/wallet-messages.ts';
import { call, onChanges } from '../../ui/window/call.ts';

/** All contacts by name; null until they are read. Pages work without them. */
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

/** The contact of a typed recipient. A user ID never matches a contact of another service. */
export function contactOf(to: string, contacts: readonly ContactView[]): ContactView | undefined {
  const [typed, lower] = [to.trim(), to.trim().toLowerCase()];
  return contacts.find((one) => one.elsewhere === null && one.to === (one.to.includes('@') ? lower : typed));
}

/** The contacts that match a text: each of its words is in the name or in the recipient. */
export function matching(contacts: readonly ContactView[], text: string): ContactView[] {
  const words = text.normalize('NFC').toLowerCase().split(/\s+/).filter(Boolean);
  return contacts.filter(({ name, to }) => words.every((word) => `${name} ${to}`.toLowerCase().includes(word)));
}
