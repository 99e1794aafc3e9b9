import { recipientKind } from '../../../protocol/payments/recipient.ts';
import type { ContactView } from '../../../protocol/messages/wallet-messages.ts';
import { contactOf, matching } from '../contacts/use-contacts.ts';

/** A suggested recipient. `name` is the contact's name, or null for a recent recipient that isn't a contact. */
export interface Person {
  to: string;
  name: string | null;
}

/**
 * Returns the suggestions for typed text. For empty text, returns all payable contacts (recently paid ones first),
 * followed by other recent recipients. For a payable contact's paymail, user ID or address, returns none.
 */
export function peopleFor(typed: string, contacts: readonly ContactView[], recents: readonly string[]): Person[] {
  const payable = contacts.filter(({ elsewhere }) => elsewhere === null);
  const text = typed.trim();
  if (text !== '')
    return recipientKind(text) !== null && contactOf(text, payable) !== undefined ? [] : matching(payable, text);
  const rank = ({ to }: ContactView) => {
    const place = recents.findIndex((recent) => contactOf(recent, payable)?.to === to);
    return place < 0 ? recents.length : place;
  };
  const others = recents.filter((to) => contactOf(to, contacts) === undefined).map((to) => ({ to, name: null }));
  return [
    ...payable.toSorted((one, other) => rank(one) - rank(other)).map(({ to, name }) => ({ to, name })),
    ...others,
  ];
}
