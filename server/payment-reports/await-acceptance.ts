/** Waits for a report's transaction, which can reach the network slightly later if it is broadcast concurrently. */
import { setTimeout as pause } from 'node:timers/promises';
import type { NetworkTransaction } from '../../protocol/network/arc.ts';
import type { ArcClient } from '../chain/arc-client.ts';
import { isDecided } from '../payments/acceptance.ts';

/** Pauses between queries (ms). */
const PAUSES_MS = [10, 10, 15, 20, 25, 30, 40, 50, 100, 200, 400, 700];
/** Maximum number of reports that wait at the same time. Further reports get ARC's current status. */
const MAX_WAITING_REPORTS = 100;

/** Returns the client's preferred wait in seconds (RFC 7240, section 4.3); 0 by default. @param prefer the header */
export function preferredWait(prefer: string | undefined): number {
  return Number(prefer?.match(/(?:^|[,;])\s*wait\s*=\s*"?(\d{1,4})"?\s*(?:$|[,;])/i)?.[1] ?? 0);
}

export function createAcceptance(arc: Pick<ArcClient, 'transaction'>): {
  /**
   * Returns the operators' status for a transaction. If the report may wait, returns it only once it is decided, or
   * after about 1.6 s.
   * @param mayWait called only if the transaction isn't decided yet
   * @param isGone returns true if the client has disconnected
   * @throws ServiceError `network-unavailable`
   */
  look(txid: string, mayWait: () => Promise<boolean>, isGone: () => boolean): Promise<NetworkTransaction | null>;
} {
  let waiting = 0;
  return {
    async look(txid, mayWait, isGone) {
      let found = await arc.transaction(txid);
      if (isDecided(found) || waiting >= MAX_WAITING_REPORTS) return found;
      waiting += 1;
      try {
        if (!(await mayWait())) return found;
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
