/**
 * Advances a payment as far as possible without the user: signs, broadcasts, reports, delivers to recipients' hosts,
 * and confirms. Every step starts from the stored state, so a run can be interrupted at any point.
 */
import { ServiceError, toServiceError } from '../../../protocol/errors/service-error.ts';
import { readTransaction, database } from '../../store/database.ts';
import { signalChange } from '../../events.ts';
import type { Draft } from '../plan/draft.ts';
import { commitPayment } from '../plan/commit.ts';
import { confirm, broadcastPayment } from '../network/broadcast.ts';
import { giveUpUnsigned } from '../network/give-up.ts';
import { checkWithheld, isWithheld } from '../network/kept-rounds/kept-round.ts';
import { outcomeOf, unlessEnded, forgetVoid, isVoid, readOutcome, voidApproval } from '../outcome.ts';
import { postpone } from '../network/postpone.ts';
import { forgetEarly, sendEarly, sendDue } from '../outbox/outbox.ts';
import type { PaymentRecord } from '../record.ts';
import { inProgress, scheduleWork } from '../schedule.ts';
import { failUnsigned, readPayment, paymentMaking, transition, countIn, idsIn } from '../store.ts';
import { reindexUnfinished, unfinishedPayments } from '../unfinished.ts';
import { part, type Wallet, type Timer } from '../../platform.ts';
import { NOT_TRIED } from '../retry.ts';

/** An approval expires if the payment can't be signed within this many milliseconds. */
const APPROVAL_LIFE_MS = 120_000;
/** Maximum number of mined payments advanced concurrently. Thousands may become due when a service recovers. */
const MAX_PARALLEL_PAYMENTS = 32;

const running = part(() => new Map<string, Promise<void>>());
const queue = part(() => new Set<string>());
const drivers = part(() => new Set<Promise<void>>());
const unstored = part(() => new Set<string>());

/** True if the latest attempt couldn't be stored because the disk is full. */
export const isUnstored = (wallet: Wallet, id: string): boolean => unstored(wallet).has(id);

/**
 * Advances a payment as far as currently possible. Concurrent calls share one run. Never throws.
 * @param draft the transaction of an approved payment, if it was just planned
 */
export function processPayment(wallet: Wallet, id: string, draft?: Draft): Promise<void> {
  const current = running(wallet).get(id);
  if (current) return current;
  inProgress(wallet).add(id);
  unstored(wallet).delete(id);
  const run = advance(wallet, id, draft)
    .catch(async (error: unknown) => {
      const { code } = toServiceError(error);
      if (code === 'disk-full') unstored(wallet).add(id);
      await postpone(wallet, id, code).catch(() => undefined); // if the database failed, the alarm retries
      signalChange(wallet, id);
    })
    .finally(() => {
      forgetEarly(wallet, id);
      running(wallet).delete(id);
      inProgress(wallet).delete(id);
      void scheduleWork(wallet);
    });
  running(wallet).set(id, run);
  return run;
}

/** Advances a payment that has just changed. First waits for any current run, which may have missed the change. */
export async function processChanged(wallet: Wallet, id: string): Promise<void> {
  await running(wallet).get(id);
  await processPayment(wallet, id);
}

/** Advances all due payments and schedules the next run. */
export async function processAll(wallet: Wallet): Promise<void> {
  const unfinished = await unfinishedPayments(wallet);
  await reindexUnfinished(wallet, unfinished).catch(() => undefined); // reindexing is retried later
  const due = await Promise.all(
    unfinished.filter(({ at }) => at <= wallet.now()).map(({ record }) => wholeOf(wallet, record)),
  );
  const kept = due.filter(isWithheld);
  const inBlocks = due.filter(({ height }) => height !== null);
  for (const { id } of inBlocks)
    if (!running(wallet).has(id)) {
      queue(wallet).add(id);
      inProgress(wallet).add(id);
    }
  while (drivers(wallet).size < MAX_PARALLEL_PAYMENTS && queue(wallet).size > 0) {
    const driver: Promise<void> = driveQueue(wallet).finally(() => drivers(wallet).delete(driver));
    drivers(wallet).add(driver);
  }
  await Promise.all([
    checkWithheld(wallet, kept, (id) => processPayment(wallet, id)).catch(() => undefined), // if the database failed, the alarm retries
    ...due.filter((one) => one.height === null && !isWithheld(one)).map(({ id }) => processPayment(wallet, id)),
    ...inBlocks.flatMap(({ id }) => running(wallet).get(id) ?? []),
    ...drivers(wallet),
  ]);
  await scheduleWork(wallet);
}

/** Returns a signed payment with its inputs, which its light copy lacks, because checks of withheld actions need them. */
const wholeOf = async (wallet: Wallet, light: PaymentRecord): Promise<PaymentRecord> =>
  light.signed?.rawtx === '' ? ((await readPayment(wallet, light.id)) ?? light) : light;

/** Advances queued payments one by one, including those added during the run. */
async function driveQueue(wallet: Wallet): Promise<void> {
  for (const id of queue(wallet)) {
    queue(wallet).delete(id);
    // oxlint-disable-next-line no-await-in-loop -- sequential on purpose
    await processPayment(wallet, id);
  }
}

async function advance(wallet: Wallet, id: string, draft?: Draft): Promise<void> {
  for (let record = await readPayment(wallet, id); record && record.unfinished !== 0;) {
    const next: PaymentRecord | null = await advanceOnce(wallet, record, draft);
    if (next === null) return;
    record = next;
  }
}

/** Performs the payment's next transition. Returns null if nothing more can be done now. */
async function advanceOnce(wallet: Wallet, record: PaymentRecord, draft?: Draft): Promise<PaymentRecord | null> {
  switch (record.state) {
    case 'approved':
      return commitOrFail(wallet, record, draft);
    case 'signable':
      if (wallet.now() >= (record.action?.expiresAt ?? 0)) await giveUpUnsigned(wallet, record.id, 'action-expired');
      return null;
    case 'signed':
      await sendParents(wallet, record);
      return (await Promise.all([broadcastPayment(wallet, record), sendEarly(wallet, record)]))[0];
    case 'broadcast':
      return (await sendDue(wallet, record)) ?? confirm(wallet, (await readPayment(wallet, record.id)) ?? record);
    case 'settled':
      return confirm(wallet, record);
    default:
      return null;
  }
}

/**
 * Broadcasts released parents first, because nodes need them before the payment that spends their outputs. Skips parents
 * whose last attempt failed recently, because a payment can reach a parent along many paths.
 */
async function sendParents(wallet: Wallet, { action, signed }: PaymentRecord): Promise<void> {
  if (!action) return;
  for (const txid of new Set(signed?.inputs.map((key) => key.slice(0, 64)))) {
    // Each read needs a new database transaction, because the previous one ends during the broadcast.
    const maker = await paymentMaking(readTransaction(await database(wallet)), txid);
    const isDue = maker?.state === 'signed' && maker.trouble === null && maker.broadcast.nextAt <= wallet.now();
    if (isDue) await processChanged(wallet, maker.id);
  }
}

async function commitOrFail(wallet: Wallet, record: PaymentRecord, draft?: Draft): Promise<PaymentRecord | null> {
  try {
    if (await isVoid(wallet, record.id)) throw new ServiceError('disk-full');
    if (Math.abs(wallet.now() - (record.approvedAt ?? 0)) > APPROVAL_LIFE_MS)
      throw new ServiceError('approval-expired');
    const split = record.action?.splitFirst;
    if (split !== undefined && !(await isBroadcast(wallet, split))) throw await splitError(wallet, split);
    return await commitPayment(wallet, record, undefined, draft);
  } catch (error) {
    const cause = toServiceError(error);
    if (cause.code !== 'disk-full') await failUnsigned(wallet, record.id, cause);
    else {
      await voidApproval(wallet, record.id);
      await failUnsigned(wallet, record.id, cause);
      await forgetVoid(wallet, record.id);
    }
    return null;
  }
}

/** Returns the reason why the split for an action created no coin of the required size. */
async function splitError(wallet: Wallet, id: string): Promise<ServiceError> {
  const error = (await readOutcome(wallet, id))?.error;
  return error ? new ServiceError(error.code, { message: error.message }) : new ServiceError('network-unavailable');
}

/**
 * Advances a payment through its first broadcast.
 * @returns true if the network has accepted it, in which case its outputs can be spent
 */
export function isBroadcast(wallet: Wallet, id: string): Promise<boolean> {
  void processPayment(wallet, id);
  return outcomeOf(wallet, id, (record) => {
    const isLeaving = record?.state === 'approved' || (record?.state === 'signed' && record.broadcast.attempts === 0);
    return isLeaving ? undefined : record?.state === 'broadcast' || record?.state === 'settled';
  });
}

/**
 * Waits until an approved payment is signed, because later steps need no window.
 * @throws ServiceError the reason if the payment ended unsigned
 */
export async function signedOrFailed(wallet: Wallet, id: string, draft?: Draft): Promise<void> {
  void processPayment(wallet, id, draft);
  await outcomeOf(wallet, id, (record) => {
    if (record && !record.signed) unlessEnded(record);
    return record?.state !== 'approved' || undefined;
  });
}

/** Maximum time that a window waits for broadcast attempts, in milliseconds. */
const PATIENCE_MS = 10_000;

export async function countUnsent(wallet: Wallet): Promise<number> {
  return countIn(readTransaction(await database(wallet)), 'signed');
}

/** Attempts to broadcast all `signed` payments now. @returns the number that remain `signed` */
export async function sendUnsent(wallet: Wallet): Promise<number> {
  for (const id of await idsIn(readTransaction(await database(wallet)), 'signed')) {
    await transition(wallet, id, 'signed', ({ broadcast }) => ({ broadcast: { ...broadcast, nextAt: 0 } }));
  }
  let timer: Timer | undefined;
  await Promise.race([processAll(wallet), new Promise((late) => (timer = wallet.setTimeout(late, PATIENCE_MS)))]);
  wallet.clearTimeout(timer);
  return countUnsent(wallet);
}

/**
 * Submits a refused payment again after a repeated request, unless the payment was replaced.
 * @returns the number of broadcast attempts so far
 */
export async function offerAgain(
  wallet: Wallet,
  { id, state, trouble, replacedBy, broadcast }: PaymentRecord,
): Promise<number> {
  if (state !== 'signed' || trouble !== 'refused' || replacedBy) return broadcast.attempts;
  const offered = await transition(wallet, id, 'signed', (now) =>
    now.trouble === 'refused' && !now.replacedBy ? { trouble: null, broadcast: NOT_TRIED } : {},
  );
  return (offered?.broadcast ?? broadcast).attempts;
}
