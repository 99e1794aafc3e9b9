/**
 * Anyone may deliver transactions for a user, and each uses the service's quota at ARC. So those that the network
 * rejected are counted, and not submitted again for a while. In this process's memory: each instance counts separately.
 */
import type { Request, Response } from 'express';
import { ServiceError } from '../../protocol/errors.ts';
import { networksOf } from '../http/rate-limit.ts';

/** Refused deliveries a minute, and as many at once. One address cannot use up a recipient's. */
export const REFUSALS_A_MINUTE = { address: 20, recipient: 60, instance: 300 };
/** For so long a refused one is known, in milliseconds: a parent that was missing may have come by then. */
const KNOWN_MS = 60_000;
/** Most that are remembered of either kind. */
const MOST = 10_000;

/** A delivery that is let through, and what became of it. */
export interface Attempt {
  /** It was good: it counts for nothing. */
  accepted(): void;
  /** The network refused it: the same one is not asked about for a while. */
  refused(): void;
}

/** Counts refused deliveries. */
export interface RefusedDeliveries {
  /**
   * Lets a delivery through to the network.
   * @param delivery identifies the transaction and its form
   * @throws ServiceError `not-accepted` (just refused), `too-many-requests` (with Retry-After)
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

  /** What of a bucket is there now. */
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
      // Taken at once, so that many at the same time do not all pass; who was let through for nothing gets it back.
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

/** Sets a value; where there are too many, the one that was set longest ago goes. */
function remember<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key);
  if (map.size >= MOST) map.delete(map.keys().next().value as string);
  map.set(key, value);
}
