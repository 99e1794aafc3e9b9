/** How often one site may ask: a bucket of turns that fills up again, so that a flood costs the wallet next to nothing. */
import { ServiceError } from '../../protocol/errors.ts';

const CAPACITY = 60;
const PER_SECOND = 6;

const buckets = new Map<string, { turns: number; at: number }>();

/**
 * Takes one turn of an origin.
 * @throws ServiceError `too-many-requests`
 */
export function takeTurn(origin: string, now = Date.now()): void {
  const { turns, at } = buckets.get(origin) ?? { turns: CAPACITY, at: now };
  const filled = Math.min(CAPACITY, turns + ((now - at) / 1000) * PER_SECOND);
  if (filled < 1) throw new ServiceError('too-many-requests');
  if (buckets.size > 1000) buckets.clear(); // a page can open many frames; forgetting is safe, growing is not
  buckets.set(origin, { turns: filled - 1, at: now });
}
