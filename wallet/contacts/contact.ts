/** A person whom the user saved. */

export interface Contact {
  id: string;
  /** Paymail in lower case, user ID or address. */
  to: string;
  /** The user's own name for it, sent to no page or service. */
  name: string;
  /** For a user ID: origin of its service. Else null. */
  service: string | null;
  /** The paymail to pay. For a user ID, the one that its service named when it was saved, or null. */
  paymail: string | null;
}
