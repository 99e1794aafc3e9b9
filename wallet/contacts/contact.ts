/** A recipient saved by the user. */

export interface Contact {
  id: string;
  /** Paymail in lower case, user ID or address. */
  to: string;
  /** The user's own name for the contact, never sent to a page or service. */
  name: string;
  /** Origin of the service for a user ID; null otherwise. */
  service: string | null;
  /** The paymail to pay. For a user ID, the paymail reported by its service when the contact was saved, or null. */
  paymail: string | null;
}
