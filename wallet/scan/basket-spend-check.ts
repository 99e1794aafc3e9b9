/**
 * Detects outputs in applications' baskets that were spent outside this wallet: with the same recovery words in another
 * browser, or by another holder of the key. All outputs are checked in rotation, those shown to an application first.
 */
import type { AppOutput, Listing } from '../baskets/app-output.ts';
import { listedAfter } from '../baskets/list.ts';
import { restoreOutput, spentElsewhere, outputsAt } from '../baskets/outputs.ts';
import type { NetworkInfo } from '../chain/network-info.ts';
import { coinsSpentWith, minedRival } from '../chain/headers/spv.ts';
import { inTransaction, readTransaction, database } from '../store/database.ts';
import { announceChange } from '../events.ts';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { noteProgress, readProgress } from './scan-progress.ts';
import { inAnyOrder } from './spent.ts';
import type { Work } from './work.ts';
import { part, type Wallet } from '../platform.ts';

/**
 * Number of outputs checked per refresh: the next in rotation, those recently shown to applications, and those found
 * spent.
 */
const [IN_TURN, SHOWN, SPENT] = [10, 20, 5];
/** How long outputs found spent are rechecked (milliseconds): one day, extended until the spender is confirmed. */
export const WATCHED_MS = 24 * 3600_000;
const MAX_WATCHED_OUTPUTS = 200;

/**
 * An output and its site. Each site gets a share of every list so that no site can displace another site's outputs.
 */
interface Noted {
  outpoint: string;
  origin: string;
}

const memoryOf = part(() => ({
  shown: [] as Noted[],
}));

/** Marks outputs to be checked first in the next refresh, because a site has just seen them. */
export function checkSoon(wallet: Wallet, origin: string, outpoints: Iterable<string>): void {
  const memory = memoryOf(wallet);
  const known = new Set(memory.shown.filter((one) => one.origin === origin).map(({ outpoint }) => outpoint));
  const added = [...outpoints].filter((one) => !known.has(one)).map((outpoint) => ({ outpoint, origin }));
  memory.shown = inTurns([...memory.shown, ...added], 5 * SHOWN);
}

/** Returns the outpoints found spent by an unconfirmed transaction. */
export async function watchedOutputs(wallet: Wallet): Promise<Set<string>> {
  const { kept } = await readProgress(wallet);
  return new Set(kept?.spent?.map(({ outpoint }) => outpoint));
}

/** Checks outputs within the refresh's budget, and records which are spent and which are available again. */
export async function checkBasketSpends(wallet: Wallet, info: NetworkInfo, work: Work): Promise<void> {
  const memory = memoryOf(wallet);
  const { kept: { after, spent = [] } = {} } = await readProgress(wallet);
  let turn = await listedAfter(wallet, after, IN_TURN);
  if (turn.length === 0) turn = await listedAfter(wallet, undefined, IN_TURN);
  const soon = inTurns(memory.shown, SHOWN);
  const watched = inTurns(inAnyOrder(wallet, spent), SPENT);
  if (turn.length + soon.length + watched.length === 0) return;
  const places = new Set([...soon, ...turn, ...watched].map(({ outpoint }) => outpoint));
  const [looked, found, settled] = [new Set<string>(), new Map<string, AppOutput[]>(), new Set<string>()];
  const now = wallet.now();
  const until = now + WATCHED_MS;
  for (const place of places) {
    if (!work.checks.left || work.isOver) break;
    looked.add(place);
    memory.shown = memory.shown.filter(({ outpoint }) => outpoint !== place);
    const outputs = await outputsAt(readTransaction(await database(wallet)), place);
    if (outputs.length === 0) {
      settled.add(place);
      continue;
    }
    // Recorded before the output is marked as spent, so it is still watched if the worker is interrupted.
    const isFound = await lookAt(wallet, info, outputs, work, () => noteWatched(wallet, outputs, until));
    const isOld = spent.some((one) => one.outpoint === place && one.until <= now);
    if (isFound || (isOld && !(await isDecided(wallet, info, place, work)))) found.set(place, outputs);
    else if (isOld) settled.add(place);
  }
  const still = spent.filter(({ outpoint }) => !found.has(outpoint) && !settled.has(outpoint));
  await noteProgress(wallet, {
    kept: {
      after: placeAfter(after, turn, looked),
      // Retains each site's most recently found outputs.
      spent: inTurns(
        [...still, ...[...found.values()].flatMap((outputs) => watchOf(outputs, until))].toReversed(),
        MAX_WATCHED_OUTPUTS,
      ).toReversed(),
    },
  });
}

/** Returns the position at which the next check continues: after the last output checked in this rotation. */
function placeAfter(
  before: Listing | undefined,
  turn: readonly AppOutput[],
  looked: ReadonlySet<string>,
): Listing | undefined {
  const left = turn.findIndex(({ outpoint }) => !looked.has(outpoint));
  const last = left < 0 ? turn.at(-1) : turn[left - 1];
  return last ? [last.basket, last.id] : before;
}

/**
 * Watches an output separately for each site that has it, so a site with many outputs can't displace the outputs of
 * other sites.
 */
const watchOf = (outputs: readonly AppOutput[], until: number) =>
  outputs.map(({ outpoint, origin }) => ({ outpoint, origin, until }));

async function noteWatched(wallet: Wallet, outputs: readonly AppOutput[], until: number): Promise<void> {
  const { kept } = await readProgress(wallet);
  const others = (kept?.spent ?? []).filter((one) => one.outpoint !== outputs[0]?.outpoint);
  await noteProgress(wallet, { kept: { ...kept, spent: [...others, ...watchOf(outputs, until)] } });
}

/** Returns the first entry of each site, then the second of each, and so on up to `most`. */
function inTurns<T extends Pick<Noted, 'origin'>>(list: readonly T[], most: number): T[] {
  const bySite = new Map<string, number>();
  const ranked = list.map((one) => {
    const rank = bySite.get(one.origin) ?? 0;
    bySite.set(one.origin, rank + 1);
    return { one, rank };
  });
  return ranked
    .sort((a, b) => a.rank - b.rank)
    .slice(0, most)
    .map(({ one }) => one);
}

/**
 * Logs a confirmed spend. Returns true if the spend is confirmed, or if the output is no longer marked as spent by a
 * third party.
 */
async function isDecided(wallet: Wallet, info: NetworkInfo, outpoint: string, work: Work): Promise<boolean> {
  const outputs = await outputsAt(readTransaction(await database(wallet)), outpoint);
  if (!outputs.some(({ status, spentBy }) => status === 'spent' && spentBy === null)) return true;
  let isMined = false;
  work.checks.took(3);
  await work.passingOver(async () => {
    const rival = await minedRival(wallet, info, { txid: outpoint.slice(0, 64), vout: Number(outpoint.slice(65)) }, '');
    if (rival) await inTransaction(wallet, (tx) => spentElsewhere(wallet, tx, outpoint, true));
    isMined = rival !== null;
  });
  return isMined;
}

/**
 * Checks an output.
 * @param watch called before the output is marked as spent
 * @returns true if the output was newly found spent
 */
async function lookAt(
  wallet: Wallet,
  info: NetworkInfo,
  outputs: readonly AppOutput[],
  work: Work,
  watch: () => Promise<void>,
): Promise<boolean> {
  // If an output is pending or is spent by one of this wallet's payments, its state depends on the payment instead.
  const open = outputs.filter(
    ({ status, spentBy }) => spentBy === null && (status === 'available' || status === 'spent'),
  );
  const [first] = open;
  if (!first) return false;
  const { outpoint, satoshis, script } = first;
  const wasOffered = open.some(({ status }) => status === 'available');
  let isSpent = !wasOffered;
  work.checks.took(2);
  await work.passingOver(async () => {
    const coin = { txid: outpoint.slice(0, 64), vout: Number(outpoint.slice(65)), satoshis, script };
    const answer = await isSpentNow(wallet, info, coin);
    const isKnown = open.every(({ status }) => (status === 'spent') === answer);
    if (answer === null || isKnown) return;
    isSpent = answer;
    if (isSpent) await watch();
    await inTransaction(wallet, (tx) =>
      isSpent ? spentElsewhere(wallet, tx, outpoint, false) : restoreOutput(wallet, tx, outpoint),
    );
    announceChange(wallet);
  });
  return isSpent && wasOffered;
}

/**
 * Returns whether an output is spent; null if unknown. If the wallet can't read the script, only a confirmed spend
 * counts.
 */
async function isSpentNow(
  wallet: Wallet,
  info: NetworkInfo,
  coin: Parameters<typeof coinsSpentWith>[2],
): Promise<boolean | null> {
  try {
    return (await coinsSpentWith(wallet, info, coin, [])).length > 0;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'invalid-proof') return null;
    throw error;
  }
}
