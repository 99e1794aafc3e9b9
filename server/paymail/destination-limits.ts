import type { Request, Response } from 'express';
import { networksOf, type Limit, type RateLimits } from '../http/rate-limit.ts';
import type { User } from '../identity/accounts.ts';

/**
 * Limits for destinations. Anyone can request a destination, and unpaid destinations are stored for 30 days. The limit
 * per address and recipient prevents a single IP address from exhausting a recipient's limit.
 */
const DESTINATIONS = {
  address: { name: 'destinations', perMinute: 60, burst: 600 },
  recipient: { name: 'destinations-of', perMinute: 120, burst: 1_200 },
  addressAtRecipient: { name: 'destinations-of-by', perMinute: 20, burst: 200 },
} as const satisfies Record<string, Limit>;

/** Returns a function that counts a request for a destination. @throws ServiceError `too-many-requests` */
export function destinationCounter(limits: RateLimits) {
  return async function countDestination(request: Request, response: Response, { id }: User): Promise<void> {
    const { name, perMinute, burst } = DESTINATIONS.addressAtRecipient;
    for (const { network: from, times } of networksOf(request))
      await limits.take({ name, perMinute: perMinute * times, burst: burst * times }, `${from} ${id}`, response);
    await limits.takeByAddress(DESTINATIONS.address, request, response);
    await limits.take(DESTINATIONS.recipient, String(id), response);
  };
}
