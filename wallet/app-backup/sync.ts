/**
 * Synchronizes the log of applications' data with the account's service: reads other wallets' entries, sends new
 * entries, and replaces the log if deleted entries take up more space than the others. Each step is stored before the
 * next, so interruptions are harmless.
 */
import { MAX_BLOCK } from '../../protocol/http/app-log.ts';
import { ServiceError } from '../../protocol/errors/service-error.ts';
import { networkInfo } from '../chain/network.ts';
import type { Network } from '../../protocol/bitcoin/address.ts';
import type { LoggedEntry } from '../app-log/entry.ts';
import { bytesOf } from '../app-log/size.ts';
import { newState, type AppLogState, type BlockUnderWay } from '../app-log/state.ts';
import { readKey, keyIn, readKeyed } from '../store/database.ts';
import { announceChange } from '../events.ts';
import { MINUTE_MS, nextTry, NOT_TRIED } from '../payments/retry.ts';
import { appendBlock, removeBlocks } from '../service/app-log.ts';
import { accountAt } from '../settings.ts';
import { appLogKey } from '../vault/app-log-key.ts';
import { unlockedUntil } from '../vault/session.ts';
import { applyRead } from './apply.ts';
import { fitting, fromBase64, sealBlock, toBase64 } from './block.ts';
import { readLog } from './read.ts';
import { selectSaved, weigh, type Weighed } from './share.ts';
import { changeState, newWriter, readState, sendAll } from './state.ts';
import { changeLogged, countLogged, countUnsent, deleteLogged, eachLogged, unsentLogged } from '../app-log/records.ts';
import { part, type Wallet } from '../platform.ts';

/** Interval at which a service's log is reread to detect losses (milliseconds). */
const READ_EVERY_MS = 24 * 3600_000;
/** Minimum growth since the last replacement (bytes), and minimum number of blocks, before the next one. */
const [WORTH_BYTES, WORTH_BLOCKS] = [262_144, 1_000];
/** Number of entries considered for a block: a few large ones, or many small ones. */
const [FEW_ENTRIES, MAX_ENTRIES] = [8, 400];
const memoryOf = part(() => ({
  running: null as Promise<void> | null,
  again: false,
}));

/**
 * Runs all steps that are due. A call during a run triggers one more run. Never throws: later calls retry. Does nothing
 * while the wallet is locked.
 */
export function syncAppLog(wallet: Wallet): Promise<void> {
  const memory = memoryOf(wallet);
  memory.again = true;
  memory.running ??= run(wallet).finally(() => {
    memory.running = null;
  });
  return memory.running;
}

async function run(wallet: Wallet): Promise<void> {
  const memory = memoryOf(wallet);
  while (memory.again) {
    memory.again = false;
    await sync(wallet)
      .catch((error) => noteProblem(wallet, error))
      .catch(() => undefined); // for example, because the disk is full
    await applyRead(wallet).catch(() => undefined);
  }
}

/**
 * Returns the account's identifier in the log's state (`at`), and its service's origin; null if there is no account.
 */
async function accountNow(wallet: Wallet): Promise<{ at: string; origin: string } | null> {
  const [origin, account] = [await accountAt(wallet), await readKey(wallet, 'account')];
  return origin === null || !account ? null : { at: `${origin} ${account.id}`, origin };
}

async function sync(wallet: Wallet): Promise<void> {
  const account = await accountNow(wallet);
  if (!account) return;
  if (!(await isDue(wallet, account.at)) || (await unlockedUntil(wallet)) === null) return;
  await join(wallet, account.at);
  if (await isReadDue(wallet)) await readLog(wallet, account.origin);
  do await considerReplacing(wallet, account.origin);
  while (await send(wallet, account.origin));
}

/** True if there is something to synchronize. A wallet without application data sends no requests. */
async function isDue(wallet: Wallet, at: string): Promise<boolean> {
  // Uses a single database transaction, because this runs after every change event.
  const tx = await readKeyed(wallet, ['appLog']);
  const [stored, history, unsent, entries] = await Promise.all([
    keyIn(tx, 'appLog'),
    keyIn(tx, 'history'),
    countUnsent(tx),
    countLogged(tx),
  ]);
  const state = stored ?? newState(null, '');
  if (state.at === at && state.retry.nextAt > wallet.now()) return false;
  if (state.underWay || state.replacing || isWorthReplacing(state) || unsent > 0) return true;
  const mayBeThere = history !== undefined || entries > 0;
  return mayBeThere && (state.at !== at || wallet.now() - state.readAt > READ_EVERY_MS);
}

/** Resets the state for a new account, which has no blocks yet, so everything is sent. */
async function join(wallet: Wallet, at: string): Promise<void> {
  await changeState(wallet, async (state, tx) => {
    if (state.at === at) return undefined;
    await sendAll(tx);
    return { ...newState(at, newWriter(wallet)), exportedAt: state.exportedAt };
  });
}

/** True if the log must be read: once per account, then daily, but not while it is being replaced. */
async function isReadDue(wallet: Wallet): Promise<boolean> {
  const { readAt, replacing, underWay } = await readState(wallet);
  return replacing === null && underWay === null && wallet.now() - readAt > READ_EVERY_MS;
}

/** Starts a replacement if it is worthwhile, after reading other wallets' new entries. */
async function considerReplacing(wallet: Wallet, origin: string): Promise<void> {
  const state = await readState(wallet);
  if (state.replacing || state.underWay || !isWorthReplacing(state)) return;
  await readLog(wallet, origin);
  if ((await readState(wallet)).problem !== 'damaged') await beginReplacing(wallet);
}

function isWorthReplacing({ problem, bytes, leastBytes, blocks }: AppLogState): boolean {
  // Another wallet may still have intact copies of the damaged entries, so the user decides.
  if (problem === 'damaged') return false;
  if (problem === 'lost') return true;
  const more = bytes - leastBytes;
  if (problem === 'crowded') return more > leastBytes / 4 || blocks > WORTH_BLOCKS;
  return more > Math.max(WORTH_BYTES, leastBytes) || blocks > WORTH_BLOCKS;
}

async function beginReplacing(wallet: Wallet): Promise<void> {
  await changeState(wallet, async (state, tx) => {
    if (state.replacing || state.underWay) return undefined;
    const weighed: Weighed[] = [];
    for await (const logged of eachLogged(tx)) weighed.push(weigh(logged));
    const { saved, forgotten, leftOut } = selectSaved(weighed);
    for (const key of forgotten) await deleteLogged(tx, key);
    await sendAll(tx, saved);
    const heads = { ...state.heads, [state.writer]: state.acknowledged };
    return { ...state, replacing: { through: state.cursor, heads }, bytes: 0, blocks: 0, leftOut };
  });
}

/** Sends the unsent entries, block by block. @returns true if the log must be replaced before the rest fits */
async function send(wallet: Wallet, origin: string): Promise<boolean> {
  const [{ key }, { network }] = [await appLogKey(wallet), await networkInfo(wallet)];
  for (;;) {
    const state = await readState(wallet);
    if (state.problem === 'crowded' && !state.replacing && !state.underWay && isWorthReplacing(state)) return true;
    const ready = state.underWay ? state : await prepare(wallet, state, key, network);
    if (!ready?.underWay) return false;
    await deliver(wallet, ready, ready.underWay, origin);
  }
}

/** Encrypts the next block, and stores it before it is sent. Null if there is nothing to send. */
async function prepare(
  wallet: Wallet,
  state: AppLogState,
  key: CryptoKey,
  network: Network,
): Promise<AppLogState | null> {
  const unsent = await nextUnsent(wallet);
  const whole = unsent.length === 0 && state.replacing !== null;
  if (unsent.length === 0 && !whole) return null;
  const heads = whole && state.replacing ? state.replacing.heads : othersOf(state);
  const entries = fitting(unsent, heads);
  if (entries.length === 0 && !whole) return null;
  const sequence = state.sequence + 1;
  const content = { entries: entries.map(({ entry, version, at }) => ({ entry, version, at })), heads, whole };
  const block = await sealBlock(wallet, key, { network, writer: state.writer, sequence }, content);
  return changeState(wallet, (now) => {
    // The block can't be used if the account or the writer has changed in the meantime.
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

/** Returns unsent entries, enough to fill a block. */
async function nextUnsent(wallet: Wallet): Promise<LoggedEntry[]> {
  const few = await unsentLogged(wallet, FEW_ENTRIES);
  const bytes = few.reduce((sum, one) => sum + bytesOf(one), 0);
  return few.length < FEW_ENTRIES || bytes > 2 * MAX_BLOCK ? few : unsentLogged(wallet, MAX_ENTRIES);
}

function othersOf({ heads, writer }: AppLogState): AppLogState['heads'] {
  const { [writer]: _, ...others } = heads;
  return others;
}

/** Sends the current block, and records that the service has it. */
async function deliver(wallet: Wallet, state: AppLogState, underWay: BlockUnderWay, origin: string): Promise<void> {
  const { writer, replacing } = state;
  const { sequence, block, replaces, whole } = underWay;
  const position = await appendBlock(wallet, origin, { writer, sequence, block, replaces }).catch((error: unknown) => {
    const code = error instanceof ServiceError ? error.code : null;
    if (code === 'app-log-conflict' || code === 'app-log-full') return code;
    throw error;
  });
  // A copy of this browser's profile used the same writer ID. A new ID keeps them from overwriting each other.
  if (position === 'app-log-conflict') return startOver(wallet, state);
  if (position === 'app-log-full') {
    const mayMakeRoom = !replaces && state.problem !== 'damaged';
    if (!mayMakeRoom && !replacing) await takeBack(wallet, state, underWay);
    if (!mayMakeRoom) throw new ServiceError('app-log-full');
    return makeRoom(wallet, state, underWay);
  }
  // A service that lost blocks may restart its position numbering. The new block must not be removed.
  const through = Math.min(replacing?.through ?? 0, position - 1);
  if (replacing && through < replacing.through)
    await changeState(wallet, (now) =>
      now.replacing ? { ...now, replacing: { ...now.replacing, through } } : undefined,
    );
  if (whole) await removeBlocks(wallet, origin, through);
  await changeState(wallet, async (now, tx) => {
    if (now.writer !== writer || now.underWay?.sequence !== sequence) return undefined;
    for (const [key, version] of underWay.entries)
      // An entry that changed in the meantime remains unsent.
      await changeLogged(tx, { key, version }, ({ unsent: _, ...sent }) => sent);
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
  announceChange(wallet);
}

/** Lets the block use the space reserved for a replacement, because a replacement follows. */
async function makeRoom(wallet: Wallet, { writer }: AppLogState, { sequence }: BlockUnderWay): Promise<void> {
  await changeState(wallet, (now) =>
    now.writer === writer && now.underWay?.sequence === sequence
      ? { ...now, underWay: { ...now.underWay, replaces: true }, problem: now.problem ?? 'crowded' }
      : undefined,
  );
}

/** Releases the sequence number of a rejected block. Its entries remain unsent until the log is replaced. */
async function takeBack(wallet: Wallet, { writer }: AppLogState, { sequence }: BlockUnderWay): Promise<void> {
  await changeState(wallet, (now) =>
    now.writer === writer && now.underWay?.sequence === sequence
      ? { ...now, underWay: null, sequence: sequence - 1 }
      : undefined,
  );
}

/** Continues with a new writer ID. The current block's entries are still marked as unsent. */
async function startOver(wallet: Wallet, { writer }: AppLogState): Promise<void> {
  await changeState(wallet, (now) =>
    now.writer === writer
      ? { ...now, writer: newWriter(wallet), sequence: 0, acknowledged: 0, underWay: null }
      : undefined,
  );
}

/** Schedules a retry, unless the wallet is locked, because unlocking triggers one. */
async function noteProblem(wallet: Wallet, error: unknown): Promise<void> {
  const code = error instanceof ServiceError ? error.code : 'internal';
  if (code === 'wallet-locked' || code === 'wallet-not-set-up') return;
  const { retry } = await changeState(wallet, (state) =>
    state.at === null ? undefined : { ...state, retry: nextTry(wallet, state.retry, code, MINUTE_MS) },
  );
  syncAt(wallet, retry.nextAt);
  announceChange(wallet);
}

/** Schedules a sync. A timer that fires before `time` is set again. */
function syncAt(wallet: Wallet, time: number): void {
  const delay = Math.min(MINUTE_MS, Math.max(1, time - wallet.now()));
  wallet.setTimeout(() => (wallet.now() < time ? syncAt(wallet, time) : void syncAppLog(wallet)), delay);
}

/** Sends all of this wallet's entries again, to replace damaged ones on the service. */
export async function saveAgain(wallet: Wallet): Promise<void> {
  await changeState(wallet, (state) => ({ ...state, problem: null, retry: NOT_TRIED }));
  await beginReplacing(wallet);
  await syncAppLog(wallet);
}
