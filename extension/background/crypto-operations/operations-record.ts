import type { OperationNote } from '../../../protocol/wallet-messages.ts';

/** What a site got without a payment, as stored. `createdAt` is the time of the user's yes, in milliseconds since 1970. */
export interface OperationsRecord {
  id: string;
  origin: string;
  /** The application, as the site named it. */
  clientIdentifier: string | null;
  createdAt: number;
  operations: OperationNote[];
}
