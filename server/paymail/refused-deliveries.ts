/**
 * Anyone may deliver transactions for a user, and each uses the service's quota at ARC. So rejected ones are counted in
 * memory, and not submitted again for a while.
 */
import type { Request, Response } from 'express';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { networksOf } from '../http/rate-limit.ts';

/** Rejected deliveries per minute, and the burst. One address can't use up a recipient's. */
export const REFUSALS_A_MINUTE = { address: 20, recipient: 60, instance: 300 };
/** How long a rejected one is remembered, in milliseconds: a missing parent may have arrived by then. */
const KNOWN_MS = 60_000;
/** Maximum number of remembered entries of either kind. */
const MOST = 10_000;

/** A delivery that was let through, and its outcome. */
export interface Attempt {
  accepted(): void;
  refused(): void;
}

export interface RefusedDeliveries {
  /**
   * Lets a delivery through. @param delivery identifies the transaction and its form
   * @throws ServiceError `not-accepted` (just rejected), `too-many-requests` (with Retry-After)
   */
  attempt(delivery: string, recipient: number, request: Request, response: Response): Attempt;
}

/** @param factor multiplies the limits; null turns them off */
export function createRefusedDeliveries({
  now,
  factor,
}: {
  now: () => Date;
  factor: number | null;
}): RefusedDeliveries {
  const buckets = new Map<string, { left: number; at: number }>();
  const known = new Map<string, number>();

  function filled(key: string, perMinute: number): { left: number; at: number } {
    const at = now().getTime();
    const bucket = buckets.get(key) ?? { left: perMinute, at };
    return { left: Math.min(perMinute, bucket.left + (Math.max(0, at - bucket.at) * perMinute) / 60_000), at };
  }

  function change(key: string, perMinute: number, by: 1 | -1): void {
    const { left, at } = filled(key, perMinute);
    remember(buckets, key, { left: Math.min(perMinute, left + by), at });
  }

  return {
    attempt(delivery, recipient, request, response) {
      if ((known.get(delivery) ?? 0) > now().getTime()) throw new ServiceError('not-accepted');
      const counted =
        factor === null
          ? []
          : [
              ...networksOf(request).map(({ network, times }) => [network, REFUSALS_A_MINUTE.address * times] as const),
              [`recipient ${recipient}`, REFUSALS_A_MINUTE.recipient] as const,
              ['instance', REFUSALS_A_MINUTE.instance] as const,
            ].map(([key, perMinute]) => ({ key, perMinute: Math.max(1, perMinute * factor) }));
      const empty = counted.find(({ key, perMinute }) => filled(key, perMinute).left < 1);
      if (empty) {
        response.set('Retry-After', String(Math.ceil(60 / empty.perMinute)));
        throw new ServiceError('too-many-requests');
      }
      // Taken immediately, so that concurrent requests don't all pass. Accepted deliveries return it.
      for (const { key, perMinute } of counted) change(key, perMinute, -1);
      return {
        accepted() {
          for (const { key, perMinute } of counted) change(key, perMinute, 1);
        },
        refused: () => remember(known, delivery, now().getTime() + KNOWN_MS),
      };
    },
  };
}

function remember<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key);
  if (map.size >= MOST) map.delete(map.keys().next().value as string);
  map.set(key, value);
}
