/** How often one site may ask: buckets of turns that fill up again, so that a flood costs the wallet and others next to nothing. */
import { ServiceError } from '../../protocol/errors.ts';

/** Takes some turns of an origin at a time (milliseconds since 1970). @throws ServiceError `too-many-requests` */
type Take = (origin: string, count: number, now: number) => void;

function buckets(capacity: number, perSecond: number): Take {
  const kept = new Map<string, { turns: number; at: number }>();
  return (origin, count, now) => {
    const { turns, at } = kept.get(origin) ?? { turns: capacity, at: now };
    const filled = Math.min(capacity, turns + ((now - at) / 1000) * perSecond);
    if (filled < count) throw new ServiceError('too-many-requests');
    if (kept.size > 1000) kept.clear(); // a page can open many frames; forgetting is safe, growing is not
    kept.set(origin, { turns: filled - count, at: now });
  };
}

const requests = buckets(60, 6);
const hosts = buckets(100, 2);

/**
 * Takes one turn of an origin.
 * @throws ServiceError `too-many-requests`
 */
export function takeTurn(origin: string, now = Date.now()): void {
  requests(origin, 1, now);
}

/**
 * Takes turns of an origin for recipients whose hosts are asked before the user decides: as many as one payment can have,
 * then two a second. A page chooses those hosts.
 * @throws ServiceError `too-many-requests`
 */
export function takeHostTurns(origin: string, count: number, now = Date.now()): void {
  if (count > 0) hosts(origin, count, now);
}
