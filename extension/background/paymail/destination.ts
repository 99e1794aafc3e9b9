/** Where a paymail or user ID is paid: asked of its own host. */
import { ServiceError } from '../../../protocol/errors.ts';
import type { PaidHost, PaidScript } from '../payment/record.ts';

/** Scripts that a host gave out for one payment. */
export interface Destination {
  scripts: PaidScript[];
  host: PaidHost;
}

/** The destination of a paymail. */
export async function paymailDestination(_paymail: string, _satoshis: bigint): Promise<Destination> {
  throw new ServiceError('unsupported-recipient');
}

/** The destination of a user of the wallet's own service. */
export async function userDestination(_userId: string, _satoshis: bigint): Promise<Destination> {
  throw new ServiceError('unsupported-recipient');
}
