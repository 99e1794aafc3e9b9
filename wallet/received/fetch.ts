/**
 * Fetches paymail payments, checks that the network has them, stores them, notifies the user and acknowledges them, in
 * this order. Unacknowledged payments are fetched again, and completed steps aren't repeated.
 */
import { meaningOf, ServiceError } from '../../protocol/errors/service-error.ts';
import { verifyArrived } from '../assets/judge.ts';
import { outcomeOf } from '../../protocol/network/broadcaster/outcome.ts';
import { submit, transactionStatus } from '../chain/operators.ts';
import { networkInfo } from '../chain/network.ts';
import { isRecent, priceNow } from '../chain/rates.ts';
import { transactionHex } from '../chain/whats-on-chain.ts';
import { extendAddresses, extendChain } from '../coins/addresses/addresses.ts';
import { readKey } from '../store/database.ts';
import { acknowledgeReceived, fetchReceived } from '../service/client.ts';
import { publicKeys } from '../vault/vault.ts';
import { checkReceived, type ReceivedPayment } from './check.ts';
import { notifyUser } from './notify.ts';
import { readRecords } from './records.ts';
import { confirmRefunds } from './refunds.ts';
import { storeArrival } from './store.ts';
import { announceChange } from '../events.ts';
import type { NetworkInfo } from '../chain/network-info.ts';
import { part, type Wallet } from '../platform.ts';

/** Maximum number of responses per fetch. The next fetch requests the rest. */
const MAX_RESPONSES = 100;
const IDS_PER_ACKNOWLEDGEMENT = 100;
/** Number of consecutive payments that can't be checked after which the index is considered unreachable. */
const MAX_CONSECUTIVE_FAILURES = 5;

// Invalid payments, keyed by service and ID. They aren't rechecked on every fetch. Lost when the worker stops.
const refused = part(() => new Set<string>());
// Payments that couldn't be checked before. They are checked last, so they don't delay others at every fetch.
const unchecked = part(() => new Set<string>());
const memoryOf = part(() => ({
  // Number of payments stored since the worker started.
  taken: 0,
  running: null as Promise<void> | null,
  isAsked: false,
  isAnew: false,
}));

/**
 * Fetches all pending payments. Calls during a fetch start one more fetch. Never throws: the next call retries.
 * @param again rechecks payments that were invalid before
 */
export function receive(wallet: Wallet, { again = false } = {}): Promise<void> {
  const memory = memoryOf(wallet);
  memory.isAsked = true;
  memory.isAnew ||= again;
  memory.running ??= (async () => {
    while (memory.isAsked) {
      memory.isAsked = false;
      if (memory.isAnew) refused(wallet).clear(); // not earlier, because the previous run may have added payments
      memory.isAnew = false;
      const before = memory.taken;
      // An error that ended the loop would leave `running` set, and no payments would be fetched any longer.
      await receiveAll(wallet).catch(() => undefined);
      await readRecords(wallet).catch(() => undefined);
      await confirmRefunds(wallet, memory.taken > before).catch(() => undefined);
    }
    memory.running = null;
  })();
  return memory.running;
}

async function receiveAll(wallet: Wallet): Promise<void> {
  if (!(await readKey(wallet, 'account'))) return;
  const info = await networkInfo(wallet);
  let after: string | null = null;
  let failures = 0;
  for (let answers = 0; answers < MAX_RESPONSES; answers += 1) {
    const { received, more } = await fetchReceived(wallet, info.serviceUrl, after);
    const kept: { id: string; txid: string }[] = [];
    const wasFailing = (said: unknown) => unchecked(wallet).has(`${info.serviceUrl} ${idOf(said)}`);
    for (const said of received.toSorted((a, b) => Number(wasFailing(a)) - Number(wasFailing(b)))) {
      const id = idOf(said);
      if (id === null || refused(wallet).has(`${info.serviceUrl} ${id}`)) continue;
      try {
        const txid = await take(wallet, said, id, info);
        if (txid !== null) kept.push({ id, txid });
        unchecked(wallet).delete(`${info.serviceUrl} ${id}`);
        failures = 0;
      } catch (error) {
        // The index may fail for only one transaction, so its payment doesn't block the others. It is fetched again.
        if (!(error instanceof ServiceError) || error.code !== 'network-unavailable') throw error;
        if (unchecked(wallet).size >= 1000) unchecked(wallet).clear();
        unchecked(wallet).add(`${info.serviceUrl} ${id}`);
        failures += 1;
        if (failures === MAX_CONSECUTIVE_FAILURES) break;
      }
    }
    memoryOf(wallet).taken += kept.length;
    const txids = new Set(kept.map(({ txid }) => txid));
    await verifyArrived(wallet, txids);
    if (kept.length > 0) announceChange(wallet);
    await notifyUser(wallet, txids);
    for (let i = 0; i < kept.length; i += IDS_PER_ACKNOWLEDGEMENT) {
      await acknowledgeReceived(
        wallet,
        info.serviceUrl,
        kept.slice(i, i + IDS_PER_ACKNOWLEDGEMENT).map(({ id }) => id),
      );
    }
    // Continues after this page so that payments that are never acknowledged don't block later ones.
    after = idOf(received.at(-1));
    if (!more || after === null || failures === MAX_CONSECUTIVE_FAILURES) return;
  }
}

function idOf(said: unknown): string | null {
  const id = typeof said === 'object' && said !== null && 'id' in said ? said.id : null;
  return typeof id === 'string' && id !== '' && id.length <= 100 ? id : null;
}

/** Processes one payment. @returns its txid; null if it is invalid, or can't be verified yet */
async function take(wallet: Wallet, said: unknown, id: string, info: NetworkInfo): Promise<string | null> {
  const keys = await publicKeys(wallet);
  try {
    const arrival = await checkReceived(wallet, said, keys);
    if ((await onNetwork(wallet, arrival, info)) === 'unknown') return null;
    await extendChain(wallet, keys, info.network, 'service', Math.max(...arrival.outputs.map(({ index }) => index)));
    await storeArrival(wallet, arrival, isRecent(wallet, arrival.createdAt) ? await priceNow(wallet) : null);
    announceChange(wallet);
    await extendAddresses(wallet, keys, info.network);
    return arrival.txid;
  } catch (error) {
    const isWrong = error instanceof ServiceError && (meaningOf(error.code).final || error.code === 'not-accepted');
    if (!isWrong) throw error;
    if (refused(wallet).size >= 1000) refused(wallet).clear();
    refused(wallet).add(`${info.serviceUrl} ${id}`);
    return null;
  }
}

/**
 * Checks that the network has the transaction, and broadcasts it if not.
 * @throws ServiceError `not-accepted`, `network-unavailable`
 */
async function onNetwork(
  wallet: Wallet,
  { rawtx, txid }: ReceivedPayment,
  info: NetworkInfo,
): Promise<'yes' | 'unknown'> {
  const status = await transactionStatus(wallet, info, txid);
  if (status && outcomeOf(status).kind === 'accepted') return 'yes';
  const outcome = await submit(wallet, info, { rawtx, txid });
  // Operators forget transactions that were mined long ago, and then report a conflict.
  if (outcome.kind === 'accepted' || (await transactionHex(wallet, info.wocUrl, txid)) !== null) return 'yes';
  const isDecided = outcome.kind === 'refused' || outcome.kind === 'contested';
  if (!isDecided) return 'unknown';
  throw new ServiceError('not-accepted', { detail: outcome.detail });
}
