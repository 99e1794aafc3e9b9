/**
 * Limits rejected deliveries. Anyone can deliver transactions for a user, and each delivery uses computing time and the
 * service's quota at ARC. Rejections are counted in memory, and transactions that the network rejected aren't submitted
 * again for a while.
 */
import type { Request, Response } from 'express';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { networksOf } from '../http/rate-limit.ts';

/** Maximum rejected deliveries per minute and per burst. No single IP address can exhaust a recipient's limit. */
export const REFUSALS_A_MINUTE = { address: 20, recipient: 60, instance: 300 };
/** How long the network's rejections are remembered (ms). Limited, because a missing parent can arrive later. */
const KNOWN_MS = 60_000;
/** Maximum remembered deliveries, and maximum buckets. */
const MAX_REMEMBERED_DELIVERIES = 10_000;

/** A permitted delivery. It counts as rejected unless the caller reports that it was accepted. */
export interface Attempt {
  accepted(): void;
  /**
   * Counts the ancestors that were submitted separately for a rejected delivery. They count only against its IP
   * address, so that a handful of addresses can't exhaust the recipient's or the instance's limit.
   */
  submitted(ancestors: number): void;
  /** Remembers that the network rejected it. @param delivery identifies the transaction and its format */
  refused(delivery: string): void;
  /** @throws ServiceError `not-accepted` if the network recently rejected it */
  assertNotRefused(delivery: string): void;
}

export interface RefusedDeliveries {
  /** Permits a delivery before it is read. @throws ServiceError `too-many-requests` (with Retry-After) */
  attempt(recipient: number, request: Request, response: Response): Attempt;
}

/** Creates the limits. @param factor multiplies them; null disables them */
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

  function change(key: string, perMinute: number, by: number): void {
    const { left, at } = filled(key, perMinute);
    // The debt is limited to a minute, because many senders can share an address.
    remember(buckets, key, { left: Math.max(-perMinute, Math.min(perMinute, left + by)), at });
  }

  return {
    attempt(recipient, request, response) {
      const scaled = (key: string, perMinute: number) =>
        factor === null ? [] : { key, perMinute: Math.max(1, perMinute * factor) };
      const ofAddress = networksOf(request).flatMap(({ network, times }) =>
        scaled(network, REFUSALS_A_MINUTE.address * times),
      );
      const counted = [
        ofAddress,
        scaled(`recipient ${recipient}`, REFUSALS_A_MINUTE.recipient),
        scaled('instance', REFUSALS_A_MINUTE.instance),
      ].flat();
      const empty = counted.find(({ key, perMinute }) => filled(key, perMinute).left < 1);
      if (empty) {
        const missing = 1 - filled(empty.key, empty.perMinute).left;
        response.set('Retry-After', String(Math.ceil((60 * missing) / empty.perMinute)));
        throw new ServiceError('too-many-requests');
      }
      // Deducted immediately so that concurrent requests can't exceed the limit. Refunded if the delivery is accepted.
      for (const { key, perMinute } of counted) change(key, perMinute, -1);
      return {
        accepted() {
          for (const { key, perMinute } of counted) change(key, perMinute, 1);
        },
        submitted(ancestors) {
          for (const { key, perMinute } of ofAddress) change(key, perMinute, -ancestors);
        },
        refused: (delivery) => remember(known, delivery, now().getTime() + KNOWN_MS),
        assertNotRefused(delivery) {
          if ((known.get(delivery) ?? 0) > now().getTime()) throw new ServiceError('not-accepted');
        },
      };
    },
  };
}

function remember<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key);
  if (map.size >= MAX_REMEMBERED_DELIVERIES) map.delete(map.keys().next().value as string);
  map.set(key, value);
}
