/** A report may come beside the broadcast of its transaction: then the network has it a moment later. */
import { setTimeout as pause } from 'node:timers/promises';
import type { NetworkTransaction } from '../../protocol/arc.ts';
import type { ArcClient } from '../chain/arc-client.ts';
import { isDecided } from '../payments/acceptance.ts';

/** How long it waits before it asks again, each time (milliseconds). */
const PAUSES_MS = [10, 10, 15, 20, 25, 30, 40, 50, 100, 200, 400, 700];
/** So many reports may wait at once; any other is answered by what ARC says now. */
const MOST_WAITING = 100;

/**
 * The seconds that a client would wait for its answer (RFC 7240, section 4.3); 0 where it says nothing of the kind.
 * @param prefer the request's `Prefer` header
 */
export function preferredWait(prefer: string | undefined): number {
  return Number(prefer?.match(/(?:^|[,;])\s*wait\s*=\s*"?(\d{1,4})"?\s*(?:$|[,;])/i)?.[1] ?? 0);
}

/** Asks the network's operators for transactions, again and again for those that wait. */
export function createAcceptance(arc: Pick<ArcClient, 'transaction'>): {
  /**
   * What they know of a transaction, once it has been taken, or at the end of the wait: at most 1.6 s.
   * @param waits whether its client would wait
   * @param isGone whether its client has gone meanwhile
   * @throws ServiceError `network-unavailable`
   */
  look(txid: string, waits: boolean, isGone: () => boolean): Promise<NetworkTransaction | null>;
} {
  let waiting = 0;
  return {
    async look(txid, waits, isGone) {
      let found = await arc.transaction(txid);
      if (!waits || isDecided(found) || waiting >= MOST_WAITING) return found;
      waiting += 1;
      try {
        for (const time of PAUSES_MS) {
          await pause(time);
          if (isGone()) break;
          found = await arc.transaction(txid);
          if (isDecided(found)) break;
        }
        return found;
      } finally {
        waiting -= 1;
      }
    },
  };
}
