import type { OperationNote } from '../../protocol/messages/wallet-messages.ts';

/** A site's operations without a payment, as stored. `createdAt`: time of the approval (milliseconds since 1970). */
export interface OperationsRecord {
  id: string;
  origin: string;
  /** The application, as the site named it. */
  clientIdentifier: string | null;
  createdAt: number;
  operations: OperationNote[];
}
