import type { OperationNote } from '../../protocol/messages/wallet-messages.ts';

/**
 * Stored record of a site's crypto operations without a payment. `createdAt` is the time of approval (milliseconds
 * since 1970).
 */
export interface OperationsRecord {
  id: string;
  origin: string;
  /** The application's name, as given by the site. */
  clientIdentifier: string | null;
  createdAt: number;
  operations: OperationNote[];
}
