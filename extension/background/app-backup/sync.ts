/**
 * Keeps the log of applications' data at the account's service: reads the entries of other wallets with the same words,
 * sends new ones, and replaces everything if deleted entries take more space than existing ones. Each step is stored
 * before the next, so interruptions at any point are harmless.
 */
import { MAX_BLOCK } from '../../../protocol/app-log.ts';
import { ServiceError } from '../../../protocol/errors.ts';
import { networkInfo } from '../chain/network.ts';
import type { Network } from '../../../protocol/address.ts';
import type { LoggedEntry } from '../app-log/entry.ts';
import { bytesOf } from '../app-log/size.ts';
import { newState, type AppLogState, type BlockUnderWay } from '../app-log/state.ts';
import { database, readKey } from '../database.ts';
import { announceChange } from '../events.ts';
import { MINUTE_MS, nextTry, NOT_TRIED } from '../payment/retry.ts';
import { appendBlock, removeBlocks } from '../service/app-log.ts';
import { accountAt } from '../settings.ts';
import { appLogKey } from '../vault/app-log-key.ts';
import { unlockedUntil } from '../vault/session.ts';
import { applyRead } from './apply.ts';
import { fitting, fromBase64, sealBlock, toBase64 } from './block.ts';
import { readLog } from './read.ts';
import { shareRoom, weigh, type Weighed } from './share.ts';
import { changeState, newWriter, readState, sendAll, type KeyTransaction } from './state.ts';

/** How often a log at a service is read (milliseconds), which detects losses. */
const READ_EVERY_MS = 24 * 3600_000;
/** Everything is sent again once it takes twice as much space as last time, and this many more bytes or blocks. */
const [WORTH_BYTES, WORTH_BLOCKS] = [262_144, 1_000];
/** Entries that are considered for one block: a few large ones, or many small ones. */
const [FEW_ENTRIES, MOST_ENTRIES] = [8, 400];
let running: Promise<void> | null = null;
let again = false;

/**
 * Runs all due steps. Calls in the meantime start one more run. Never throws: failures are retried at a later call, not
 * before their time. A locked wallet waits for its next unlock.
 */
export function syncAppLog(): Promise<void> {
  again = true;
  running ??= run().finally(() => {
    running = null;
  });
  return running;
}

async function run(): Promise<void> {
  while (again) {
    again = false;
    await sync()
      .catch(noteProblem)
      .catch(() => undefined); // such as a full disk
    await applyRead().catch(() => undefined);
  }
}

/** The account as noted in the record; null if there is none. */
async function accountNow(): Promise<{ at: string; origin: string } | null> {
  const [origin, account] = [await accountAt(), await readKey('account')];
  return origin === null || !account ? null : { at: `${origin} ${account.id}`, origin };
}

async function sync(): Promise<void> {
  const account = await accountNow();
  if (!account) return;
  if (!(await isDue(account.at)) || (await unlockedUntil()) === null) return;
  await join(account.at);
  if (await isReadDue()) await readLog(account.origin);
  do await considerReplacing(account.origin);
  while (await send(account.origin));
}

/** True if anything is due at the service. A wallet that never had applications' data sends it no requests. */
async function isDue(at: string): Promise<boolean> {
  // One transaction for all of it, because every announcement runs this.
  const tx = (await database()).transaction(['keyval', 'appLog']);
  const [keys, log] = [tx.objectStore('keyval'), tx.objectStore('appLog')];
  const [stored, history, unsent, entries] = await Promise.all([
    keys.get('appLog'),
    keys.getKey('history'),
    log.index('unsent').count(),
    log.count(),
  ]);
  const state = (stored as AppLogState | undefined) ?? newState(null, '');
  if (state.at === at && state.retry.nextAt > Date.now()) return false;
  if (state.underWay || state.replacing || isWorthReplacing(state) || unsent > 0) return true;
  const mayBeThere = history !== undefined || entries > 0;
  return mayBeThere && (state.at !== at || Date.now() - state.readAt > READ_EVERY_MS);
}

/** At another account nothing is known to be sent, so everything is sent. */
async function join(at: string): Promise<void> {
  await changeState(async (state, tx) => {
    if (state.at === at) return undefined;
    await sendAll(tx);
    return { ...newState(at, newWriter()), exportedAt: state.exportedAt };
  });
}

/** Read once at an account, and once a day. While everything is being sent again, the replaced log was read. */
async function isReadDue(): Promise<boolean> {
  const { readAt, replacing, underWay } = await readState();
  return replacing === null && underWay === null && Date.now() - readAt > READ_EVERY_MS;
}

/** Starts to send everything again if that is worth it, after reading other wallets' new entries. */
async function considerReplacing(origin: string): Promise<void> {
  const state = await readState();
  if (state.replacing || state.underWay || !isWorthReplacing(state)) return;
  await readLog(origin);
  if ((await readState()).problem !== 'damaged') await beginReplacing();
}

function isWorthReplacing({ problem, bytes, leastBytes, blocks }: AppLogState): boolean {
  // Damaged entries may be intact elsewhere, so they stay until the user decides.
  if (problem === 'damaged') return false;
  if (problem === 'lost') return true;
  const more = bytes - leastBytes;
  if (problem === 'crowded') return more > leastBytes / 4 || blocks > WORTH_BLOCKS;
  return more > Math.max(WORTH_BYTES, leastBytes) || blocks > WORTH_BLOCKS;
}

/** Starts sending everything again, as a replacement of the log that was read. */
async function beginReplacing(): Promise<void> {
  await changeState(async (state, tx) => {
    if (state.replacing || state.underWay) return undefined;
    const store = tx.objectStore('appLog');
    const weighed: Weighed[] = [];
    for (let cursor = await store.openCursor(); cursor; cursor = await cursor.continue())
      weighed.push(weigh(cursor.value));
    const { saved, forgotten, leftOut } = shareRoom(weighed);
    for (const key of forgotten) await store.delete(key);
    await sendAll(tx, saved);
    const heads = { ...state.heads, [state.writer]: state.acknowledged };
    return { ...state, replacing: { through: state.cursor, heads }, bytes: 0, blocks: 0, leftOut };
  });
}

/** Sends block by block, until nothing is left. @returns true if everything is to be replaced before the rest fits */
async function send(origin: string): Promise<boolean> {
  const [{ key }, { network }] = [await appLogKey(), await networkInfo()];
  for (;;) {
    const state = await readState();
    if (state.problem === 'crowded' && !state.replacing && !state.underWay && isWorthReplacing(state)) return true;
    const ready = state.underWay ? state : await prepare(state, key, network);
    if (!ready?.underWay) return false;
    await deliver(ready, ready.underWay, origin);
  }
}

/** Seals the next block, and stores it before it is sent. Null if nothing is left to send. */
async function prepare(state: AppLogState, key: CryptoKey, network: Network): Promise<AppLogState | null> {
  const unsent = await nextUnsent();
  const whole = unsent.length === 0 && state.replacing !== null;
  if (unsent.length === 0 && !whole) return null;
  const heads = whole && state.replacing ? state.replacing.heads : othersOf(state);
  const entries = fitting(unsent, heads);
  if (entries.length === 0 && !whole) return null;
  const sequence = state.sequence + 1;
  const content = { entries: entries.map(({ entry, version, at }) => ({ entry, version, at })), heads, whole };
  const block = await sealBlock(key, { network, writer: state.writer, sequence }, content);
  return changeState((now) => {
    // With another account or writer, the sealed block is useless.
    if (now.at !== state.at || now.writer !== state.writer || now.sequence !== state.sequence || now.underWay)
      return undefined;
    const versions = entries.map(({ key, version }): [string, number] => [key, version]);
    const underWay = {
      sequence,
      block: toBase64(block),
      replaces: state.replacing !== null || state.problem === 'crowded',
      whole,
      entries: versions,
    };
    return { ...now, sequence, underWay };
  });
}

/** Some unsent entries, enough to fill a block. */
async function nextUnsent(): Promise<LoggedEntry[]> {
  const read = async (most: number) => (await database()).getAllFromIndex('appLog', 'unsent', 1, most);
  const few = await read(FEW_ENTRIES);
  const bytes = few.reduce((sum, one) => sum + bytesOf(one), 0);
  return few.length < FEW_ENTRIES || bytes > 2 * MAX_BLOCK ? few : read(MOST_ENTRIES);
}

function othersOf({ heads, writer }: AppLogState): AppLogState['heads'] {
  const { [writer]: _, ...others } = heads;
  return others;
}

/** Sends the current block, and records that the service has it. */
async function deliver(state: AppLogState, underWay: BlockUnderWay, origin: string): Promise<void> {
  const { writer, replacing } = state;
  const { sequence, block, replaces, whole } = underWay;
  const position = await appendBlock(origin, { writer, sequence, block, replaces }).catch((error: unknown) => {
    const code = error instanceof ServiceError ? error.code : null;
    if (code === 'app-log-conflict' || code === 'app-log-full') return code;
    throw error;
  });
  // A copy of this browser's profile wrote under the same name. Under another name, both are kept.
  if (position === 'app-log-conflict') return startOver(state);
  if (position === 'app-log-full') {
    const mayMakeRoom = !replaces && state.problem !== 'damaged';
    if (!mayMakeRoom && !replacing) await takeBack(state, underWay);
    if (!mayMakeRoom) throw new ServiceError('app-log-full');
    return makeRoom(state, underWay);
  }
  // Positions may have gone back at a service that lost some. The block just sent must not be removed.
  const through = Math.min(replacing?.through ?? 0, position - 1);
  if (replacing && through < replacing.through)
    await changeState((now) => (now.replacing ? { ...now, replacing: { ...now.replacing, through } } : undefined));
  if (whole) await removeBlocks(origin, through);
  await changeState(async (now, tx) => {
    if (now.writer !== writer || now.underWay?.sequence !== sequence) return undefined;
    for (const [key, version] of underWay.entries) await markSent(tx, key, version);
    const bytes = now.bytes + fromBase64(block).length;
    return {
      ...now,
      underWay: null,
      acknowledged: sequence,
      cursor: Math.min(now.cursor, position - 1),
      bytes,
      blocks: now.blocks + 1,
      retry: NOT_TRIED,
      ...(whole && { replacing: null, leastBytes: bytes, problem: null }),
    };
  });
  announceChange();
}

/** The block may use the space reserved for replacing, and everything is replaced after it. */
async function makeRoom({ writer }: AppLogState, { sequence }: BlockUnderWay): Promise<void> {
  await changeState((now) =>
    now.writer === writer && now.underWay?.sequence === sequence
      ? { ...now, underWay: { ...now.underWay, replaces: true }, problem: now.problem ?? 'crowded' }
      : undefined,
  );
}

/** The service doesn't have the block, so its number is free. Its entries wait until everything is replaced. */
async function takeBack({ writer }: AppLogState, { sequence }: BlockUnderWay): Promise<void> {
  await changeState((now) =>
    now.writer === writer && now.underWay?.sequence === sequence
      ? { ...now, underWay: null, sequence: sequence - 1 }
      : undefined,
  );
}

/** An entry that changed in between stays unsent. */
async function markSent(tx: KeyTransaction, key: string, version: number): Promise<void> {
  const store = tx.objectStore('appLog');
  const now = await store.get(key);
  if (now?.version !== version) return;
  const { unsent: _, ...sent } = now;
  await store.put(sent);
}

/** Continues under another writer's name. The current block's entries are still marked as unsent. */
async function startOver({ writer }: AppLogState): Promise<void> {
  await changeState((now) =>
    now.writer === writer ? { ...now, writer: newWriter(), sequence: 0, acknowledged: 0, underWay: null } : undefined,
  );
}

/** Records when to retry. Not for a locked wallet, because its unlock retries. */
async function noteProblem(error: unknown): Promise<void> {
  const code = error instanceof ServiceError ? error.code : 'internal';
  if (code === 'wallet-locked' || code === 'wallet-not-set-up') return;
  const { retry } = await changeState((state) =>
    state.at === null ? undefined : { ...state, retry: nextTry(state.retry, code, MINUTE_MS) },
  );
  syncAt(retry.nextAt);
  announceChange();
}

/** Timers may end slightly early by the clock, and nothing would be due then. */
function syncAt(time: number): void {
  const delay = Math.min(MINUTE_MS, Math.max(1, time - Date.now()));
  setTimeout(() => (Date.now() < time ? syncAt(time) : void syncAppLog()), delay);
}

/** Saves all entries of this wallet again, and replaces damaged ones at the service. */
export async function saveAgain(): Promise<void> {
  await changeState((state) => ({ ...state, problem: null, retry: NOT_TRIED }));
  await beginReplacing();
  await syncAppLog();
}
