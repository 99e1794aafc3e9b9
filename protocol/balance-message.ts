/** Proves that a published balance is its wallet's own statement, and for whom it was meant. */

/** What the text says. */
export interface BalanceFields {
  /** The service's origin: scheme, host, port. */
  origin: string;
  /** The user's id there. */
  userId: string;
  satoshis: string;
  /** ISO 8601 UTC. */
  time: string;
}

/** The text that the identity key signs (Bitcoin signed message). */
export function balanceMessage({ origin, userId, satoshis, time }: BalanceFields): string {
  return `Service Button balance\nService: ${origin}\nUser: ${userId}\nBalance: ${satoshis} satoshis\nTime: ${time}`;
}
