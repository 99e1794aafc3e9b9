/**
 * Queries the index in rounds about all transactions that are only watched (`isOnlyWatched`), because the network may
 * have them or a conflicting transaction. The number of requests per round is limited, regardless of the number of
 * transactions.
 */
import { networkInfo } from '../../../chain/network.ts';
import type { NetworkInfo } from '../../../chain/network-info.ts';
import { knownAmong, spendersOfMany, STATES_PER_REQUEST } from '../../../chain/whats-on-chain.ts';
import { lostCoin } from '../../../coins/gone.ts';
import { isNotQueried } from '../broadcast.ts';
import { postpone } from '../postpone.ts';
import type { PaymentRecord, SignedPart } from '../../record.ts';
import { isOnlyWatched } from '../../move.ts';
import { MINUTE_MS } from '../../retry.ts';
import { inProgress } from '../../schedule.ts';
import { transition } from '../../store.ts';
import type { Wallet } from '../../../platform.ts';

/** Maximum number of transactions, and of inputs, per round. Each limit corresponds to three requests. */
const MAX_IN_ROUND = 3 * STATES_PER_REQUEST;
/** Maximum number of transactions that a round checks individually, to verify the index's claims. */
const MAX_CHECKED = 5;

export const isWithheld = (record: PaymentRecord): boolean => record.state === 'signed' && isOnlyWatched(record);

/**
 * Queries the index about the watched transactions that are due. Transactions beyond a round's limit wait a minute.
 * @param check checks one transaction and stores the result
 */
export async function checkWithheld(
  wallet: Wallet,
  due: readonly PaymentRecord[],
  check: (id: string) => Promise<void>,
): Promise<void> {
  const records = due.filter(({ id }) => !inProgress(wallet).has(id));
  if (records.length === 0) return;
  for (const { id } of records) inProgress(wallet).add(id);
  try {
    const quiet = await Promise.all(records.map((record) => isNotQueried(wallet, record)));
    const asked = records.filter((_, i) => !quiet[i]).toSorted((a, b) => a.broadcast.nextAt - b.broadcast.nextAt);
    const round = asked.slice(0, MAX_IN_ROUND);
    const found = await findChanged(wallet, round).catch(() => []);
    const checked = found.slice(0, MAX_CHECKED);
    const waiting = new Set([...asked.slice(MAX_IN_ROUND), ...found.slice(MAX_CHECKED)]);
    for (const record of records)
      if (waiting.has(record)) await waitForNextRound(wallet, record.id);
      else if (!checked.includes(record)) await postpone(wallet, record.id, record.broadcast.problem);
    await Promise.all(checked.map(({ id }) => check(id)));
  } finally {
    for (const { id } of records) inProgress(wallet).delete(id);
  }
}

/** @throws ServiceError `network-unavailable` */
async function findChanged(wallet: Wallet, records: readonly PaymentRecord[]): Promise<readonly PaymentRecord[]> {
  if (records.length === 0) return [];
  const info = await networkInfo(wallet);
  const listed = await inParts(records.map(txidOf), (txids) => knownAmong(wallet, info.wocUrl, txids));
  if (listed === null) return records;
  const known = new Set(listed);
  const others = records.filter((record) => !known.has(txidOf(record)));
  const excluded = await findExcluded(wallet, info, others);
  return records.filter((record) => known.has(txidOf(record)) || excluded.has(record));
}

/** Returns the transactions with an input that another transaction spends, according to the index or a known block. */
async function findExcluded(
  wallet: Wallet,
  info: NetworkInfo,
  records: readonly PaymentRecord[],
): Promise<Set<PaymentRecord>> {
  const excluded = new Set<PaymentRecord>();
  for (const record of records) if (await lostCoin(wallet, inputsOf(record))) excluded.add(record);
  const each = Math.max(1, Math.floor(MAX_IN_ROUND / Math.max(1, records.length)));
  const inputs = records.flatMap((record) => nextInputs(record, each).map((key) => ({ record, key })));
  const listed = await inParts(inputs, (part) =>
    spendersOfMany(
      wallet,
      info.wocUrl,
      part.map(({ key }) => outputAt(key)),
    ),
  );
  if (listed === null) return new Set(records);
  const spenders = new Map(listed);
  for (const { record, key } of inputs) {
    const spender = spenders.get(key);
    if (spender !== undefined && spender !== txidOf(record)) excluded.add(record);
  }
  return excluded;
}

/** Returns `count` inputs of a transaction. Each round continues where the previous one stopped. */
function nextInputs(record: PaymentRecord, count: number): string[] {
  const inputs = inputsOf(record);
  const from = (record.broadcast.attempts * count) % inputs.length;
  return [...inputs.slice(from), ...inputs.slice(0, from)].slice(0, count);
}

/** Sends one request per `STATES_PER_REQUEST` items. Returns null if the index doesn't support such requests. */
async function inParts<Item, Found>(
  items: readonly Item[],
  request: (part: Item[]) => Promise<Iterable<Found> | null>,
): Promise<Found[] | null> {
  const all: Found[] = [];
  for (let from = 0; from < items.length; from += STATES_PER_REQUEST) {
    const part = await request(items.slice(from, from + STATES_PER_REQUEST));
    if (part === null) return null;
    all.push(...part);
  }
  return all;
}

const txidOf = ({ signed }: PaymentRecord) => (signed as SignedPart).txid;
const inputsOf = ({ signed }: PaymentRecord) => (signed as SignedPart).inputs;

function outputAt(key: string): { txid: string; vout: number } {
  const [txid = '', vout] = key.split(':');
  return { txid, vout: Number(vout) };
}

function waitForNextRound(wallet: Wallet, id: string): Promise<unknown> {
  return transition(wallet, id, 'signed', ({ broadcast }) => ({
    broadcast: { ...broadcast, nextAt: wallet.now() + MINUTE_MS },
  }));
}
