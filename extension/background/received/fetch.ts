/**
 * Fetches what came in by paymail, sees that the network has it, stores it, tells the user and acknowledges it, in this
 * order: whatever was not acknowledged comes again, and finds what was done already.
 */
import { meaningOf, ServiceError } from '../../../protocol/errors.ts';
import { judgeArrived } from '../assets/judge.ts';
import { outcomeOf } from '../../../protocol/broadcaster/outcome.ts';
import { submit, transactionStatus } from '../chain/operators.ts';
import { networkInfo } from '../chain/network.ts';
import { isRecent, priceNow } from '../chain/rates.ts';
import { transactionHex } from '../chain/whats-on-chain.ts';
import { extendAddresses, extendChain } from '../coins/addresses.ts';
import { readKey } from '../database.ts';
import { acknowledgeReceived, fetchReceived } from '../service/client.ts';
import { publicKeys } from '../vault/vault.ts';
import { checkArrival, type Arrival } from './check.ts';
import { notifyUser } from './notify.ts';
import { readRecords } from './records.ts';
import { confirmRefunds } from './refunds.ts';
import { storeArrival } from './store.ts';
import { announceChange } from '../events.ts';
import type { NetworkInfo } from '../chain/network-info.ts';

/** Most answers that are asked for in a row. Whatever is left then comes at the next time. */
const MOST_ANSWERS = 100;
/** Most ids of one acknowledgement. */
const ACKNOWLEDGED_AT_ONCE = 100;

// What was wrong, by service and id: not looked at again at every fetch, in this life of the worker.
const refused = new Set<string>();
// How many were taken in, in this life of the worker.
let taken = 0;
let running: Promise<void> | null = null;
let isAsked = false;
let isAnew = false;

/**
 * Fetches all there is. Calls that come while it runs have it run once more. Never throws: what does not work out now
 * does at the next time.
 * @param again looks anew at what was wrong before
 */
export function receive({ again = false } = {}): Promise<void> {
  isAsked = true;
  isAnew ||= again;
  running ??= (async () => {
    while (isAsked) {
      isAsked = false;
      if (isAnew) refused.clear(); // not before: the run under way still notes what is wrong
      isAnew = false;
      const before = taken;
      await receiveAll().catch(() => undefined);
      await readRecords();
      await confirmRefunds(taken > before);
    }
    running = null;
  })();
  return running;
}

async function receiveAll(): Promise<void> {
  if (!(await readKey('account'))) return;
  const info = await networkInfo();
  let after: string | null = null;
  for (let answers = 0; answers < MOST_ANSWERS; answers += 1) {
    const { received, more } = await fetchReceived(info.serviceUrl, after);
    const kept: { id: string; txid: string }[] = [];
    for (const said of received) {
      const id = idOf(said);
      const txid = id === null || refused.has(`${info.serviceUrl} ${id}`) ? null : await take(said, id, info);
      if (id !== null && txid !== null) kept.push({ id, txid });
    }
    taken += kept.length;
    const txids = new Set(kept.map(({ txid }) => txid));
    await judgeArrived(txids);
    if (kept.length > 0) announceChange();
    await notifyUser(txids);
    for (let i = 0; i < kept.length; i += ACKNOWLEDGED_AT_ONCE) {
      await acknowledgeReceived(
        info.serviceUrl,
        kept.slice(i, i + ACKNOWLEDGED_AT_ONCE).map(({ id }) => id),
      );
    }
    // What is never acknowledged must not stand before the rest for ever.
    after = idOf(received.at(-1));
    if (!more || after === null) return;
  }
}

function idOf(said: unknown): string | null {
  const id = typeof said === 'object' && said !== null && 'id' in said ? said.id : null;
  return typeof id === 'string' && id !== '' && id.length <= 100 ? id : null;
}

/** Takes one in. @returns its transaction's id; null where it is wrong, or not known to be right yet */
async function take(said: unknown, id: string, info: NetworkInfo): Promise<string | null> {
  const keys = await publicKeys();
  try {
    const arrival = await checkArrival(said, keys);
    if ((await onNetwork(arrival, info)) === 'unknown') return null;
    await extendChain(keys, info.network, 'service', Math.max(...arrival.outputs.map(({ index }) => index)));
    await storeArrival(arrival, isRecent(arrival.createdAt) ? await priceNow() : null);
    announceChange();
    await extendAddresses(keys, info.network);
    return arrival.txid;
  } catch (error) {
    const isWrong = error instanceof ServiceError && (meaningOf(error.code).final || error.code === 'not-accepted');
    if (!isWrong) throw error;
    if (refused.size >= 1000) refused.clear();
    refused.add(`${info.serviceUrl} ${id}`);
    return null;
  }
}

/**
 * Sees that the network has it, and gives it to the network where it has not.
 * @throws ServiceError `not-accepted`, `network-unavailable`
 */
async function onNetwork({ rawtx, txid }: Arrival, info: NetworkInfo): Promise<'yes' | 'unknown'> {
  const status = await transactionStatus(info, txid);
  if (status && outcomeOf(status).kind === 'accepted') return 'yes';
  const outcome = await submit(info, { rawtx, txid });
  // ARC forgets what was mined long ago, and calls it a conflict then.
  if (outcome.kind === 'accepted' || (await transactionHex(info.wocUrl, txid)) !== null) return 'yes';
  const isDecided = outcome.kind === 'refused' || outcome.kind === 'contested';
  if (!isDecided) return 'unknown';
  throw new ServiceError('not-accepted', { detail: outcome.detail });
}
