/** A person whom the user saved. */

/** One contact, as stored. */
export interface Contact {
  /** See `contactId` in store.ts. */
  id: string;
  /** Paymail in lower case, user ID or address. */
  to: string;
  /** The user's own: it goes to no page and no service. */
  name: string;
  /** Of a user ID: origin of the service whose user it is. Else null. */
  service: string | null;
  /** The paymail to pay; of a user ID the one that its service named when it was saved, null where it gave none then. */
  paymail: string | null;
}
