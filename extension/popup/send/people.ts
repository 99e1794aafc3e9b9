/** Whom the form for sending offers: contacts first, then those who were sent to lately. */
import { recipientKind } from '../../../protocol/recipient.ts';
import type { ContactView } from '../../../protocol/wallet-messages.ts';
import { contactOf, matching } from '../contacts/use-contacts.ts';

/** One of them; `name` is the user's own, null of somebody who was only sent to. */
export interface Person {
  to: string;
  name: string | null;
}

/**
 * All of them while nothing is typed: those contacts first who were sent to last. Else the contacts that the text finds, until it
 * is a recipient itself.
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
